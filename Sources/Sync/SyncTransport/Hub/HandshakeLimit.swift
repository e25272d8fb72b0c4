import SyncCore

/// Limits how many connections of one key may be made, above all of those that then bring no message.
///
/// A connection counts for ten seconds, also if it is gone by then. An honest watch greets as soon as its connection
/// stands, and connects once in a second at most if that fails; so it has room, however often its link breaks. A key
/// whose connections bring no message may hold so many of them, and make a few more in each second. One message costs
/// next to nothing, a handshake more than most; so those that bring one are limited, too.
struct HandshakeLimit {
    /// The most connections of a key that brought no message.
    static let countMax = 32
    /// The most connections of a key that were made.
    static let countMaxOfAll = 128
    /// How long such a connection counts: as long as it may be silent.
    static let time = ConnectionTable.silenceMax

    /// When the connections were made that brought no message yet, by key, oldest first.
    private var unheard: [PeerKey: [Instant]] = [:]
    /// When all connections were made, by key, oldest first.
    private var made: [PeerKey: [Instant]] = [:]

    /// Counts a connection that is being made; false if its key has made too many.
    mutating func admits(_ key: PeerKey, at now: Instant) -> Bool {
        let (silent, all) = (Self.recent(unheard[key], at: now), Self.recent(made[key], at: now))
        let isAdmitted = silent.count < Self.countMax && all.count < Self.countMaxOfAll
        unheard[key] = isAdmitted ? silent + [now] : silent
        made[key] = isAdmitted ? all + [now] : all
        return isAdmitted
    }

    private static func recent(_ times: [Instant]?, at now: Instant) -> [Instant] {
        (times ?? []).filter { $0.advanced(by: time) > now }
    }

    /// The first message of a connection arrived.
    mutating func heard(_ key: PeerKey) {
        guard var times = unheard[key], !times.isEmpty else { return }
        times.removeFirst()
        unheard[key] = times.isEmpty ? nil : times
    }
}
