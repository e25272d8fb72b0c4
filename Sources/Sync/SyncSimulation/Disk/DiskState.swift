import SyncCore

/// What a disk does with a request.
package enum DiskState: Hashable, Sendable {
    case works
    /// There is no room for files; the short records still fit.
    case full
    /// Nothing can be written.
    case fails

    /// Why a file cannot be stored, nil if it can.
    var fileFailure: FileFailure? {
        switch self {
        case .works: nil
        case .full: FileFailure(.full, "the disk is full")
        case .fails: FileFailure(.failed, "the disk fails")
        }
    }
}

/// What a disk does with a record.
package struct DiskWrite {
    /// When the work on it ends; if that is now, the record is durable before the engine continues.
    var done: Instant
    /// Whether it fails then.
    var fails = false
    /// Whether it takes unusually long.
    var isSlow = false
}
