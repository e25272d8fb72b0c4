internal import Logging
internal import SyncCore
internal import SyncTransport

/// Moves received notices to the store of a watch: user info is consumed when its content is durable there.
struct NoticeCollector: Sendable {
    let transport: WatchTransport
    let reducer: WatchReducer
    let store: NoticeStore
    let logger: Logger

    /// Runs until the task is cancelled; may be called once.
    func run() async {
        for await item in reducer.items {
            do {
                if try store.take(item) { reducer.handle(.stored) }
                transport.tell(.exchange(.consumed(item.id)))
            } catch {
                // The item is delivered again at the next start.
                logger.info("a notice could not be stored", metadata: ["store.reason": "\(error)"])
            }
        }
    }
}
