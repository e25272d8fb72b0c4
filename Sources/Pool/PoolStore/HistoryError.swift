/// Why the history could not do what was asked; nothing of it was done.
@nonexhaustive
public enum HistoryError: Error, Equatable, Sendable {
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
    /// There is a file of this name already, and nobody said that it may be replaced.
    case exists(path: String)
    /// SQLite or the system failed in another way.
    case failed(path: String, reason: String)
}

extension HistoryError: CustomStringConvertible {
    /// What is wrong, with which file, and the way out.
    public var description: String {
        switch self {
        case .full(let path):
            "the disk has no room for \(path): free some, then try again"
        case .notWritable(let path):
            "\(path) cannot be written: give this user the permission, or put it on a disk that can be written"
        case .locked(let path):
            "\(path) is locked by another program: close that one, then try again"
        case .damaged(let path, let finding):
            "\(path) is damaged (\(finding)); nothing was changed: put a copy of it back, or move it away to start anew"
        case .newerSchema(let path, let steps):
            "\(path) was written by a newer version of this program (\(steps.joined(separator: ", "))): "
                + "use that version, or put a copy back that this one wrote"
        case .exists(let path):
            "\(path) is there already: choose another name, or say that it may be replaced"
        case .failed(let path, let reason):
            "\(path) could not be used: \(reason)"
        }
    }
}
