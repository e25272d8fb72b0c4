public import SyncCore

/// Why a store could not do what was asked; nothing of it was done.
@nonexhaustive
public enum StoreError: Error, Equatable, Sendable {
    /// The disk, or the user's share of it, is full.
    case full(path: String)
    /// The permissions, or a disk that can only be read, forbid it.
    case notWritable(path: String)
    /// Another program keeps the file locked.
    case locked(path: String)
    /// The contents are not what was written: `finding` says where it shows.
    case damaged(path: String, finding: String)
    /// A newer version of the program wrote the file; `steps` names what this one does not know.
    case newerSchema(path: String, steps: [String])
    /// The transaction applies to another version than the stored one.
    case unexpectedVersion(path: String, stored: Version, expected: Version)
    /// Something has the name already under which a file was to be created.
    case exists(path: String)
    /// The disk failed, so that it is not known whether the last write is there; the store decides it at its next use.
    case diskFailed(path: String, reason: String)
    /// SQLite or the system failed in another way.
    case failed(path: String, reason: String)
}

extension StoreError: CustomStringConvertible {
    /// What is wrong, with which file, and the way out.
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
            "\(path) is damaged (\(finding)); nothing was changed: put a copy of it back, or move it away to start anew"
        case .newerSchema(let path, let steps):
            "\(path) was written by a newer version of this program (\(steps.joined(separator: ", "))): "
                + "use that version, or put a copy back that this one wrote"
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
