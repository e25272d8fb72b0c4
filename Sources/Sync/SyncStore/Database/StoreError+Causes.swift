internal import GRDB
internal import SyncCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// Contents that are not what was written, found while reading them.
struct Damage: Error, CustomStringConvertible {
    var finding: String

    var description: String { finding }
}

extension StoreError {
    /// The error that a failure of SQLite, of the system or of a check means for a file.
    init(_ error: any Error, path: String) {
        switch error {
        case let error as StoreError: self = error
        case let error as FolderError: self.init(error, path: path)
        case let damage as Damage: self = .damaged(path: path, finding: damage.finding)
        case let error as CodecError: self = .damaged(path: path, finding: error.description)
        case is JSONFault, is FrameFault: self = .damaged(path: path, finding: "\(error)")
        case let error as DatabaseError: self.init(error, path: path)
        default: self = .failed(path: path, reason: "\(error)")
        }
    }

    private init(_ error: FolderError, path: String) {
        switch error {
        case .full: self = .full(path: path)
        case .notWritable: self = .notWritable(path: path)
        case .parentMissing, .notAFolder, .foreignOwner, .notPrivate, .inUse, .secretExposed, .secretUnfit, .failed:
            self = .failed(path: path, reason: "\(error)")
        }
    }

    /// Source: sqlite.org/rescode.html.
    private init(_ error: DatabaseError, path: String) {
        // Neither the statement nor its arguments: they may hold secrets.
        let reason = "\(error.message ?? "no message") (SQLite \(error.extendedResultCode.rawValue))"
        switch error.resultCode {
        case .SQLITE_FULL:
            self = .full(path: path)
        // Also on a full disk: what failed may be the last step of a write that stands complete in the journal.
        case .SQLITE_IOERR:
            self = .diskFailed(path: path, reason: reason)
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN, .SQLITE_AUTH:
            self = .notWritable(path: path)
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self = .locked(path: path)
        // A statement that SQLite does not accept: the statements are fixed, so the tables are not what they were.
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR:
            self = .damaged(path: path, finding: reason)
        default:
            self = .failed(path: path, reason: reason)
        }
    }
}

extension StoreError {
    /// The same failure as a person is to hear it, once nothing depends on it any more: a disk that fails because it is
    /// full is a full disk.
    ///
    /// SQLite calls a full disk an input/output error where it is not the main file that could not grow.
    var told: StoreError {
        guard case .diskFailed(let path, _) = self, isDiskFull(at: path) else { return self }
        return .full(path: path)
    }
}

/// Whether the disk that holds a file has no room for another page.
private func isDiskFull(at path: String) -> Bool {
    var status = statvfs()
    guard unsafe statvfs(path, &status) == 0 else { return false }
    return UInt64(status.f_bavail) * UInt64(status.f_frsize) < 65_536
}
