import SyncCore

/// Limits how many connections of one key may be made that then bring no message.
///
/// An honest watch greets as soon as its connection stands, so it always has room, however often it connects. A
/// connection that brought no message, or is gone without one, counts for ten seconds; so such a key may hold so many
/// connections, and make a few more in each second.
struct HandshakeLimit {
    /// The most connections of a key that brought no message.
    static let countMax = 32
    /// How long such a connection counts: as long as it may be silent.
    static let time = ConnectionTable.silenceMax

    /// When the connections were made that brought no message yet, by key, oldest first.
    private var unheard: [PeerKey: [Instant]] = [:]

    /// Counts a connection that is being made; false if its key has made too many.
    mutating func admits(_ key: PeerKey, at now: Instant) -> Bool {
        var times = unheard[key, default: []]
        times.removeAll { $0.advanced(by: Self.time) <= now }
        let isAdmitted = times.count < Self.countMax
        if isAdmitted { times.append(now) }
        unheard[key] = times
        return isAdmitted
    }

    /// The first message of a connection arrived.
    mutating func heard(_ key: PeerKey) {
        guard var times = unheard[key], !times.isEmpty else { return }
        times.removeFirst()
        unheard[key] = times.isEmpty ? nil : times
    }
}
