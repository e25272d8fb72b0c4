internal import Platform
internal import SystemPackage

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// Calls a function of the system that returns a negative number when it fails, again if a signal interrupted it.
@discardableResult
func perform<Result: BinaryInteger>(
    _ function: StaticString, on path: String, _ call: () -> Result
) throws(FolderError) -> Result {
    while true {
        let result = call()
        if result >= 0 { return result }
        guard Errno.last == .interrupted else { throw FolderError("\(function)", path, .last) }
    }
}

extension FolderError {
    /// The error that an error number of the system means.
    init(_ function: String, _ path: String, _ number: Errno) {
        if number.isForbidden {
            self = .notWritable(path: path)
        } else if number.isOutOfRoom {
            self = .full(path: path)
        } else {
            self = .failed(function: function, path: path, number: number.rawValue)
        }
    }
}

/// The system's words for an error number.
func words(of number: Int32) -> String {
    // The C library returns a constant, or the thread's own buffer, which is copied at once.
    unsafe strerror(number).map { unsafe String(cString: $0) } ?? "unknown error"
}

/// An open file of the system; it is closed when its owner goes.
struct OpenFile: ~Copyable {
    let descriptor: Int32
    let path: String

    /// What the system says about an open file.
    struct Facts {
        var isFolder: Bool
        var isPlainFile: Bool
        var userID: UInt32
        var permissions: UInt32
        var byteCount: Int
    }

    /// Opens a file by its path; the child processes of this one do not inherit it.
    init(path: String, flags: Int32) throws(FolderError) {
        descriptor = try perform("open", on: path) { unsafe open(path, flags | O_CLOEXEC, 0o600) }
        self.path = path
    }

    /// Opens a file of a folder by its name, never through a symbolic link.
    init(name: String, in folder: borrowing OpenFile, flags: Int32) throws(FolderError) {
        let path = folder.path(of: name)
        let folder = folder.descriptor
        descriptor = try perform("openat", on: path) {
            unsafe openat(folder, name, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
        }
        self.path = path
    }

    /// Creates a file that is for this user only, whatever mask the process has.
    static func create(_ path: String) throws(FolderError) -> OpenFile {
        let file = try OpenFile(path: path, flags: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW)
        try file.setPermissions(0o600)
        return file
    }

    deinit {
        _ = close(descriptor)
    }

    /// The path of a file in this folder.
    func path(of name: String) -> String { path.hasSuffix("/") ? path + name : path + "/" + name }

    /// What the system says about the file.
    func facts() throws(FolderError) -> Facts {
        var status = stat()
        try perform("fstat", on: path) { unsafe fstat(descriptor, &status) }
        let kind = status.st_mode & S_IFMT
        return Facts(
            isFolder: kind == S_IFDIR, isPlainFile: kind == S_IFREG, userID: UInt32(status.st_uid),
            permissions: UInt32(status.st_mode & 0o7777), byteCount: Int(status.st_size))
    }

    /// Sets the permissions, whatever mask the process has.
    func setPermissions(_ mode: UInt32) throws(FolderError) {
        try perform("fchmod", on: path) { fchmod(descriptor, mode_t(mode)) }
    }

    /// Takes the exclusive lock of the file; false if somebody else has it.
    ///
    /// The lock belongs to this open file and goes with it, at the latest when the process dies.
    func tryLock() throws(FolderError) -> Bool {
        while flock(descriptor, LOCK_EX | LOCK_NB) < 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK: return false
            default: throw FolderError("flock", path, .last)
            }
        }
        return true
    }

    /// Gives the lock back, even while a child process that was just forked still has a copy of the open file.
    func unlock() {
        _ = flock(descriptor, LOCK_UN)
    }

    /// The first bytes of the file, at most `byteCountMax`.
    func read(byteCountMax: Int) throws(FolderError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: byteCountMax)
        var count = 0
        while count < byteCountMax {
            // The buffer has room for what is asked, and the call does not keep it.
            let part = try perform("pread", on: path) {
                unsafe bytes.withUnsafeMutableBytes { buffer in
                    let rest = unsafe buffer.baseAddress.map { unsafe $0 + count }
                    return unsafe pread(descriptor, rest, byteCountMax - count, off_t(count))
                }
            }
            if part == 0 { break }
            count += part
        }
        return Array(bytes.prefix(count))
    }

    /// Replaces the contents of the file.
    func write(_ bytes: [UInt8]) throws(FolderError) {
        try perform("ftruncate", on: path) { ftruncate(descriptor, 0) }
        var count = 0
        while count < bytes.count {
            // The buffer holds what is written, and the call does not keep it.
            count += try perform("pwrite", on: path) {
                unsafe bytes.withUnsafeBytes { buffer in
                    let rest = unsafe buffer.baseAddress.map { unsafe $0 + count }
                    return unsafe pwrite(descriptor, rest, bytes.count - count, off_t(count))
                }
            }
        }
    }

    /// Waits until the file, or the names in the folder, are on the disk.
    func sync() throws(FolderError) {
        try perform("fsync", on: path) { fsync(descriptor) }
    }
}
