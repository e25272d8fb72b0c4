import Logging
import SyncCore

/// Consumes user info of watches without using it; otherwise it would fill the inbox of the watch.
final class UserInfoConsumer: Sendable {
    private let logger: Logger
    private let items: AsyncStream<(PeerKey, RandomID)>
    private let arriving: AsyncStream<(PeerKey, RandomID)>.Continuation

    /// Creates a consumer that consumes nothing until ``run(consume:)``.
    init(logger: Logger) {
        self.logger = logger
        // The inboxes limit the number: each item is reported once, and its room is free again when it is consumed.
        (items, arriving) = AsyncStream.makeStream()
    }

    /// Handles an event of the transfers with a watch; called on the link's thread, returns at once.
    func take(_ event: TransferEvent, from watch: PeerKey) {
        guard case .exchange(.itemReceived(let item)) = event else { return }
        arriving.yield((watch, item.id))
    }

    /// Consumes items until the task is cancelled; may be called once.
    ///
    /// - Parameter consume: Reports to the engine that an item of a watch was consumed.
    func run(consume: @escaping @Sendable (PeerKey, RandomID) -> Void) async {
        var logged: Set<PeerKey> = []
        for await (watch, item) in items {
            consume(watch, item)
            // One line for each watch, so that a watch cannot fill the log.
            guard logged.insert(watch).inserted else { continue }
            logger.debug(
                "a watch sends user info, which this hub does not use",
                metadata: ["items.watch": "\(watch.hexadecimal.prefix(8))"])
        }
    }
}
