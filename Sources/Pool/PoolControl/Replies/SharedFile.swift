package import PoolModel

/// A file that is shared with a watch, and what has become of it.
package struct SharedFile: Codable, Hashable, Sendable {
    /// What has become of a file.
    package enum Outcome: Codable, Hashable, Sendable {
        /// The watch holds it, verified and on its disk.
        case arrived
        /// It did not get there, for this reason; nothing is tried again.
        case failed(String)
    }

    /// The transfer: 32 hexadecimal digits.
    package var id: String
    /// The watch's name.
    package var watch: String
    /// The watch's package key: 64 hexadecimal digits.
    package var watchKey: String
    /// The name that the watch is told.
    package var name: String
    /// Its bytes.
    package var byteCount: UInt64
    /// When a person shared it.
    package var sharedAt: Timestamp
    /// How many of its bytes the watch has since the hub started; nil if nothing was said of it.
    package var sentByteCount: UInt64?
    /// What has become of it, nil while it waits or is under way.
    package var outcome: Outcome?
    /// When it came to its end.
    package var endedAt: Timestamp?

    /// What has become of it, in words.
    package var progress: String {
        switch outcome {
        case .arrived: return "arrived"
        case .failed(let reason): return "failed: \(reason)"
        case nil:
            guard let sentByteCount, byteCount > 0, sentByteCount > 0 else { return "waits" }
            return "\(min(99, sentByteCount * 100 / byteCount)) % sent"
        }
    }

    /// Creates a shared file.
    package init(
        id: String, watch: String, watchKey: String, name: String, byteCount: UInt64, sharedAt: Timestamp,
        sentByteCount: UInt64? = nil, outcome: Outcome? = nil, endedAt: Timestamp? = nil
    ) {
        self.id = id
        self.watch = watch
        self.watchKey = watchKey
        self.name = name
        self.byteCount = byteCount
        self.sharedAt = sharedAt
        self.sentByteCount = sentByteCount
        self.outcome = outcome
        self.endedAt = endedAt
    }
}
