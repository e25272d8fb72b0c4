import SyncCore

/// The messages of watches that are declined: only their ids are kept, and those of one watch do not delay others.
///
/// Each is answered, even if its sender has given up, because the engine counts it until then.
final class DeclineQueue: Sendable {
    /// A message that is declined, with the reason.
    struct Decline: Sendable {
        var message: MessageID
        var refusal: MessageRefusal
        var text: String
    }

    /// The maximum number of waiting messages of a watch, which is the engine's limit.
    ///
    /// Beyond it, the oldest one is dropped, and its sender times out.
    static let waitingMax = 256

    private let turns = WatchTurns<Decline>()

    /// The number of waiting messages of a watch.
    func count(of watch: PeerKey) -> Int { turns.count(of: watch) }

    /// Queues a message to be declined; returns at once.
    func put(_ decline: Decline, of watch: PeerKey) {
        turns.put(decline, of: watch, dropping: Self.waitingMax)
    }

    /// Declines one message after the other, alternating between the watches, until the task is cancelled; may be called
    /// once.
    func run(_ send: @escaping @Sendable (PeerKey, Decline) async -> Void) async {
        await turns.run { watch, decline in
            await send(watch, decline)
            return .done(pause: nil)
        }
    }
}
