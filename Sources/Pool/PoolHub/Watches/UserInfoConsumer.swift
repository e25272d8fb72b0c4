import Logging
import Platform
import PoolModel
import PoolStore
import SyncCore

/// Consumes the user info of watches, which contains doses that people log there.
///
/// Each item is stored before it is consumed, so a hub that ends in between receives it again, and stores it once. User
/// info that is not a dose is consumed, too; otherwise it would fill the inbox of the watch.
final class UserInfoConsumer: Sendable {
    private struct Item: Sendable {
        var id: RandomID
        var payload: [UInt8]
    }

    private let logger: Logger
    private let now: @Sendable () -> Instant
    /// The inboxes limit the number: each item is reported once, and its room is free again when it is consumed.
    private let items = WatchTurns<Item>()
    private let paces = Lock<[PeerKey: UserInfoPace]>([:])

    /// Creates a consumer that consumes nothing until ``run(_:consume:onProblem:onWait:pause:)``.
    init(logger: Logger, now: @escaping @Sendable () -> Instant = { Moment.now.monotonic }) {
        self.logger = logger
        self.now = now
    }

    /// Handles an event of the transfers with a watch; called on the link's thread, returns at once.
    func take(_ event: TransferEvent, from watch: PeerKey) {
        guard case .exchange(.itemReceived(let item)) = event else { return }
        items.put(Item(id: item.id, payload: item.payload), of: watch)
    }

    /// Stores and consumes items, those of each watch in their order, until the task is cancelled; may be called once.
    ///
    /// - Parameters:
    ///   - doses: Stores doses.
    ///   - consume: Reports to the engine that an item of a watch was consumed.
    ///   - onProblem: Called with each problem of a watch's user info: it was refused, or cannot be stored.
    ///   - onWait: Called when the user info of a watch has to wait, because it sends more than is taken at a time.
    ///   - pause: Waits before the next item of a watch.
    func run(
        _ doses: DoseReceiver, consume: @escaping @Sendable (PeerKey, RandomID) -> Void,
        onProblem: @escaping @Sendable (PeerKey, String) -> Void,
        onWait: @escaping @Sendable (PeerKey) -> Void = { _ in },
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) async {
        await items.run(pause: pause) { [self] watch, item in
            do {
                switch try await doses.receive(item.payload, from: watch) {
                case .stored, .known: break
                case .refused(let reason):
                    onProblem(watch, reason)
                    logger.debug(
                        "user info of a watch was refused",
                        metadata: ["items.watch": "\(watch.hexadecimal.prefix(8))", "items.reason": "\(reason)"])
                }
            } catch {
                // A hub that ends needs no notice; the item comes again at the next start.
                if !Task.isCancelled { onProblem(watch, "a dose cannot be stored and is tried again: \(error)") }
                return .again(pause: .seconds(30))
            }
            consume(watch, item.id)
            let wait = paces.withLock { paces in
                paces[watch, default: UserInfoPace(now: now())].pauseBehindOne(now: now())
            }
            if wait != nil, items.count(of: watch) > 0 { onWait(watch) }
            return .done(pause: wait)
        }
    }
}
