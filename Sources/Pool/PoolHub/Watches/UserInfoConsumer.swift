import Logging
import PoolModel
import PoolStore
import SyncCore

/// Consumes the user info of watches, which contains doses that people log there.
///
/// Each item is stored before it is consumed, so a hub that ends in between receives it again, and stores it once. User
/// info that is not a dose is consumed, too; otherwise it would fill the inbox of the watch.
final class UserInfoConsumer: Sendable {
    private struct Item: Sendable {
        var watch: PeerKey
        var id: RandomID
        var payload: [UInt8]
    }

    private let logger: Logger
    private let items: AsyncStream<Item>
    private let arriving: AsyncStream<Item>.Continuation

    /// Creates a consumer that consumes nothing until ``run(_:consume:onProblem:pause:)``.
    init(logger: Logger) {
        self.logger = logger
        // The inboxes limit the number: each item is reported once, and its room is free again when it is consumed.
        (items, arriving) = AsyncStream.makeStream()
    }

    /// Handles an event of the transfers with a watch; called on the link's thread, returns at once.
    func take(_ event: TransferEvent, from watch: PeerKey) {
        guard case .exchange(.itemReceived(let item)) = event else { return }
        arriving.yield(Item(watch: watch, id: item.id, payload: item.payload))
    }

    /// Stores and consumes items, in their order, until the task is cancelled; may be called once.
    ///
    /// - Parameters:
    ///   - doses: Stores doses.
    ///   - consume: Reports to the engine that an item of a watch was consumed.
    ///   - onProblem: Called with each problem of a watch's user info: it was refused, or cannot be stored.
    ///   - pause: Waits before the next try to store an item.
    func run(
        _ doses: DoseReceiver, consume: @escaping @Sendable (PeerKey, RandomID) -> Void,
        onProblem: @escaping @Sendable (PeerKey, String) -> Void,
        pause: @escaping @Sendable () async throws -> Void = { try await Task.sleep(for: .seconds(30)) }
    ) async {
        for await item in items {
            while true {
                do {
                    switch try await doses.receive(item.payload, from: item.watch) {
                    case .stored, .known: break
                    case .refused(let reason):
                        onProblem(item.watch, reason)
                        logger.debug(
                            "user info of a watch was refused",
                            metadata: [
                                "items.watch": "\(item.watch.hexadecimal.prefix(8))", "items.reason": "\(reason)",
                            ])
                    }
                    break
                } catch {
                    // A hub that ends needs no notice.
                    guard !Task.isCancelled else { return }
                    onProblem(item.watch, "a dose cannot be stored and is tried again: \(error)")
                    // Only cancellation ends the pause early; the item comes again at the next start.
                    guard (try? await pause()) != nil else { return }
                }
            }
            consume(item.watch, item.id)
        }
    }
}
