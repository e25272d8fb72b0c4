import SyncCore

/// What a run has shown so far: its trace, its counts, and what the checks found first.
struct RunRecord {
    var checks: Checks
    /// What must hold for everything that is requested after the faults.
    var quiet = QuietChecker()
    var trace: Trace
    private(set) var marks = CoverageCounts()
    var violation: Violation?
    private(set) var stepCount = 0
    /// The watch with whose key a forger makes frames, nil if there is no forger.
    let hostile: Int?
    private(set) var now = Instant(nanoseconds: 0)

    init(checks: Checks, keepsTrace: Bool, hostile: Int?) {
        self.checks = checks
        trace = Trace(keepsLines: keepsTrace)
        self.hostile = hostile
    }

    /// Whether a side belongs to the watch with whose key a forger makes frames.
    func isHostile(_ side: Side) -> Bool { side.watch == hostile }

    /// Time has passed.
    mutating func reach(_ now: Instant) { self.now = now }

    /// An engine, or the pairing of a watch, is given an input.
    mutating func countStep() {
        stepCount += 1
        trace.mix(UInt64(bitPattern: now.nanoseconds))
    }

    /// Keeps a line, if lines are kept.
    mutating func line(_ node: Trace.Node, _ text: @autoclosure () -> String) { trace.line(now, node, text()) }

    /// Counts something that came up.
    mutating func count(_ mark: CoverageMark, times: Int = 1) { marks.note(mark, count: times) }

    /// Counts an event of an engine, and adds it to the trace.
    mutating func note(_ mark: CoverageMark) {
        marks.note(mark)
        trace.mix(UInt64(mark.rawValue))
    }

    /// Counts what the hub's process has counted itself.
    mutating func noteSuperseded(_ engine: HubEngine?) {
        let superseded = engine?.watches.reduce(0) { $0 + $1.supersededCount } ?? 0
        count(.registerSuperseded, times: Int(superseded))
    }

    // MARK: - Transfers

    /// A side wants a record of its transfers to be durable.
    mutating func stores(_ record: TransferRecord, at side: Side, _ world: DrawnWorld) {
        checks.budgets.asked(record, wallMilliseconds: world.moment(at: side.device).wallMilliseconds)
        guard case .files(.receiving(let incoming)) = record,
            world.files[side].byteCounts(of: incoming.offer.id).synced < incoming.durable
        else { return }
        fail(.durabilityOrder, "\(side.name) records bytes of a file that are not on its disk")
    }

    /// A record of the transfers of a side is durable, whether its engine knows that or not.
    mutating func becameDurable(_ record: TransferRecord, at side: Side, holding held: TransferState) {
        checks.arrivals.becameDurable(record, at: side, holding: held)
        fail(checks.budgets.becameDurable(record, at: side))
    }

    // MARK: - What does not hold

    mutating func fail(_ rule: Violation.Rule, _ text: String) {
        guard violation == nil else { return }
        violation = Violation(rule: rule, text: text, time: now)
        line(.checks, "\(rule.rawValue): \(text)")
    }

    /// Keeps what a check found.
    mutating func fail(_ finding: Checks.Finding?) {
        guard let finding else { return }
        fail(finding.rule, finding.text)
    }

    /// A request of a side was declined.
    mutating func declined(_ reason: some Any, at side: Side) {
        guard !isHostile(side) else { return }
        fail(quiet.declines(reason, at: side))
    }
}
