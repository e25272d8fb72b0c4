/// Why a file could not be kept, read, written or finished.
@nonexhaustive
public enum FileStoreError: Error, Equatable, Sendable {
    /// There is no such file.
    case missing(path: String)
    /// It is a folder, a device or another thing that is no plain file.
    case notAPlainFile(path: String)
    /// The file has this many bytes, more than the limit.
    case tooLarge(path: String, byteCount: UInt64, byteCountMax: UInt64)
    /// The disk lacks the room: so much is needed, and so much is free for files.
    case noRoom(path: String, byteCount: UInt64, freeByteCount: UInt64)
    /// The bytes are not those that were offered.
    case damaged(path: String)
    /// The name is no single component of a path.
    case badName(String)
    /// A file of this name is there, and was not to be replaced.
    case exists(path: String)
    /// What has this name is no plain file, and only such a one is replaced.
    case notReplaceable(path: String)
    /// Files that somebody else put into the folder of a file; it is not removed with them in it.
    case notAlone(path: String, others: [String])
    /// The folder or the file failed in another way, a full disk among them.
    case folder(FolderError)
}

extension FileStoreError: CustomStringConvertible {
    /// What is wrong, with which file, and the way out.
    public var description: String {
        switch self {
        case .missing(let path):
            "\(path) does not exist: name a file that does"
        case .notAPlainFile(let path):
            "\(path) is no plain file: put a folder's contents into an archive, and send that"
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
            "\(path) is no plain file, and only such a one is replaced: choose another name"
        case .notAlone(let path, let others):
            "\(path) holds files that did not come with it, \(others.joined(separator: ", ")): move them away, then remove "
                + "it"
        case .folder(let error):
            "\(error)"
        }
    }
}

/// Does what may fail in a folder, for a caller whose failures are those of files.
func filing<Result: ~Copyable>(_ work: () throws(FolderError) -> Result) throws(FileStoreError) -> Result {
    do throws(FolderError) {
        return try work()
    } catch {
        throw .folder(error)
    }
}
