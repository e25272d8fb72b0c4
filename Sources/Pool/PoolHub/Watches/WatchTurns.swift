import Platform
import SyncCore

/// The work that watches bring, done in turns: the queue of one watch does not delay the work of others.
///
///     put ──▶ waiting, behind the watch's other work ──its turn──▶ at work ──done──▶ the watch's next turn
///                    ▲                                               │               (after a pause, if there is one)
///                    └──────────── again, after a pause ─────────────┘
///
/// The work of one watch is done in its order, one piece at a time. Each watch has at most one turn at a time, so the
/// turns need no limit; ``put(_:of:dropping:)`` and its callers limit the work.
final class WatchTurns<Work: Sendable>: Sendable {
    /// What became of a piece of work.
    enum Outcome: Sendable {
        /// It is done; the watch has its next turn after a pause.
        case done(pause: Duration?)
        /// It comes again in the watch's next turn, after a pause.
        case again(pause: Duration)
    }

    /// The work of each watch that has a turn; empty during its last turn.
    private let waiting = Lock<[PeerKey: [Work]]>([:])
    private let turns: AsyncStream<PeerKey>
    private let turn: AsyncStream<PeerKey>.Continuation

    /// Creates turns in which nothing is done until ``run(atOnce:pause:_:)``.
    init() {
        (turns, turn) = AsyncStream.makeStream()
    }

    /// The number of waiting pieces of work of a watch.
    func count(of watch: PeerKey) -> Int { waiting.withLock { $0[watch]?.count ?? 0 } }

    /// Adds work of a watch; returns at once.
    ///
    /// - Parameters:
    ///   - work: The work.
    ///   - watch: The watch.
    ///   - countMax: If more waits then, the watch's oldest work is dropped; nil for no limit.
    func put(_ work: Work, of watch: PeerKey, dropping countMax: Int? = nil) {
        let needsTurn = waiting.withLock { waiting in
            let isFirst = waiting[watch] == nil
            waiting[watch, default: []].append(work)
            if let countMax, waiting[watch, default: []].count > countMax { waiting[watch]?.removeFirst() }
            return isFirst
        }
        if needsTurn { turn.yield(watch) }
    }

    /// Does one piece of work after the other, alternating between the watches, until the task is cancelled; may be
    /// called once.
    ///
    /// - Parameters:
    ///   - count: How many watches may have their turn at the same time.
    ///   - pause: Waits; an error ends all turns of the watch.
    ///   - work: Does a piece of work of a watch.
    func run(
        atOnce count: Int = 1,
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        _ work: @escaping @Sendable (PeerKey, Work) async -> Outcome
    ) async {
        let (places, place) = AsyncStream<Void>.makeStream()
        for _ in 0..<count { place.yield() }
        await withDiscardingTaskGroup { group in
            var free = places.makeAsyncIterator()
            for await watch in turns {
                guard let next = next(of: watch) else { continue }
                guard await free.next() != nil else { break }
                group.addTask { [self] in
                    let outcome = await work(watch, next)
                    place.yield()
                    var wait: Duration?
                    switch outcome {
                    case .done(let time): wait = time
                    case .again(let time):
                        wait = time
                        waiting.withLock { $0[watch]?.insert(next, at: 0) }
                    }
                    // Only the end of the task ends a pause early.
                    if let wait, (try? await pause(wait)) == nil { return }
                    turn.yield(watch)
                }
            }
            group.cancelAll()
        }
    }

    /// The oldest work of a watch; nil if there is none, so that the next one starts another turn.
    private func next(of watch: PeerKey) -> Work? {
        waiting.withLock { waiting in
            if waiting[watch]?.isEmpty ?? true {
                waiting[watch] = nil
                return nil
            }
            return waiting[watch]?.removeFirst()
        }
    }
}
