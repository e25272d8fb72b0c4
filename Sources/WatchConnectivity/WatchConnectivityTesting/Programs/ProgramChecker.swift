import WatchConnectivity

/// Checks the log of a program against the guarantees of the sessions, independent of how they are implemented.
package struct ProgramChecker {
    /// A guarantee that was broken.
    package struct Violation: Hashable, Sendable {
        /// The guarantee's short name.
        package var promise: Promise
        package var words: String
    }

    /// A guarantee of the sessions.
    package enum Promise: String, Hashable, Sendable, CaseIterable {
        /// Each message gets exactly one reply or error, unless the app exited.
        case oneOutcome
        /// No handler runs during the call that it was passed to.
        case neverSynchronous
        /// Items of the same kind arrive in order.
        case order
        /// Everything that was accepted arrives.
        case nothingLost
        /// Each item arrives once, except after a crash during a callback.
        case onceOnly
        /// Each item arrives as it was sent, and only at the counterpart.
        case intact
        /// A transfer finishes once, with the right result.
        case oneFinish
        /// No callback comes while it is not allowed.
        case forbiddenCall
        /// The callbacks to a process are serial.
        case serial
        /// Everything becomes idle in the end.
        case rest
        /// Invalid payloads fail with the right code.
        case rightError
    }

    /// What is known about one request.
    private struct RequestRecord {
        var request: ProgramLog.Request
        var outcomes = 0
        var failure: WCError.Code?
        var finishes: [WCError.Code?] = []
        var cancelledAt: Int?
        var arrivals: [(at: Int, actor: ProgramLog.Actor, process: Int)] = []
        var senderDied = false
        /// Whether its content may have been dropped when an app was removed or a watch was unpaired.
        var isExcused = false
        /// The answer to a context; nil until there is one.
        var answer: Answer?
    }

    /// The answer to a context.
    private enum Answer: Equatable {
        case accepted
        case refused(WCError.Code)
    }

    private var records: [Int: RequestRecord] = [:]
    private var violations: [Violation] = []
    private let entries: [ProgramLog.Entry]
    private let hasDiskFaults: Bool
    private var openCalls: [ProgramLog.Actor: (process: Int, arrival: ProgramLog.Arrival?)] = [:]
    private var activating: [ProgramLog.Actor: Int] = [:]
    /// The processes that ended during a callback with an arrival.
    private var cutArrivals: Set<Int> = []
    /// The last arrival of each kind at each actor from each sender, as an index in the order of sending.
    private var lastPlace: [String: Int] = [:]
    private var lastRest = 0
    private var hasDropped = false
    private var isHealed = false

    private init(_ log: ProgramLog) {
        entries = log.entries
        hasDiskFaults = log.hasDiskFaults
    }

    /// The broken guarantees, the first one first.
    package static func violations(in log: ProgramLog) -> [Violation] {
        var checker = ProgramChecker(log)
        for (place, entry) in log.entries.enumerated() { checker.take(entry, at: place) }
        checker.checkEnds()
        return checker.violations
    }

    private mutating func fail(_ promise: Promise, _ words: String) {
        violations.append(Violation(promise: promise, words: words))
    }

    // MARK: - Checks of each entry

    private mutating func take(_ entry: ProgramLog.Entry, at place: Int) {
        switch entry {
        case .asked(let request):
            records[request.number] = RequestRecord(request: request)
            // The sender may not know yet that there is no counterpart.
            records[request.number]?.isExcused = hasDropped
        case .contextAnswered(let number, let code):
            records[number]?.answer = code.map { .refused($0) } ?? .accepted
        case .replied(let number): outcome(of: number, nil)
        case .failed(let number, let code): outcome(of: number, code)
        case .handledTooEarly(let number):
            fail(.neverSynchronous, "a handler of message \(number) ran within the call")
        case .finished(let number, let kind, let code): finished(number, kind, code, at: place)
        case .cancelled(let number):
            records[number]?.cancelledAt = place
        case .began(let actor, let process, let callback): began(actor, process, callback, at: place)
        case .ended(let actor, let process):
            if openCalls[actor]?.process == process { openCalls[actor] = nil }
        case .processEnded(let actor, let process, let withDevice):
            processEnded(actor, process, withDevice: withDevice, at: place)
        case .activating(let actor, let process): activating[actor] = process
        case .contentDropped:
            hasDropped = true
            for (number, record) in records where record.finishes.isEmpty || record.arrivals.isEmpty {
                records[number]?.isExcused = true
            }
        case .atRest: lastRest = place
        case .unsettled: fail(.rest, "the devices do not come to rest")
        case .healed: isHealed = true
        }
    }

    private mutating func outcome(of number: Int, _ code: WCError.Code?) {
        guard var record = records[number] else { return fail(.intact, "an outcome of \(number), which was not sent") }
        record.outcomes += 1
        record.failure = code ?? record.failure
        records[number] = record
        if record.outcomes > 1 { fail(.oneOutcome, "message \(number) has \(record.outcomes) outcomes") }
        if record.senderDied {
            fail(.forbiddenCall, "message \(number) has an outcome in a process that did not send it")
        }
        checkError(of: record, code)
    }

    private mutating func finished(_ number: Int, _ kind: ProgramLog.Kind, _ code: WCError.Code?, at place: Int) {
        guard let record = records[number] else { return fail(.intact, "the end of \(number), which was not sent") }
        if record.request.kind != kind { fail(.intact, "\(number) ends as a \(kind)") }
        if let cancelled = record.cancelledAt, cancelled < place {
            fail(.oneFinish, "\(kind) \(number) ends after it was cancelled")
        }
        if !record.finishes.isEmpty, !isRepeatable(number) {
            fail(.oneFinish, "\(kind) \(number) ends twice")
        }
        records[number]?.finishes.append(code)
        checkError(of: record, code)
    }

    private mutating func began(
        _ actor: ProgramLog.Actor, _ process: Int, _ callback: ProgramLog.Callback, at place: Int
    ) {
        if let open = openCalls[actor], open.process == process {
            fail(.serial, "\(actor) is called with \(callback.name) within another call")
        }
        openCalls[actor] = (process, callback.arrival)
        if callback.appState != .background && callback.appState != .foreground {
            fail(.forbiddenCall, "\(actor) is called with \(callback.name) while its app is \(callback.appState)")
        }
        // A rejected request is reported through the channel of its call.
        if activating[actor] != process, !callback.name.hasPrefix("didFinish") {
            fail(.forbiddenCall, "\(actor) is called with \(callback.name) before it activates")
        }
        guard let arrival = callback.arrival else { return }
        if callback.activationState == .notActivated {
            fail(.forbiddenCall, "\(arrival.kind) \(arrival.number) arrives at \(actor), which is not activated")
        }
        arrived(arrival, at: actor, process, place)
    }

    private mutating func arrived(
        _ arrival: ProgramLog.Arrival, at actor: ProgramLog.Actor, _ process: Int, _ place: Int
    ) {
        guard let record = records[arrival.number], record.request.kind == arrival.kind, arrival.isIntact else {
            return fail(.intact, "\(actor) gets \(arrival.kind) \(arrival.number) that was not sent so")
        }
        if (record.request.sender == .phone) == (actor == .phone) {
            fail(.intact, "\(arrival.kind) \(arrival.number) of \(record.request.sender) arrives at \(actor)")
        }
        if let other = record.arrivals.first(where: { $0.actor != actor }) {
            fail(.intact, "\(arrival.kind) \(arrival.number) arrives at \(other.actor) and at \(actor)")
        }
        let isAgain = !record.arrivals.isEmpty
        // A newly installed app gets the newest context again.
        let isRenewed = arrival.kind == .context && record.isExcused
        if isAgain, !isRenewed, !isRepeatable(arrival.number) {
            fail(.onceOnly, "\(arrival.kind) \(arrival.number) arrives at \(actor) again")
        }
        records[arrival.number]?.arrivals.append((place, actor, process))
        guard !isAgain, !record.request.isComplication else { return }
        let lane = "\(arrival.kind) \(record.request.sender) \(actor)"
        if let last = lastPlace[lane], last > arrival.number {
            fail(.order, "\(arrival.kind) \(arrival.number) arrives at \(actor) after \(last)")
        }
        lastPlace[lane] = max(lastPlace[lane] ?? 0, arrival.number)
    }

    /// Whether a callback may be repeated: its process, or its device, ended during it or before its return was
    /// durable.
    private func isRepeatable(_ number: Int) -> Bool {
        cutArrivals.contains(number)
    }

    private mutating func processEnded(
        _ actor: ProgramLog.Actor, _ process: Int, withDevice: Bool, at place: Int
    ) {
        if let open = openCalls[actor], open.process == process {
            if let number = open.arrival?.number { cutArrivals.insert(number) }
            openCalls[actor] = nil
        }
        activating[actor] = nil
        if withDevice {
            // Callbacks since everything was last idle may not be recorded as returned.
            for entry in entries[lastRest..<place] {
                if case .began(actor, _, let callback) = entry, let number = callback.arrival?.number {
                    cutArrivals.insert(number)
                }
                if case .finished(let number, _, _) = entry, records[number]?.request.sender == actor {
                    cutArrivals.insert(number)
                }
            }
        }
        for (number, record) in records where record.request.sender == actor {
            if record.outcomes == 0, record.finishes.isEmpty { records[number]?.senderDied = true }
        }
    }

    /// The possible errors because of a session's state, whatever is sent.
    private static let stateCodes: Set<WCError.Code> = [
        .sessionMissingDelegate, .sessionNotActivated, .deviceNotPaired, .watchAppNotInstalled, .notReachable,
        .sessionInactive, .companionAppNotInstalled, .watchOnlyApp,
    ]

    private mutating func checkError(of record: RequestRecord, _ code: WCError.Code?) {
        let request = record.request
        let expected: WCError.Code? =
            switch request.content {
            case .tooLarge: .payloadTooLarge
            case .unsupported: .payloadUnsupportedTypes
            case .small, .large: nil
            }
        if let expected {
            guard let code else {
                return fail(.rightError, "\(request.kind) \(request.number) succeeds, wrong as it is")
            }
            let isFit = code == expected || (!request.isFit && Self.stateCodes.contains(code))
            if !isFit { fail(.rightError, "\(request.kind) \(request.number) fails with \(code), not \(expected)") }
        } else if code == .payloadTooLarge || code == .payloadUnsupportedTypes {
            fail(.rightError, "\(request.kind) \(request.number) fails with \(code?.rawValue ?? 0), good as it is")
        }
        if request.kind == .file, !request.exists, code == nil {
            fail(.rightError, "file \(request.number) succeeds, though it does not exist")
        }
    }

    // MARK: - Checks at the end

    private mutating func checkEnds() {
        guard isHealed else { return }
        for record in records.values.sorted(by: { $0.request.number < $1.request.number }) {
            switch record.request.kind {
            case .message: checkMessage(record)
            case .userInfo, .file: checkTransfer(record)
            case .context: checkContext(record)
            }
        }
        checkLastContexts()
    }

    private mutating func checkMessage(_ record: RequestRecord) {
        let request = record.request
        if request.wantsReply, record.outcomes == 0, !record.senderDied {
            fail(.oneOutcome, "message \(request.number) has no outcome")
        }
        if !request.wantsReply, record.outcomes == 0, record.arrivals.isEmpty, !record.senderDied {
            fail(.oneOutcome, "message \(request.number) neither arrives nor fails")
        }
        if request.wantsReply, record.outcomes > 0, record.failure == nil, record.arrivals.isEmpty {
            fail(.oneOutcome, "message \(request.number) is replied to, and never arrived")
        }
    }

    private mutating func checkTransfer(_ record: RequestRecord) {
        let request = record.request
        let name = "\(request.kind) \(request.number)"
        if record.cancelledAt != nil || record.isExcused { return }
        guard let end = record.finishes.first else {
            // A session that is not activated may drop its content; a request that was rejected at once, or could not
            // be written to disk, is reported only to the process that made it.
            let isRefused = !request.isFit || request.content == .tooLarge || request.content == .unsupported
            let mayBeSilent = !request.wasActivated || (isRefused || hasDiskFaults) && record.senderDied
            if !mayBeSilent { fail(.oneFinish, "\(name) never ends") }
            return
        }
        if end == nil, record.arrivals.isEmpty { fail(.nothingLost, "\(name) ended well, and never arrived") }
        let isSound = request.content == .small || request.content == .large
        if let end, request.isFit, isSound, request.exists, !hasDiskFaults {
            fail(.nothingLost, "\(name) was taken, and failed with \(end.rawValue)")
        }
    }

    private mutating func checkContext(_ record: RequestRecord) {
        let request = record.request
        switch record.answer {
        case nil: break
        case .accepted: checkError(of: record, nil)
        case .refused(let code):
            checkError(of: record, code)
            if !record.arrivals.isEmpty { fail(.intact, "context \(request.number) was refused, and arrives") }
        }
    }

    /// Checks that the last accepted context has arrived; with several watches it is known from one sender only.
    private mutating func checkLastContexts() {
        let senders = Set(records.values.map(\.request.sender))
        for sender in senders {
            let taken = records.values.filter {
                $0.request.sender == sender && $0.request.kind == .context && $0.answer == .accepted
            }
            guard let last = taken.max(by: { $0.request.number < $1.request.number }) else { continue }
            if last.arrivals.isEmpty, !last.isExcused {
                fail(.nothingLost, "context \(last.request.number), the last one of \(sender), never arrives")
            }
        }
    }
}

extension ProgramLog.Request {
    /// Whether the session's state allowed the request.
    fileprivate var isFit: Bool {
        wasActivated && hadCounterpart && (kind != .message || wasReachable)
    }
}
