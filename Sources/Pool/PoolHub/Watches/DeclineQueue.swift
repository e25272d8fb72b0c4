import Platform
import SyncCore

/// The messages of watches that are declined: only their names wait, and those of one watch hold up no other's.
///
/// Each is answered, even if its sender has given up: until then it keeps its place at the engine.
final class DeclineQueue: Sendable {
    /// A message that gets no reply, for this reason.
    struct Decline: Sendable {
        var message: MessageID
        var refusal: MessageRefusal
        var text: String
    }

    /// The messages of one watch that wait at most, as many as the engine lets; beyond that the oldest one goes, whose
    /// sender meets its own deadline.
    static let waitingMax = 256

    /// Of each watch that has a turn; empty during its last one.
    private let waiting = Lock<[PeerKey: [Decline]]>([:])
    private let turns: AsyncStream<PeerKey>
    private let turn: AsyncStream<PeerKey>.Continuation

    /// Creates a lane that declines nothing until ``run(_:)``.
    init() {
        // Each watch is in it once at most.
        (turns, turn) = AsyncStream.makeStream()
    }

    /// How many messages of a watch wait.
    func count(of watch: PeerKey) -> Int { waiting.withLock { $0[watch]?.count ?? 0 } }

    /// Lets a message be declined; returns at once.
    func put(_ decline: Decline, of watch: PeerKey) {
        let needsTurn = waiting.withLock { waiting in
            let isFirst = waiting[watch] == nil
            waiting[watch, default: []].append(decline)
            if waiting[watch, default: []].count > Self.waitingMax { waiting[watch]?.removeFirst() }
            return isFirst
        }
        if needsTurn { turn.yield(watch) }
    }

    /// Declines one message after the other, of the watches in turn, until the task is cancelled; once in a lane's
    /// life.
    func run(_ send: @escaping @Sendable (PeerKey, Decline) async -> Void) async {
        for await watch in turns {
            guard let decline = next(of: watch) else { continue }
            await send(watch, decline)
            turn.yield(watch)
        }
    }

    /// The oldest message of a watch; nil if it has no more, and the next one begins with a turn of its own.
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
