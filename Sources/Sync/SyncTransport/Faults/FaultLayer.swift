import SyncCore

/// Applies faults to the messages between a socket and an engine.
///
///     enter ──lost──▶ gone
///       ├────arrives──▶ held until due ──▶ next
///       └────resets──▶ the connection is broken: next says so, and everything else of it is gone
///
/// It belongs to the thread of a loop. It holds at most ``heldCountMax`` messages; further ones are lost and counted.
struct FaultLayer {
    /// What a loop has to do.
    enum Event: Equatable {
        /// Give a message to the engine or to the socket.
        case passes(FaultDirection, [[UInt8]], PeerKey, ConnectionID)
        /// Treat a connection as broken.
        case resets(ConnectionID)
    }

    private struct Held {
        var due: Instant
        let connection: ConnectionID
        let event: Event
    }

    /// The most messages that are held.
    static let heldCountMax = 4096
    /// The number of broken connections that are remembered; older ones were replaced long ago.
    private static let brokenCountMax = 1024

    private var common: LinkFaults?
    private var own: [PeerKey: LinkFaults] = [:]
    private var samplers: [PeerKey: FaultSampler] = [:]
    /// The held messages, in the order of their due times.
    private var held: [Held] = []
    private var broken: [ConnectionID] = []
    private var peers: [ConnectionID: PeerKey] = [:]
    private let tally: FaultCounters

    init(tally: FaultCounters) {
        self.tally = tally
    }

    /// Whether it has no faults and no messages any more.
    var isIdle: Bool { common == nil && own.isEmpty && held.isEmpty }

    /// When ``next(at:)`` returns something; nil if nothing is held.
    var deadline: Instant? { held.first?.due }

    /// Changes the faults of one peer's link, or of all links without faults of their own; releases all held
    /// messages.
    mutating func set(_ faults: LinkFaults?, for peer: PeerKey?) {
        if let peer {
            own[peer] = faults
            samplers[peer] = nil
        } else {
            common = faults
            samplers = samplers.filter { own[$0.key] != nil }
        }
        for index in held.indices { held[index].due = Instant(nanoseconds: .min) }
    }

    /// The peer of a connection that sent something while the layer existed; nil for other connections.
    func peer(of connection: ConnectionID) -> PeerKey? { peers[connection] }

    /// Takes a message.
    mutating func enter(
        _ direction: FaultDirection, _ parts: [[UInt8]], peer: PeerKey, connection: ConnectionID, at now: Instant
    ) {
        if peers.count > Self.heldCountMax { peers = [:] }
        peers[connection] = peer
        guard !broken.contains(connection) else { return }
        switch outcome(of: parts, direction, peer, at: now) {
        case .lost: break
        case .resets:
            held.removeAll { $0.connection == connection }
            broken = broken.suffix(Self.brokenCountMax - 1) + [connection]
            hold(Held(due: now, connection: connection, event: .resets(connection)), of: peer)
        case .arrives(let copies):
            for copy in copies {
                let parts = copy.corruption?.applied(to: parts) ?? parts
                hold(
                    Held(due: copy.due, connection: connection, event: .passes(direction, parts, peer, connection)),
                    of: peer)
            }
        }
    }

    /// The next event that is due, or nil.
    mutating func next(at now: Instant) -> Event? {
        guard let first = held.first, first.due <= now else { return nil }
        return held.removeFirst().event
    }

    /// Removes the held messages of a connection that has ended.
    mutating func ended(_ connection: ConnectionID) {
        held.removeAll { $0.connection == connection }
        peers[connection] = nil
    }

    private mutating func outcome(
        of parts: [[UInt8]], _ direction: FaultDirection, _ peer: PeerKey, at now: Instant
    ) -> FaultOutcome {
        guard let faults = own[peer] ?? common.map({ $0.seeded(for: peer) }) else {
            return .arrives([.init(due: now, corruption: nil)])
        }
        var sampler = samplers[peer] ?? FaultSampler(faults, after: tally[peer])
        let outcome = sampler.outcome(byteCount: parts.reduce(0) { $0 + $1.count }, direction, at: now)
        samplers[peer] = sampler
        tally.set(sampler.counts, of: peer)
        return outcome
    }

    private mutating func hold(_ new: Held, of peer: PeerKey) {
        guard held.count < Self.heldCountMax else {
            samplers[peer]?.counts.overflowed += 1
            if let counts = samplers[peer]?.counts { tally.set(counts, of: peer) }
            return
        }
        // The search starts at the end, where the message nearly always belongs; it comes after those with the same
        // due time.
        var position = held.count
        while position > 0, held[position - 1].due > new.due { position -= 1 }
        held.insert(new, at: position)
    }
}

extension LinkFaults {
    /// The faults that all links share, with a different seed for each peer.
    fileprivate func seeded(for peer: PeerKey) -> LinkFaults {
        var faults = self
        var name = SplitMix64(seed: peer.bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
        faults.seed ^= name.next()
        return faults
    }
}

extension FaultSampler {
    fileprivate init(_ faults: LinkFaults, after counts: FaultCounts) {
        self.init(faults)
        self.counts = counts
    }
}
