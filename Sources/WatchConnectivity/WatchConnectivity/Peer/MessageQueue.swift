import SyncCore

/// The live messages of an app's process, in both directions; nothing of it is durable (rule R59).
///
/// What arrives is bounded by the engine, which keeps a place for each message until it is confirmed, replied to or
/// declined. So whatever leaves the inbox or is awaited no longer is answered, though its sender may have given up.
struct MessageQueue: Sendable {
    /// A message that the app sent and that has no outcome yet.
    struct Sent: Sendable {
        var payload: [UInt8]
        var isData: Bool
        var wantsReply: Bool
        var hasErrorHandler: Bool
        /// When its sender gives up (rule R62).
        var deadline: Instant
        /// Whether the engine has it.
        var isHandedOver = false
    }

    /// A message that arrived and waits for the app.
    struct Arrived: Sendable {
        var ticket: UInt64
        var id: MessageID
        var payload: [UInt8]
        var isData: Bool
        var wantsReply: Bool
        /// When its sender gives up.
        var deadline: Instant
        /// Until when it is held back (rule R64).
        var heldUntil: Instant
    }

    /// The messages that the engine has at a time at most; half of what the other side takes.
    static let handedOverCountMax = 128

    var sent: [PeerState.MessageToken: Sent] = [:]
    /// The ones that the engine does not have yet, oldest first; some may have ended meanwhile.
    var unsent = Line<PeerState.MessageToken>()
    var handedOverCount = 0
    /// What waits for the app.
    var inbox = Line<Arrived>()
    /// The messages whose replies the app owes, with the time until which they are waited for.
    var awaited: [MessageID: Instant] = [:]
}
