import Logging
import SyncCore

/// Lets user info of watches go: this hub has no use for it, and what nobody consumes fills a watch's inbox forever.
final class UserInfoConsumer: Sendable {
    private let logger: Logger
    private let items: AsyncStream<(PeerKey, RandomID)>
    private let arriving: AsyncStream<(PeerKey, RandomID)>.Continuation

    /// Creates a desk that lets nothing go until ``run(consume:)``.
    init(logger: Logger) {
        self.logger = logger
        // Bounded by the inboxes, which tell each item once in a life and have room again when it is consumed.
        (items, arriving) = AsyncStream.makeStream()
    }

    /// Takes an event of the transfers with a watch; on the link's thread, and returns at once.
    func take(_ event: TransferEvent, from watch: PeerKey) {
        guard case .exchange(.itemReceived(let item)) = event else { return }
        arriving.yield((watch, item.id))
    }

    /// Consumes items until the task is cancelled; once in a desk's life.
    ///
    /// - Parameter consume: Tells the engine that an item of a watch was consumed.
    func run(consume: @escaping @Sendable (PeerKey, RandomID) -> Void) async {
        var told: Set<PeerKey> = []
        for await (watch, item) in items {
            consume(watch, item)
            // A line for each of them would let a watch fill the log.
            guard told.insert(watch).inserted else { continue }
            logger.debug(
                "a watch sends user info, which this hub does not use",
                metadata: ["items.watch": "\(watch.hexadecimal.prefix(8))"])
        }
    }
}
