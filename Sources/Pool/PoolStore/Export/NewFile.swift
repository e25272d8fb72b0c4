internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

// Under different names, because methods here are named like the functions of the system.
private let systemRename = unsafe rename
private let systemWrite = unsafe write

/// A file that gets its name only when it is complete and on the disk: under the name there is the previous file, or
/// nothing, or the complete new file.
///
/// It is written under a temporary name in the same folder. A temporary file of a killed process is removed with the
/// next file of that name.
package final class NewFile {
    private static let counter = Atomic<Int>(0)
    private static let bufferByteCount = 1 << 16

    private let path: String
    private let replaces: Bool
    /// The temporary name.
    let temporaryPath: String
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private(set) var byteCount = 0
    private var isNamed = false

    /// Creates the temporary file.
    ///
    /// - Parameters:
    ///   - path: The final name.
    ///   - replaces: Whether an existing file may be replaced.
    /// - Throws: ``HistoryError`` if the file cannot be created, or a file with the name exists.
    package init(_ path: String, replaces: Bool) throws(HistoryError) {
        self.path = path
        self.replaces = replaces
        if !replaces, unsafe access(path, F_OK) == 0 { throw .exists(path: path) }
        if replaces, Self.isSomethingElse(path) {
            throw .failed(
                path: path, reason: "it is no plain file, and only such a one is replaced: choose another name")
        }
        let number = Self.counter.add(1, ordering: .relaxed).newValue
        temporaryPath = Self.prefix(path) + "\(getpid())-\(number).partial"
        Self.removeLeftovers(of: path)
        let temporaryPath = temporaryPath
        descriptor = try Self.call(path) {
            unsafe open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        }
    }

    deinit {
        _ = close(descriptor)
        if !isNamed { _ = unsafe unlink(temporaryPath) }
    }

    /// Appends the bytes that a function writes to a buffer.
    package func write(_ append: (inout [UInt8]) -> Void) throws(HistoryError) {
        append(&buffer)
        if buffer.count >= Self.bufferByteCount { try flush() }
    }

    /// Appends the contents of another file.
    func append(contentsOf other: String) throws(HistoryError) {
        let source = try Self.call(other) { unsafe open(other, O_RDONLY | O_CLOEXEC) }
        defer { _ = close(source) }
        var chunk = [UInt8](repeating: 0, count: Self.bufferByteCount)
        while true {
            // The buffer has room for the requested bytes, and the call does not keep it.
            let count = try Self.call(other) {
                unsafe chunk.withUnsafeMutableBytes { unsafe read(source, $0.baseAddress, $0.count) }
            }
            guard count > 0 else { return }
            try write { $0 += chunk.prefix(count) }
        }
    }

    /// Waits until everything is on the disk, and gives the file its name.
    package func finish() throws(HistoryError) {
        try flush()
        try Self.call(path) { fsync(descriptor) }
        if replaces {
            try Self.call(path) { unsafe systemRename(temporaryPath, path) }
        } else {
            try takeName()
        }
        isNamed = true
        try Self.syncFolder(of: path)
    }

    // MARK: - Names

    /// Renames a file in the same folder, replacing an existing one, and waits until that is on the disk.
    static func rename(_ old: String, to path: String) throws(HistoryError) {
        try call(path) { unsafe systemRename(old, path) }
        try syncFolder(of: path)
    }

    /// Whether the name belongs to a device, a folder, a link or a pipe, which other programs would lose if it were
    /// replaced.
    private static func isSomethingElse(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    }

    private static func syncFolder(of path: String) throws(HistoryError) {
        let folder = folder(of: path)
        let opened = try call(path) { unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        defer { _ = close(opened) }
        try call(path) { fsync(opened) }
    }

    /// Gives the file its name only if the name is free, even if it was taken a moment ago.
    private func takeName() throws(HistoryError) {
        let result = unsafe link(temporaryPath, path)
        if result == 0 {
            _ = unsafe unlink(temporaryPath)
            return
        }
        switch errno {
        case EEXIST: throw .exists(path: path)
        // A file system without hard links, as on many memory sticks: checking before renaming is the only way.
        case EPERM, ENOTSUP, ENOSYS, EMLINK:
            guard unsafe access(path, F_OK) != 0 else { throw .exists(path: path) }
            try Self.call(path) { unsafe systemRename(temporaryPath, path) }
        default: throw Self.failure(path, errno)
        }
    }

    /// Removes the temporary files of processes that no longer run.
    private static func removeLeftovers(of path: String) {
        let prefix = String(Self.prefix(path).split(separator: "/").last ?? "")
        let folder = folder(of: path)
        guard let listing = unsafe opendir(folder) else { return }
        defer { _ = unsafe closedir(listing) }
        while let entry = unsafe readdir(listing) {
            // The system ends the name with a zero byte within the entry.
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            guard name.hasPrefix(prefix), name.hasSuffix(".partial"),
                let processID = Int32(name.dropFirst(prefix.count).prefix { $0 != "-" }),
                kill(processID, 0) < 0, errno == ESRCH
            else { continue }
            _ = unsafe unlink(folder + "/" + name)
        }
    }

    private static func prefix(_ path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return folder(of: path) + "/.\(name)."
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    // MARK: - Calls

    private func flush() throws(HistoryError) {
        var start = 0
        while start < buffer.count {
            // The buffer contains the bytes to write, and the call does not keep it.
            start += try Self.call(path) {
                unsafe buffer.withUnsafeBytes { bytes in
                    let rest = unsafe bytes.baseAddress.map { unsafe $0 + start }
                    return unsafe systemWrite(descriptor, rest, bytes.count - start)
                }
            }
        }
        byteCount += buffer.count
        buffer.removeAll(keepingCapacity: true)
    }

    @discardableResult
    private static func call<Result: BinaryInteger>(
        _ path: String, _ function: () -> Result
    ) throws(HistoryError) -> Result {
        while true {
            let result = function()
            if result >= 0 { return result }
            guard errno == EINTR else { throw failure(path, errno) }
        }
    }

    private static func failure(_ path: String, _ number: Int32) -> HistoryError {
        switch number {
        case EACCES, EPERM, EROFS: return .notWritable(path: path)
        case ENOSPC, EDQUOT, EFBIG: return .full(path: path)
        default:
            // The C library returns a constant, or the thread's own buffer, which is copied at once.
            let words = unsafe strerror(number).map { unsafe String(cString: $0) } ?? "unknown error"
            return .failed(path: path, reason: words)
        }
    }
}
