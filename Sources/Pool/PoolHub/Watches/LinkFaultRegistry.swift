import Platform
import PoolControl
import PoolModel
import SyncCore
import SyncTransport

/// The injected faults on the links to watches.
///
/// They are not stored: a hub starts without faults.
actor LinkFaultRegistry {
    /// The longest cut, in seconds: a week.
    static let cutSecondsMax = 604_800
    /// The longest delay of a message, in milliseconds.
    static let delayMillisecondsMax = 60_000

    private let transport: HubTransport
    private let now: @Sendable () -> Moment
    private var disturbances: [PeerKey: LinkDisturbance] = [:]

    /// Creates a registry without faults.
    init(transport: HubTransport, now: @escaping @Sendable () -> Moment = { .now }) {
        self.transport = transport
        self.now = now
    }

    /// Carries out a command.
    ///
    /// - Throws: ``RequestProblem`` for a fault that no link can have and for a watch that is not paired; `LinkError`.
    func perform(_ request: LinkRequest) async throws -> HubReply {
        let status = try await transport.status()
        let watches = status.watches
        switch request {
        case .show:
            return .links(watches.map { connection(of: $0, at: status.moment.monotonic) })
        case .set(let id, let patch):
            try patch.check()
            let meant = try Self.meant(id, among: watches.map(\.watch))
            let moment = now()
            var words = ""
            for watch in meant {
                let new = patch.applied(
                    to: disturbance(of: watch.key) ?? LinkDisturbance(),
                    at: Timestamp(milliseconds: moment.wallMilliseconds))
                use(new, of: watch.key, at: moment)
                words = "\(new)"
            }
            return .done("\(Self.links(meant)): \(words)")
        case .clear(let id):
            let meant = try Self.meant(id, among: watches.map(\.watch))
            for watch in meant { use(LinkDisturbance(), of: watch.key, at: now()) }
            return .done("\(Self.links(meant)): nothing goes wrong on purpose any more")
        }
    }

    /// A watch with the faults of its link.
    ///
    /// - Parameters:
    ///   - status: The engine's state of the watch.
    ///   - moment: The time of that state.
    /// - Returns: The watch, without its replication delay.
    func connection(of status: HubEngine.WatchStatus, at moment: Instant) -> WatchConnection {
        var connection = WatchConnection(status, now: moment)
        connection.disturbance = disturbance(of: status.watch.key)
        let counts = LinkCounts(transport.faultCounts(of: status.watch.key))
        connection.linkCounts = counts == LinkCounts() ? nil : counts
        return connection
    }

    /// The current faults on the link to a watch; nil for none.
    private func disturbance(of watch: PeerKey) -> LinkDisturbance? {
        guard var current = disturbances[watch] else { return nil }
        if let end = current.cutUntil, end.milliseconds <= now().wallMilliseconds { current.cutUntil = nil }
        return current.isNone ? nil : current
    }

    private func use(_ new: LinkDisturbance, of watch: PeerKey, at moment: Moment) {
        disturbances[watch] = new.isNone ? nil : new
        transport.setFaults(new.isNone ? nil : LinkFaults(new, at: moment), for: watch)
    }

    private static func meant(_ id: WatchID?, among watches: [PairedWatch]) throws -> [PairedWatch] {
        if let id { return [try watches.paired(id)] }
        guard !watches.isEmpty else {
            throw RequestProblem("no watch is paired yet: pair one first with: poolsensors pair")
        }
        return watches
    }

    private static func links(_ watches: [PairedWatch]) -> String {
        watches.count == 1 ? "link of \(watches[0].name)" : "links of \(watches.map(\.name).joined(separator: ", "))"
    }
}

extension LinkPatch {
    /// Checks the values.
    ///
    /// - Throws: ``RequestProblem``.
    fileprivate func check() throws {
        let chances = [
            ("drop", drop), ("duplicate", duplicate), ("reorder", reorder), ("corrupt", corrupt), ("reset", reset),
        ]
        for (name, chance) in chances {
            guard let chance, !(0...1).contains(chance) else { continue }
            throw RequestProblem("the chance to \(name) is \(chance * 100) %: choose 0 to 100 %")
        }
        if let delayMilliseconds, !(0...LinkFaultRegistry.delayMillisecondsMax).contains(delayMilliseconds) {
            throw RequestProblem("the delay is \(delayMilliseconds) ms: choose 0 to 60 s")
        }
        if let cutSeconds, !(0...LinkFaultRegistry.cutSecondsMax).contains(cutSeconds) {
            throw RequestProblem("the cut is \(cutSeconds) s: choose 1 s to 7 days, or 0 to end it")
        }
    }

    /// The disturbance after the change.
    fileprivate func applied(to old: LinkDisturbance, at now: Timestamp) -> LinkDisturbance {
        var new = old
        new.drop = drop ?? old.drop
        new.duplicate = duplicate ?? old.duplicate
        new.reorder = reorder ?? old.reorder
        new.corrupt = corrupt ?? old.corrupt
        new.reset = reset ?? old.reset
        new.delayMilliseconds = delayMilliseconds ?? old.delayMilliseconds
        new.direction = direction ?? old.direction
        new.seed = seed ?? old.seed
        if let cutSeconds {
            new.cutUntil = cutSeconds == 0 ? nil : now.advanced(byMilliseconds: Int64(cutSeconds) * 1000)
        }
        return new
    }
}

extension LinkFaults {
    /// The faults of a disturbance that begins at a time.
    fileprivate init(_ wanted: LinkDisturbance, at moment: Moment) {
        var faults = MessageFaults()
        faults.drop = wanted.drop
        faults.duplicate = wanted.duplicate
        faults.reorder = wanted.reorder
        faults.corrupt = wanted.corrupt
        faults.reset = wanted.reset
        if wanted.delayMilliseconds > 0 {
            faults.delay = 1
            faults.longestDelay = .milliseconds(wanted.delayMilliseconds)
        }
        faults.cutUntil = wanted.cutUntil.map {
            moment.monotonic.advanced(by: .milliseconds($0.milliseconds - moment.wallMilliseconds))
        }
        self.init(
            seed: wanted.seed, incoming: wanted.direction == .toWatch ? MessageFaults() : faults,
            outgoing: wanted.direction == .fromWatch ? MessageFaults() : faults)
    }
}

extension LinkCounts {
    fileprivate init(_ counts: FaultCounts) {
        self.init()
        messages = counts.messages
        dropped = counts.dropped
        duplicated = counts.duplicated
        delayed = counts.delayed
        reordered = counts.reordered
        corrupted = counts.corrupted
        resets = counts.resets
        lostInCuts = counts.lostInCuts
    }
}
