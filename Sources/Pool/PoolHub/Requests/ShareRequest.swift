public import PoolModel

/// What a command asks about files that are shared with watches (P88).
public enum ShareRequest: Codable, Sendable {
    /// Send a file of this machine to a watch; needs a hub that runs.
    case send(ShareDraft)
    /// List the files that wait, are under way, or have come to an end lately.
    case list
    /// Give up a file that waits or is under way, by the start of its id; needs a hub that runs.
    case cancel(String)
}

/// A file that a person wants on a watch.
public struct ShareDraft: Codable, Sendable {
    /// The watch, by its name or the start of its key.
    public var watch: String
    /// The file, by its absolute path; it is copied at once.
    public var path: String
    /// The name that the watch is told; nil for the file's own.
    public var name: String?
    /// What the file is, if it is an export.
    public var export: ExportMetadata?

    /// Creates a draft.
    public init(watch: String, path: String, name: String? = nil, export: ExportMetadata? = nil) {
        self.watch = watch
        self.path = path
        self.name = name
        self.export = export
    }
}

/// A file that is shared with a watch, and what has become of it.
public struct SharedFile: Codable, Hashable, Sendable {
    /// What has become of a file.
    public enum Outcome: Codable, Hashable, Sendable {
        /// The watch holds it, verified and on its disk.
        case arrived
        /// It did not get there, for this reason; nothing is tried again.
        case failed(String)
    }

    /// The transfer: 32 hexadecimal digits.
    public var id: String
    /// The watch's name.
    public var watch: String
    /// The watch's public key: 64 hexadecimal digits.
    public var watchKey: String
    /// The name that the watch is told.
    public var name: String
    /// Its bytes.
    public var byteCount: UInt64
    /// When a person shared it.
    public var sharedAt: Timestamp
    /// How many of its bytes the watch has in this life of the hub; nil if nothing was said of it.
    public var sentByteCount: UInt64?
    /// What has become of it, nil while it waits or is under way.
    public var outcome: Outcome?
    /// When it came to its end.
    public var endedAt: Timestamp?

    /// What has become of it, in words.
    public var progress: String {
        switch outcome {
        case .arrived: return "arrived"
        case .failed(let reason): return "failed: \(reason)"
        case nil:
            guard let sentByteCount, byteCount > 0, sentByteCount > 0 else { return "waits" }
            return "\(min(99, sentByteCount * 100 / byteCount)) % sent"
        }
    }
}
