internal import GRDB
internal import SyncCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// The contents of a file are not what was written.
struct CorruptionError: Error, CustomStringConvertible {
    var finding: String

    var description: String { finding }
}

extension StoreError {
    /// Converts an error of SQLite, of the system or of a check to the error to report for a file.
    init(_ error: any Error, path: String) {
        switch error {
        case let error as StoreError: self = error
        case let error as FolderError: self.init(error, path: path)
        case let damage as CorruptionError: self = .damaged(path: path, finding: damage.finding)
        case let error as CodecError: self = .damaged(path: path, finding: error.description)
        case is JSONError, is FrameError: self = .damaged(path: path, finding: "\(error)")
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
        // Leaves out the statement and its arguments, because they can contain secrets.
        let reason = "\(error.message ?? "no message") (SQLite \(error.extendedResultCode.rawValue))"
        switch error.resultCode {
        case .SQLITE_FULL:
            self = .full(path: path)
        // Also used for a full disk: the failed step can be the last one of a write that is already complete in the
        // journal.
        case .SQLITE_IOERR:
            self = .diskFailed(path: path, reason: reason)
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN, .SQLITE_AUTH:
            self = .notWritable(path: path)
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self = .locked(path: path)
        // SQLite rejects a statement. The statements are fixed, so the tables must have changed.
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR:
            self = .damaged(path: path, finding: reason)
        default:
            self = .failed(path: path, reason: reason)
        }
    }
}

extension StoreError {
    /// The error to report to the user once no decision depends on it: an I/O error on a full disk becomes
    /// ``full(path:)``.
    ///
    /// SQLite reports a full disk as an I/O error when a file other than the main one could not grow.
    var reported: StoreError {
        guard case .diskFailed(let path, _) = self, isDiskFull(at: path) else { return self }
        return .full(path: path)
    }
}

/// Whether the disk of a file has less room than SQLite's largest page.
private func isDiskFull(at path: String) -> Bool {
    var status = statvfs()
    guard unsafe statvfs(path, &status) == 0 else { return false }
    return UInt64(status.f_bavail) * UInt64(status.f_frsize) < 65_536
}
