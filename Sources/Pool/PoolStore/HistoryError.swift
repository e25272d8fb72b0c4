/// Why an operation on the history failed; no part of it was carried out.
@nonexhaustive
public enum HistoryError: Error, Equatable, Sendable {
    /// The disk, or the user's quota on it, is full.
    case full(path: String)
    /// The permissions, or a read-only disk, forbid it.
    case notWritable(path: String)
    /// Another program keeps the file locked.
    case locked(path: String)
    /// The contents differ from what was written: `finding` says where.
    case damaged(path: String, finding: String)
    /// A newer version of the program wrote the file; `steps` lists the steps that this version does not know.
    case newerSchema(path: String, steps: [String])
    /// A file with this name exists, and may not be replaced.
    case exists(path: String)
    /// SQLite or the system failed in another way.
    case failed(path: String, reason: String)
}

extension HistoryError: CustomStringConvertible {
    /// The error and the file, and what to do about it.
    public var description: String {
        switch self {
        case .full(let path):
            "the disk has no room for \(path): free some, then try again"
        case .notWritable(let path):
            "\(path) cannot be written: give this user the permission, or put it on a disk that can be written"
        case .locked(let path):
            "\(path) is locked by another program: close that one, then try again"
        case .damaged(let path, let finding):
            "\(path) is damaged (\(finding)); nothing was changed: restore a copy of it, or move it away to start over"
        case .newerSchema(let path, let steps):
            "\(path) was written by a newer version of this program (\(steps.joined(separator: ", "))): "
                + "use that version, or restore a copy that this one wrote"
        case .exists(let path):
            "\(path) is there already: choose another name, or say that it may be replaced"
        case .failed(let path, let reason):
            "\(path) could not be used: \(reason)"
        }
    }
}
