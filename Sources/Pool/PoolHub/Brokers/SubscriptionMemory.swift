import Logging
import Platform
import PoolModel

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Remembers in a file what was subscribed to at each broker.
///
/// The brokers keep the hub's sessions while it is away, with the subscriptions of devices that are removed meanwhile;
/// only who remembers them can end them.
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
                // What it said is lost: messages that nobody wants any more are dropped one by one.
                logger.info("subscriptions not remembered", metadata: ["error": "\(error)"])
            }
        }
        filters = Lock(known)
    }

    /// What was subscribed to at a broker in its present session, as far as is known.
    func filters(of server: ServerID) -> Set<String> { filters.withLock { $0["\(server)"] ?? [] } }

    /// Notes what is subscribed to from now on; before it is, so that nothing is forgotten by a crash.
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
