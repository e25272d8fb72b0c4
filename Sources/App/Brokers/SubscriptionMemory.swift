package import Logging
import Platform
import Text

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Stores the subscriptions at each broker in a file.
///
/// A broker keeps a client's session while the client does not run, including the subscriptions that it does not want any
/// more when it comes back. To unsubscribe, it must remember them.
package final class SubscriptionMemory: Sendable {
    private let path: String
    private let logger: Logger
    private let filters: Lock<[String: Set<String>]>

    /// Reads the file; one that cannot be read counts as empty.
    ///
    /// - Parameters:
    ///   - path: The file, which only one process uses at a time.
    ///   - logger: Receives what cannot be read or written.
    package init(path: String, logger: Logger) {
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
    package func filters(of broker: String) -> Set<String> { filters.withLock { $0[broker] ?? [] } }

    /// Stores the subscriptions; called before subscribing, so that a crash loses none.
    package func note(_ new: Set<String>, of broker: String) {
        filters.withLock { filters in
            guard filters[broker] ?? [] != new else { return }
            filters[broker] = new.isEmpty ? nil : new
            do {
                try NewFile.write(CanonicalJSON.encode(filters), to: path)
            } catch {
                logger.info("subscriptions not remembered", metadata: ["error": "\(error)"])
            }
        }
    }
}
