public import SyncCore

/// Why a store failed to do what was asked.
///
/// Nothing of it was done, except as ``diskFailed(path:reason:)`` says.
@nonexhaustive
public enum StoreError: Error, Equatable, Sendable {
    /// The disk or the user's quota is full.
    case full(path: String)
    /// The file permissions or a read-only file system prevent writing.
    case notWritable(path: String)
    /// Another program holds a lock on the file.
    case locked(path: String)
    /// The contents are not what was written; `finding` says where the damage was found.
    case damaged(path: String, finding: String)
    /// A newer version of the program wrote the file; `steps` lists the migrations that this version does not know.
    case newerSchema(path: String, steps: [String])
    /// The transaction does not follow the stored version.
    case unexpectedVersion(path: String, stored: Version, expected: Version)
    /// The file to be created already exists.
    case exists(path: String)
    /// The disk failed, so it is unknown whether the last write took effect. The store determines this at its next use.
    case diskFailed(path: String, reason: String)
    /// SQLite or the system failed in another way.
    case failed(path: String, reason: String)
}

extension StoreError: CustomStringConvertible {
    /// What went wrong, with which file, and what to do about it.
    public var description: String {
        switch self {
        case .full(let path):
            "the disk has no room for \(path): free some, then try again"
        case .notWritable(let path):
            "\(path) cannot be written: give this user the permission, or put the state folder on a disk that can be "
                + "written"
        case .locked(let path):
            "\(path) is locked by another program: close that one, then try again"
        case .damaged(let path, let finding):
            "\(path) is damaged (\(finding)); nothing was changed: restore a copy of it, or move it away to start over"
        case .newerSchema(let path, let steps):
            "\(path) was written by a newer version of this program (\(steps.joined(separator: ", "))): "
                + "use that version, or restore a copy that this one wrote"
        case .unexpectedVersion(let path, let stored, let expected):
            "\(path) holds revision \(stored.revision), but the transaction continues revision \(expected.revision) of "
                + (stored.epoch == expected.epoch ? "that history" : "another history") + ": restart this program"
        case .exists(let path):
            "\(path) exists already: choose another name, or move it away"
        case .diskFailed(let path, let reason):
            "the disk failed under \(path) (\(reason)): look at the system's log, then try again"
        case .failed(let path, let reason):
            "\(path) could not be used: \(reason)"
        }
    }
}
