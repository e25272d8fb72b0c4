import SyncCore

/// What must hold in a run, seen from outside: the checks read frames, disks and events, and have their own models.
struct Checks {
    /// Something that does not hold.
    struct Finding {
        var rule: Violation.Rule
        var text: String

        init(_ rule: Violation.Rule, _ text: String) {
            self.rule = rule
            self.text = text
        }
    }

    /// The interval between two checks of all devices.
    static let probeInterval = Duration.milliseconds(100)

    var versions = VersionChecker()
    var pairings = PairingChecker()
    var registers = RegisterChecker()
    var clock = ClockChecker()
    var edits = EditChecker()
    var arrivals: ArrivalChecker
    var messages = MessageChecker()
    var uploads = UploadChecker()
    var budgets: BudgetChecker
    var isolation = IsolationChecker()
    var windows: CreditChecker
    var parts: FilePartChecker
    /// The state that the hub's engine knows as durable.
    var confirmed: LedgerState?
    /// The version of the last answer, by which an answer to a change of nothing is recognised.
    private var lastAnswered: Version?
    var reachability: ReachabilityChecker

    init(watchCount: Int, heartbeat: Duration, options: SimulationOptions, urgentPerDay: Int = .max) {
        versions = VersionChecker(watchCount: watchCount)
        arrivals = ArrivalChecker(watchCount: watchCount)
        windows = CreditChecker(watchCount: watchCount)
        parts = FilePartChecker(watchCount: watchCount)
        budgets = BudgetChecker(watchCount: watchCount, perDay: urgentPerDay)
        // A link may be reported as up for three heartbeats after the last frame, which was on its way for a while.
        let isHeldUp = options.reorderChance > 0 || options.duplicateChance > 0
        let oneWay = options.delayLongest + (isHeldUp ? options.reorderLongest * 2 : .zero)
        let stall = options.stallRate > 0 ? options.stallLongest : .zero
        // The answer may wait while the hub works on a flood.
        let flood = options.floodRate > 0 ? IsolationChecker.workMax : .zero
        let watch = heartbeat * 3 + oneWay * 2 + stall * 2 + flood + .milliseconds(100)
        // The hub learns from the watch, which has to give up first and then to be silent or to greet again.
        let hub = watch + heartbeat * 4 + oneWay + stall + .seconds(1)
        reachability = ReachabilityChecker(watchCount: watchCount, timeLimits: (watch, hub))
    }

    // MARK: - The hub

    mutating func began(_ state: LedgerState, schema: Schema) {
        _ = versions.becameDurable(state, schema: schema)
    }

    mutating func hubStarted(_ state: LedgerState, at moment: Moment) {
        confirmed = state
        pairings.restarted()
        pairings.read(state, at: moment)
        clock.restarted(after: state.lastStamp)
    }

    mutating func hubLearned(_ state: LedgerState, at moment: Moment) {
        confirmed = state
        pairings.read(state, at: moment)
    }

    mutating func becameDurable(_ state: LedgerState, schema: Schema) -> Finding? {
        versions.becameDurable(state, schema: schema)
    }

    /// Whether the hub's engine knows this watch as paired.
    func isPaired(_ watch: PeerKey) -> Bool { pairings.watches.contains(watch) }

    func admits(_ keys: [PeerKey], at now: Instant) -> Finding? {
        let expected = pairings.admitted(at: now)
        guard keys != expected else { return nil }
        return Finding(.admission, "the hub admits \(keys.count) keys, the pairings say \(expected.count)")
    }

    mutating func answersPairingAgain(_ invitation: PeerKey) -> Bool {
        !pairings.answered.insert(invitation).inserted
    }

    func hubSends(_ frame: Frame, to peer: PeerKey) -> Finding? {
        guard let confirmed else { return Finding(.durabilityOrder, "a hub that was told nothing sends \(frame.kind)") }
        switch frame.kind {
        case .welcome, .context, .register, .registers, .pong:
            guard pairings.watches.contains(peer) else {
                return Finding(.admission, "a \(frame.kind) goes to a key that is not paired")
            }
        case .paired:
            guard let user = pairings.invitations[peer]?.usedBy, pairings.watches.contains(user) else {
                return Finding(.durabilityOrder, "PAIRED is sent before the pairing is durable")
            }
        case .hello, .refuse, .ping, .bye, .credit, .pair, .contextAcknowledged, .upload, .message, .reply,
            .messageError, .item, .itemAcknowledged, .offer, .pull, .chunk, .done, .abort:
            break
        }
        guard frame.kind != .welcome, frame.kind != .refuse, frame.kind != .pong else { return nil }
        guard versions.holds(confirmed.version) else {
            return Finding(.durabilityOrder, "a \(frame.kind) leaves before \(confirmed.version.traceText) is durable")
        }
        return frame.kind == .context ? versions.sends(frame, of: confirmed.version) : nil
    }

    /// Whether an answer names the same version as the answer before it.
    func isLastAnswer(_ answer: HubEngine.Answer) -> Bool { answer == lastAnswered.map { .done($0) } }

    mutating func answers(
        _ request: HubEngine.RequestID, _ answer: HubEngine.Answer, expected: Version??
    ) -> Finding? {
        guard let expected else { return Finding(.answers, "request \(request.number) is answered a second time") }
        guard case .done(let version) = answer else { return nil }
        lastAnswered = version
        guard versions.holds(version) else {
            return Finding(.durabilityOrder, "request \(request.number) is done before it is durable")
        }
        if let expected, version.epoch != expected.epoch || version.revision &- expected.revision > 1 {
            return Finding(.answers, "request \(request.number) was done although the version had moved")
        }
        return nil
    }

    mutating func stamps(_ transaction: Transaction) -> Finding? {
        clock.stamps(transaction)
    }

    mutating func published(_ register: Register) { registers.published(register) }

    // MARK: - Watches

    mutating func watchStarted(_ watch: Int, with state: WatchEngine.State) -> Finding? {
        registers.watchStarted(watch, with: state)
        guard let snapshot = state.replica.snapshot else { return nil }
        return versions.starts(watch, snapshot)
    }

    func isNewEpoch(_ epoch: Epoch, for watch: Int) -> Bool { versions.isNewEpoch(epoch, for: watch) }

    mutating func shows(_ watch: Int, _ snapshot: Snapshot, durable: WatchEngine.State) -> Finding? {
        guard durable.replica.snapshot == snapshot else {
            return Finding(.durabilityOrder, "watch \(watch) shows \(snapshot.version.traceText) before it is durable")
        }
        return versions.shows(watch, snapshot)
    }

    mutating func shows(_ watch: Int, _ register: Register, epoch: Epoch?) -> Finding? {
        registers.shows(watch, register, epoch: epoch)
    }

    mutating func watchStored(_ watch: Int, _ state: WatchEngine.State) -> Finding? {
        registers.stored(watch, state)
    }

    func watchSends(_ frame: Frame, durable: WatchEngine.State) -> Finding? {
        guard frame.kind == .contextAcknowledged, let held = durable.replica.snapshot?.version else {
            return frame.kind == .contextAcknowledged
                ? Finding(.durabilityOrder, "a watch without a durable snapshot acknowledges one") : nil
        }
        guard frame.sequence == held.revision else {
            return Finding(
                .durabilityOrder, "a watch acknowledges revision \(frame.sequence) and holds \(held.revision)")
        }
        return nil
    }

    // MARK: - Transfers

    /// What a frame says has to be durable at the side that sends it, and none of it may be secret.
    func sends(
        _ frame: Frame, at side: Side, durable: TransferState, files: SimulatedFiles? = nil
    ) -> Finding? {
        if side.isHub, frame.blob.contains(Application.secretMark), frame.kind == .context {
            return Finding(.secrecy, "a CONTEXT holds a secret")
        }
        // A body that the engine made and that cannot be read is dropped by the receiver; then the devices do not
        // converge.
        switch frame.kind {
        case .itemAcknowledged:
            guard let body = try? JSONValue(decoding: frame.body), let stream = body["stream"]?.string else {
                return nil
            }
            return arrivals.wasDurable(frame.sequence, of: stream, at: side)
                ? nil
                : Finding(.durabilityOrder, "\(side.name) acknowledges item \(frame.sequence) before it is durable")
        case .done:
            guard let body = try? JSONValue(decoding: frame.body), let text = body["id"]?.string,
                let id = RandomID(hexadecimal: text), !durable.files.finished.contains(id)
            else { return nil }
            return Finding(.durabilityOrder, "\(side.name) says done before the file is durable")
        case .pull:
            guard let body = try? JSONValue(decoding: frame.body), let count = body["bytes"]?.hexadecimal,
                let offset = body["offset"]?.hexadecimal, let text = body["id"]?.string,
                let id = RandomID(hexadecimal: text), let arrived = body["arrived"]?.hexadecimal,
                offset <= UInt64.max - count
            else { return nil }
            let onItsWay = offset + count - min(offset, arrived)
            guard onItsWay <= FileExchange.creditByteCount else {
                return Finding(.boundedQueues, "\(side.name) lets \(onItsWay) bytes of a file be on their way")
            }
            // The journals of a real run do not say what was written when.
            let written = files?.byteCounts(of: id).written ?? arrived
            let unwritten = offset + count - min(offset, written)
            guard unwritten > FileExchange.unwrittenByteCountMax else { return nil }
            return Finding(.boundedQueues, "\(side.name) keeps \(unwritten) bytes of a file in its memory")
        case .hello, .welcome, .refuse, .ping, .pong, .bye, .credit, .pair, .paired, .register, .registers, .message,
            .reply, .messageError, .context, .contextAcknowledged, .upload, .item, .offer, .chunk, .abort:
            return nil
        }
    }

    // MARK: - Queues

    func bounds(of engine: HubEngine) -> Finding? {
        let backlog = engine.longestBacklog
        // One value of each register waits at most, and no run has 256; a window of 64 is on its way.
        let bound = 256 + 64
        guard backlog > bound else { return nil }
        return Finding(.boundedQueues, "\(backlog) registers wait for one watch, the bound is \(bound)")
    }

    func bounds(of engine: WatchEngine, watch: Int) -> Finding? {
        guard engine.epochs.abandoned.count > EpochFence.abandonedCountMax else { return nil }
        return Finding(.boundedQueues, "watch \(watch) remembers \(engine.epochs.abandoned.count) epochs")
    }
}
