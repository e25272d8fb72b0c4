import SyncCore

/// What is requested after the faults: it arrives, is answered and is kept, and at last nothing is sent.
struct QuietChecker {
    /// The phases, one after the other; each ends when all devices have converged again.
    enum Phase: Int, CaseIterable {
        /// Watches that are not paired get an invitation.
        case pairing
        /// All sides send and change something.
        case firstWork
        /// All connections break while files are on their way.
        case newSessions
        case secondWork
        /// All processes end and start again, and the watches' wall clocks go back.
        case newLives
        case thirdWork
        /// Nothing is requested.
        case rest
    }

    /// The present phase, nil while there are faults.
    private(set) var phase: Phase?
    /// The messages that have to be answered, with the watch of each and what they say.
    private var messages: [UInt64: (watch: Int, payload: [UInt8])] = [:]
    /// The messages that have to reach their handlers.
    private var payloads: [[UInt8]] = []
    /// The watches whose numbering contradicted the hub's in this phase: that ends a session, as it has to.
    private var contradicted: Set<Int> = []
    /// The values that have to be kept, and the watch that brings each, nil for the hub.
    private var values = SortedMap<CellKey, (value: String?, watch: Int?)>()
    /// The conflicts that have to be settled, and the watch that does.
    private var conflicts: [RandomID: Int] = [:]

    // MARK: - What is requested

    mutating func begin(_ phase: Phase) { self.phase = phase }

    /// All sides send and change something, once more.
    mutating func beginWork() {
        values = SortedMap()
        conflicts = [:]
        contradicted = []
    }

    mutating func expect(message request: RequestID, _ payload: [UInt8], of watch: Int) {
        messages[request.number] = (watch, payload)
        payloads.append(payload)
    }

    mutating func expect(_ value: String?, of key: CellKey, by watch: Int?) { values[key] = (value, watch) }

    mutating func expect(settled conflict: RandomID, by watch: Int) { conflicts[conflict] = watch }

    /// The cells whose value has to be kept.
    var keys: [CellKey] { values.keys }

    /// The numbering of a watch contradicted the hub's.
    mutating func contradicts(_ watch: Int) { contradicted.insert(watch) }

    // MARK: - What must hold

    /// A message has an outcome.
    mutating func answered(_ request: RequestID, _ answer: Exchange.Answer) -> Checks.Finding? {
        guard let message = messages.removeValue(forKey: request.number), case .failed(let fault) = answer
        else { return nil }
        guard !contradicted.contains(message.watch) else {
            payloads.removeAll { $0 == message.payload }
            return nil
        }
        return Checks.Finding(
            .delivery, "message \(request.number), which nothing stands in the way of, fails: \(fault)")
    }

    /// A side declines something.
    func declines(_ reason: some Any, at side: Side) -> Checks.Finding? {
        guard phase != nil else { return nil }
        return Checks.Finding(.delivery, "\(side.name) declines what nothing stands in the way of: \(reason)")
    }

    /// The hub declines something.
    func hubDeclines(_ reason: some Any) -> Checks.Finding? {
        guard phase != nil else { return nil }
        return Checks.Finding(.delivery, "the hub declines what nothing stands in the way of: \(reason)")
    }

    /// A file of a side has failed.
    func fails(_ failure: FileFailure, at side: Side) -> Checks.Finding? {
        guard phase != nil else { return nil }
        return Checks.Finding(
            .delivery, "a file of \(side.name) that nothing stands in the way of fails: \(failure)")
    }

    /// A side sends a frame; its uploads may wait for a person.
    func sends(_ frame: Frame, at side: Side, isHeldUp: @autoclosure () -> Bool) -> Checks.Finding? {
        guard phase == .rest, frame.kind.lane != .control || frame.kind == .credit, !isHeldUp() else { return nil }
        return Checks.Finding(.thrift, "\(side.name) sends \(frame.kind) when nothing is left to be sent")
    }

    /// What this phase still waits for, nil if nothing; what comes from a watch whose share of the log is full waits
    /// for a person.
    func missing(in ledger: LedgerState, heldUp: Set<Int>, _ handled: MessageChecker) -> Checks.Finding? {
        if let number = messages.keys.min() { return Checks.Finding(.delivery, "message \(number) has no outcome") }
        guard payloads.allSatisfy(handled.isHandled) else {
            return Checks.Finding(.delivery, "a message that nothing stands in the way of never arrives")
        }
        for (key, wanted) in values.pairs where ledger.cells[key]?.value != wanted.value {
            if let watch = wanted.watch, heldUp.contains(watch) { continue }
            return Checks.Finding(
                .delivery, "\(wanted.value ?? "deletion") of \(key.kind)/\(key.group) does not stand")
        }
        guard conflicts.allSatisfy({ ledger.conflicts[$0.key] == nil || heldUp.contains($0.value) }) else {
            return Checks.Finding(.restorable, "a conflict that was settled is open")
        }
        return nil
    }
}
