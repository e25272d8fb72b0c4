internal import GRDB
package import Platform
internal import SystemPackage

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Contents that differ from what was written, found while reading them.
struct CorruptionError: Error, CustomStringConvertible {
    var finding: String

    var description: String { finding }
}

extension HistoryError {
    /// The error for a file that results from a failure of SQLite or of a check.
    init(_ error: any Error, path: String) {
        switch error {
        case let error as HistoryError: self = error
        case let damage as CorruptionError: self = .damaged(path: path, finding: damage.finding)
        case let error as DatabaseError: self.init(error, path: path)
        case let error as NewFileError: self.init(error)
        case let error as CocoaError: self.init(error, path: path)
        default: self = .failed(path: path, reason: "\(error)")
        }
    }

    /// The error that an export or a backup without its name means.
    package init(_ error: NewFileError) {
        switch error {
        case .exists(let path): self = .exists(path: path)
        case .notPlain(let path):
            self = .failed(
                path: path, reason: "it is not a regular file, and only a regular file is replaced: choose another name"
            )
        case .failed(_, let path, let number):
            if number.isForbidden {
                self = .notWritable(path: path)
            } else if number.isOutOfRoom {
                self = .full(path: path)
            } else if number == .noSuchFileOrDirectory {
                self = .failed(
                    path: path, reason: "the folder above it does not exist: create that one, or choose another name")
            } else {
                self = .failed(path: path, reason: "\(number)")
            }
        }
    }

    private init(_ error: CocoaError, path: String) {
        switch error.code {
        case .fileWriteOutOfSpace: self = .full(path: path)
        case .fileWriteNoPermission, .fileWriteVolumeReadOnly: self = .notWritable(path: path)
        default: self = .failed(path: path, reason: "the system did not do it (Foundation \(error.code.rawValue))")
        }
    }

    /// Source: sqlite.org/rescode.html.
    private init(_ error: DatabaseError, path: String) {
        // Neither the statement nor its arguments: they may contain secrets.
        let reason = "\(error.message ?? "no message") (SQLite \(error.extendedResultCode.rawValue))"
        switch error.resultCode {
        case .SQLITE_FULL:
            self = .full(path: path)
        case .SQLITE_IOERR where isDiskFull(at: path):
            self = .full(path: path)
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN, .SQLITE_AUTH:
            self = .notWritable(path: path)
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self = .locked(path: path)
        // A statement that SQLite rejects: the statements never change, so the tables must have changed.
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR:
            self = .damaged(path: path, finding: reason)
        default:
            self = .failed(path: path, reason: reason)
        }
    }
}

/// Whether the disk of a file has no room for another page.
///
/// SQLite reports a full disk as an input/output error if a file other than the main one could not grow.
private func isDiskFull(at path: String) -> Bool {
    // A disk that does not even answer has failed for another reason.
    let facts = try? FileManager.default.attributesOfFileSystem(forPath: path)
    guard let free = facts?[.systemFreeSize] as? Int64 else { return false }
    return free < 65_536
}
