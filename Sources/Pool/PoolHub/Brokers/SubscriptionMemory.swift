import Logging
import Platform
import PoolModel

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Stores the subscriptions at each broker in a file.
///
/// A broker keeps the hub's session while the hub does not run, including the subscriptions of devices that are removed
/// in the meantime. To unsubscribe, the hub must remember them.
final class SubscriptionMemory: Sendable {
    private let path: String
    private let logger: Logger
    private let filters: Lock<[String: Set<String>]>

    init(path: String, logger: Logger) {
        self.path = path
        self.logger = logger
        var known: [String: Set<String>] = [:]
        if let bytes = FileManager.default.contents(atPath: path) {
            do {
                known = try CanonicalJSON.decode([String: Set<String>].self, from: Array(bytes))
            } catch {
                // The subscriptions stay at the brokers, and their messages are dropped one by one.
                logger.info("subscriptions not remembered", metadata: ["error": "\(error)"])
            }
        }
        filters = Lock(known)
    }

    /// The known subscriptions in the current session at a broker.
    func filters(of server: ServerID) -> Set<String> { filters.withLock { $0["\(server)"] ?? [] } }

    /// Stores the subscriptions; called before subscribing, so that a crash loses none.
    func note(_ new: Set<String>, of server: ServerID) {
        filters.withLock { filters in
            guard filters["\(server)"] ?? [] != new else { return }
            filters["\(server)"] = new.isEmpty ? nil : new
            do {
                try NewFile.write(CanonicalJSON.encode(filters), to: path)
            } catch {
                logger.info("subscriptions not remembered", metadata: ["error": "\(error)"])
            }
        }
    }
}
