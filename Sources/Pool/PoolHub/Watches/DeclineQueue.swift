import Platform
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

    /// The messages of each watch that is in ``turns``; empty during its last turn.
    private let waiting = Lock<[PeerKey: [Decline]]>([:])
    private let turns: AsyncStream<PeerKey>
    private let turn: AsyncStream<PeerKey>.Continuation

    /// Creates a queue that declines nothing until ``run(_:)``.
    init() {
        // Each watch is in it at most once.
        (turns, turn) = AsyncStream.makeStream()
    }

    /// The number of waiting messages of a watch.
    func count(of watch: PeerKey) -> Int { waiting.withLock { $0[watch]?.count ?? 0 } }

    /// Queues a message to be declined; returns at once.
    func put(_ decline: Decline, of watch: PeerKey) {
        let needsTurn = waiting.withLock { waiting in
            let isFirst = waiting[watch] == nil
            waiting[watch, default: []].append(decline)
            if waiting[watch, default: []].count > Self.waitingMax { waiting[watch]?.removeFirst() }
            return isFirst
        }
        if needsTurn { turn.yield(watch) }
    }

    /// Declines one message after the other, alternating between the watches, until the task is cancelled; may be called
    /// once.
    func run(_ send: @escaping @Sendable (PeerKey, Decline) async -> Void) async {
        for await watch in turns {
            guard let decline = next(of: watch) else { continue }
            await send(watch, decline)
            turn.yield(watch)
        }
    }

    /// The oldest message of a watch; nil if there is none, so that the next one starts another turn.
    private func next(of watch: PeerKey) -> Decline? {
        waiting.withLock { waiting in
            if waiting[watch]?.isEmpty ?? true {
                waiting[watch] = nil
                return nil
            }
            return waiting[watch]?.removeFirst()
        }
    }
}
