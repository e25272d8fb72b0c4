package import PoolModel

/// A file that is shared with a watch, and the state of its transfer.
package struct SharedFile: Codable, Hashable, Sendable {
    /// The result of a transfer.
    package enum Outcome: Codable, Hashable, Sendable {
        /// The watch has verified and stored the file.
        case arrived
        /// The transfer failed for this reason and is not retried.
        case failed(String)
    }

    /// The id of the transfer: 32 hexadecimal digits.
    package var id: String
    /// The watch's name.
    package var watch: String
    /// The watch's public key: 64 hexadecimal digits.
    package var watchKey: String
    /// The name that the watch shows.
    package var name: String
    /// The size in bytes.
    package var byteCount: UInt64
    /// When the user shared it.
    package var sharedAt: Timestamp
    /// The number of bytes that the watch has, as reported since the hub started; nil if nothing was reported.
    package var sentByteCount: UInt64?
    /// The result; nil while the file is queued or being sent.
    package var outcome: Outcome?
    /// When the transfer ended.
    package var endedAt: Timestamp?

    /// The state of the transfer in words.
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
