internal import Platform
package import SystemPackage

/// Why a state folder or a secret in it cannot be used.
@nonexhaustive
public enum FolderError: Error, Equatable, Sendable {
    /// Neither the folder nor its parent folder exists.
    case parentMissing(path: String)
    /// The path is not a folder.
    case notAFolder(path: String)
    /// The folder or the file belongs to another user.
    case foreignOwner(path: String, userID: UInt32)
    /// Other users have access to the folder, and it contains files of another program.
    case notPrivate(path: String, mode: UInt32)
    /// The file permissions or a read-only file system prevent writing.
    case notWritable(path: String)
    /// The folder is already open, in this process or in another one. The process id is nil if it is not known.
    case inUse(path: String, processID: Int32?)
    /// The disk or the user's quota is full.
    case full(path: String)
    /// Other users can read the secret, so it may no longer be one.
    case secretExposed(path: String, mode: UInt32)
    /// The secret is not a plain file, or is larger than ``StateFolder/secretByteCountMax``.
    case secretUnfit(path: String)
    /// A system call failed in another way.
    case failed(function: String, path: String, number: Int32)
}

extension FolderError: SystemCallError {
    /// The error that an error number of the system means.
    package init(_ function: String, _ path: String, _ number: Errno) {
        if number.isForbidden {
            self = .notWritable(path: path)
        } else if number.isOutOfRoom {
            self = .full(path: path)
        } else {
            self = .failed(function: function, path: path, number: number.rawValue)
        }
    }
}

extension FolderError: CustomStringConvertible {
    /// What went wrong, with which file, and what to do about it.
    public var description: String {
        switch self {
        case .parentMissing(let path):
            "\(path) cannot be created, because the folder above it does not exist: create that one, or choose another"
        case .notAFolder(let path):
            "\(path) is not a folder: move it away, or choose another path"
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
                + "close it with `chmod 600`, and replace the secret if someone may have seen it"
        case .secretUnfit(let path):
            "\(path) is not a regular file of at most \(StateFolder.secretByteCountMax) bytes: remove it"
        case .failed(_, let path, let number):
            "\(path) could not be used: \(Errno(rawValue: number))"
        }
    }

    private func octal(_ mode: UInt32) -> String { String(mode, radix: 8) }
}
