/// Why a state folder, or a secret in it, cannot be used.
@nonexhaustive
public enum FolderError: Error, Equatable, Sendable {
    /// The folder does not exist, and neither does the folder that it should be created in.
    case parentMissing(path: String)
    /// Something else than a folder has that name.
    case notAFolder(path: String)
    /// The folder or the file belongs to another user.
    case foreignOwner(path: String, userID: UInt32)
    /// Other users may look into the folder, and it holds files that are not ours.
    case notPrivate(path: String, mode: UInt32)
    /// The permissions, or a disk that can only be read, forbid it.
    case notWritable(path: String)
    /// Another holder has the folder, in this process or in another one; nil if its process id is not known.
    case inUse(path: String, processID: Int32?)
    /// The disk or the user's share of it is full.
    case full(path: String)
    /// Other users may read the secret, so that it may be none any more.
    case secretExposed(path: String, mode: UInt32)
    /// The secret is no plain file, or larger than ``StateFolder/secretByteCountMax``.
    case secretUnfit(path: String)
    /// A call to the system failed in another way.
    case failed(function: String, path: String, number: Int32)
}

extension FolderError: CustomStringConvertible {
    /// What is wrong, with which file, and the way out.
    public var description: String {
        switch self {
        case .parentMissing(let path):
            "\(path) cannot be created, because the folder above it does not exist: create that one, or choose another"
        case .notAFolder(let path):
            "\(path) is no folder: move it away, or choose another path"
        case .foreignOwner(let path, let userID):
            "\(path) belongs to the user with the number \(userID): run as that user, or choose another folder"
        case .notPrivate(let path, let mode):
            "\(path) is open to other users (mode \(octal(mode))) and holds other files: "
                + "choose an empty or a new folder, or close this one with `chmod 700`"
        case .notWritable(let path):
            "\(path) cannot be written: give this user the permission, or choose a folder on a disk that can be written"
        case .inUse(let path, let processID?):
            "\(path) is in use by process \(processID): stop that one, or choose another folder"
        case .inUse(let path, nil):
            "\(path) is in use by another process: stop that one, or choose another folder"
        case .full(let path):
            "the disk has no room for \(path): free some, then try again"
        case .secretExposed(let path, let mode):
            "\(path) is a secret that other users may read (mode \(octal(mode))): "
                + "close it with `chmod 600`, and replace the secret if somebody may have seen it"
        case .secretUnfit(let path):
            "\(path) is no plain file of at most \(StateFolder.secretByteCountMax) bytes: remove it"
        case .failed(let function, let path, let number):
            "\(function) failed on \(path): \(words(of: number))"
        }
    }

    private func octal(_ mode: UInt32) -> String { String(mode, radix: 8) }
}
