package import PoolModel

/// The identity of the transfer of a shared file: 32 hexadecimal digits.
package typealias SharedFileID = HexadecimalID<SharedFile>

/// A file that is shared with a watch, and the state of its transfer.
package struct SharedFile: Identified, Codable, Hashable, Sendable {
    /// The result of a transfer.
    package enum Outcome: Codable, Hashable, Sendable {
        /// The watch has verified and stored the file.
        case arrived
        /// The transfer failed for this reason and is not retried.
        case failed(String)
    }

    /// The identity of the transfer.
    package var id: SharedFileID
    /// The watch's name; the first digits of its identity if the name is unknown.
    package var watch: String
    /// The watch that gets the file, by its public key.
    package var watchID: WatchID
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
    /// When the transfer ended; nil before.
    package var endedAt: Timestamp?

    private enum CodingKeys: String, CodingKey {
        case id, watch, name, byteCount, sharedAt, sentByteCount, outcome, endedAt
        case watchID = "watchKey"
    }

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
        id: SharedFileID, watch: String, watchID: WatchID, name: String, byteCount: UInt64, sharedAt: Timestamp,
        sentByteCount: UInt64? = nil, outcome: Outcome? = nil, endedAt: Timestamp? = nil
    ) {
        self.id = id
        self.watch = watch
        self.watchID = watchID
        self.name = name
        self.byteCount = byteCount
        self.sharedAt = sharedAt
        self.sentByteCount = sentByteCount
        self.outcome = outcome
        self.endedAt = endedAt
    }
}
