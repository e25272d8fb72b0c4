/// Why a file could not be copied, read, written or completed.
@nonexhaustive
public enum FileStoreError: Error, Equatable, Sendable {
    /// The file does not exist.
    case missing(path: String)
    /// The path is a folder, a device or something else that is not a plain file.
    case notAPlainFile(path: String)
    /// The file has this many bytes, more than the limit.
    case tooLarge(path: String, byteCount: UInt64, byteCountMax: UInt64)
    /// The disk has too little room: how much is needed, and how much is available to files.
    case noRoom(path: String, byteCount: UInt64, freeByteCount: UInt64)
    /// The received bytes are not those that were offered.
    case damaged(path: String)
    /// The name is not a single path component.
    case badName(String)
    /// A file of this name exists and must not be replaced.
    case exists(path: String)
    /// The path exists and is not a plain file, so it is not replaced.
    case notReplaceable(path: String)
    /// The folder of a file contains files of another program, so it is not removed.
    case notAlone(path: String, others: [String])
    /// A folder or file operation failed in another way, for example because the disk is full.
    case folder(FolderError)
}

extension FileStoreError: CustomStringConvertible {
    /// What went wrong, with which file, and what to do about it.
    public var description: String {
        switch self {
        case .missing(let path):
            "\(path) does not exist: name a file that does"
        case .notAPlainFile(let path):
            "\(path) is not a regular file: put a folder's contents into an archive, and send that"
        case .tooLarge(let path, let byteCount, let byteCountMax):
            "\(path) has \(byteCount) bytes; at most \(byteCountMax) can be sent: split it"
        case .noRoom(let path, let byteCount, let freeByteCount):
            "\(path) needs \(byteCount) bytes and \(freeByteCount) are free: make room, then have it sent again"
        case .damaged(let path):
            "\(path) is not what was sent: have it sent again"
        case .badName(let name):
            "\(name) cannot be the name of a file: use 1 to 255 bytes without a slash"
        case .exists(let path):
            "\(path) exists already: choose another name, or have it replaced"
        case .notReplaceable(let path):
            "\(path) is not a regular file, and only a regular file is replaced: choose another name"
        case .notAlone(let path, let others):
            "\(path) holds files that did not come with it, \(others.joined(separator: ", ")): move them away, then remove "
                + "it"
        case .folder(let error):
            "\(error)"
        }
    }
}

/// Runs a folder operation and converts its error.
func filing<Result: ~Copyable>(_ work: () throws(FolderError) -> Result) throws(FileStoreError) -> Result {
    do throws(FolderError) {
        return try work()
    } catch {
        throw .folder(error)
    }
}
