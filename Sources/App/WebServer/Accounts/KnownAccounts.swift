import Platform
import Text

/// The accounts of recent requests, so that the file is not read for each request.
///
/// An entry counts until anything about the accounts changes: at once if this process changes it, and with the next
/// ``AccountFile/look()`` if another one does.
final class KnownAccounts: Sendable {
    /// An account as it was read.
    struct Entry: Sendable {
        var account: Account
        /// When it was used last, in milliseconds, as far as that is in the file or noted.
        var lastUsed: Int64
    }

    private struct Known {
        var generation: UInt64 = 0
        var entries: [String: Entry] = [:]
    }

    /// The most entries; beyond it all are forgotten.
    private static let countMax = 1024

    private let known = Lock(Known())

    /// The account with the hash of a secret; nil if it is not known, or has ended.
    func entry(of hash: String, in generation: UInt64, at now: Timestamp) -> Entry? {
        known.withLock { known in
            guard known.generation == generation, let entry = known.entries[hash] else { return nil }
            return entry.account.expires.map { $0 > now } ?? true ? entry : nil
        }
    }

    /// Keeps an account.
    ///
    /// - Parameters:
    ///   - entry: The account.
    ///   - hash: The hash of its secret.
    ///   - generation: The ``AccountFile/generation`` before it was read.
    func keep(_ entry: Entry, of hash: String, in generation: UInt64) {
        known.withLock { known in
            if known.generation < generation || known.entries.count >= Self.countMax {
                known = Known(generation: max(known.generation, generation))
            }
            // What was read before the last change may be wrong.
            if known.generation == generation { known.entries[hash] = entry }
        }
    }
}
