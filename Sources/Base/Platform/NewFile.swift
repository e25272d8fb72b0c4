internal import Synchronization
package import SystemPackage

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

/// Why a new file did not get its name; under the name there is what was there before.
package enum NewFileError: Error, Equatable {
    /// A file of this name exists, and is not to be replaced.
    case exists(path: String)
    /// The name belongs to a folder, a device, a link or a pipe, which is never replaced.
    case notPlain(path: String)
    /// A call to the system failed.
    case failed(function: String, path: String, Errno)
}

extension NewFileError: CustomStringConvertible {
    /// What is wrong with which file, and the way out.
    package var description: String {
        switch self {
        case .exists(let path): "\(path) is there already: choose another name"
        case .notPlain(let path):
            "\(path) is not a regular file, and only a regular file is replaced: choose another name"
        case .failed(_, let path, let number) where number.isForbidden:
            "\(path) cannot be written: give this user the permission, or choose a folder on a disk that can be written"
        case .failed(_, let path, let number) where number.isOutOfRoom:
            "the disk has no room for \(path): free some, then try again"
        case .failed(let function, let path, let number): "\(function) failed on \(path): \(number)"
        }
    }
}

/// A file for this user only that gets its name when it is complete and on the disk: under the name there is the
/// previous file, or nothing, or the complete new file.
///
/// It is written under a temporary name in the same folder, which nobody else uses. A temporary file of a killed process
/// is removed with the next file of that name. The file has the mode 0600 from its first moment.
package final class NewFile {
    private static let counter = Atomic<Int>(0)
    private static let bufferByteCount = 1 << 16
    /// The characters of the name that the temporary name has; the system limits its length.
    private static let nameLengthMax = 40

    private let path: String
    private let replaces: Bool
    /// The temporary name.
    package let temporaryPath: String
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    /// The number of bytes that were written to the disk's file.
    package private(set) var byteCount = 0

    /// Creates the temporary file.
    ///
    /// - Parameters:
    ///   - path: The final name, in a folder that exists.
    ///   - replaces: Whether a plain file of this name may be replaced; nothing else ever is.
    /// - Throws: ``NewFileError``.
    package init(_ path: String, replaces: Bool) throws(NewFileError) {
        try Self.checkName(path, replaces: replaces)
        Self.removeLeftovers(of: path)
        let number = Self.counter.add(1, ordering: .relaxed).newValue
        let temporaryPath = Self.prefix(path) + "\(getpid())-\(number).partial"
        self.path = path
        self.replaces = replaces
        self.temporaryPath = temporaryPath
        descriptor = try Self.call("open", path) {
            unsafe open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        }
        // The process's mask may have taken permissions away.
        try Self.call("fchmod", path) { fchmod(descriptor, 0o600) }
    }

    deinit {
        _ = close(descriptor)
        // After a renaming nothing has the temporary name any more.
        _ = unsafe unlink(temporaryPath)
    }

    /// Writes a file in place of the one before; when this returns, it survives a power cut.
    ///
    /// - Parameters:
    ///   - bytes: The contents.
    ///   - path: The file, in a folder that exists.
    /// - Throws: ``NewFileError``; the file before is intact then.
    package static func write(_ bytes: [UInt8], to path: String) throws(NewFileError) {
        let file = try NewFile(path, replaces: true)
        try file.write { $0 += bytes }
        try file.finish()
    }

    /// Appends the bytes that a function writes to a buffer.
    package func write(_ append: (inout [UInt8]) -> Void) throws(NewFileError) {
        append(&buffer)
        if buffer.count >= Self.bufferByteCount { try flush() }
    }

    /// Appends the contents of another file.
    package func append(contentsOf other: String) throws(NewFileError) {
        let source = try Self.call("open", other) { unsafe open(other, O_RDONLY | O_CLOEXEC) }
        defer { _ = close(source) }
        var chunk = [UInt8](repeating: 0, count: Self.bufferByteCount)
        while true {
            // The buffer has room for the requested bytes, and the call does not keep it.
            let count = try Self.call("read", other) {
                unsafe chunk.withUnsafeMutableBytes { unsafe read(source, $0.baseAddress, $0.count) }
            }
            guard count > 0 else { return }
            try write { $0 += chunk.prefix(count) }
        }
    }

    /// Waits until everything is on the disk, and gives the file its name.
    package func finish() throws(NewFileError) {
        try finish { unsafe link($0, $1) == 0 ? 0 : errno }
    }

    /// Finishes the file with another way to give a file a second name, which returns an error number or 0.
    package func finish(link: (String, String) -> Int32) throws(NewFileError) {
        try flush()
        try Self.call("fsync", path) { fsync(descriptor) }
        if replaces {
            try Self.checkName(path, replaces: true)
            try Self.call("rename", path) { unsafe systemRename(temporaryPath, path) }
        } else {
            try takeName(link)
        }
        try Self.syncFolder(of: path)
    }

    // MARK: - Names

    /// Renames a file in the same folder, replacing an existing one, and waits until that is on the disk.
    package static func rename(_ old: String, to path: String) throws(NewFileError) {
        try call("rename", path) { unsafe systemRename(old, path) }
        try syncFolder(of: path)
    }

    /// Checks that nobody has the name, or a plain file that may be replaced.
    private static func checkName(_ path: String, replaces: Bool) throws(NewFileError) {
        var status = stat()
        // A link that leads nowhere has the name, too.
        guard unsafe lstat(path, &status) == 0 else { return }
        guard replaces else { throw .exists(path: path) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notPlain(path: path) }
    }

    private static func syncFolder(of path: String) throws(NewFileError) {
        let folder = folder(of: path)
        do throws(NewFileError) {
            let opened = try call("open", path) { unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
            defer { _ = close(opened) }
            try call("fsync", path) { fsync(opened) }
        } catch .failed(_, _, let number) where number.isForbidden {
            // Who may write into a folder but not look into it cannot wait for it; the name is there all the same.
        }
    }

    /// Gives the file its name only if the name is free, even if it was taken a moment ago.
    private func takeName(_ link: (String, String) -> Int32) throws(NewFileError) {
        switch link(temporaryPath, path) {
        case 0: break
        case EEXIST: throw .exists(path: path)
        // A file system without hard links, as on many memory sticks: checking before renaming is the only way.
        case EPERM, ENOTSUP, ENOSYS, EMLINK:
            try Self.checkName(path, replaces: false)
            try Self.call("rename", path) { unsafe systemRename(temporaryPath, path) }
        case let number: throw .failed(function: "link", path: path, Errno(rawValue: number))
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
        let name = path.split(separator: "/").last.map { String($0.unicodeScalars.prefix(nameLengthMax)) } ?? path
        return folder(of: path) + "/.\(name)."
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    // MARK: - Calls

    private func flush() throws(NewFileError) {
        var start = 0
        while start < buffer.count {
            // The buffer contains the bytes to write, and the call does not keep it.
            start += try Self.call("write", path) {
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
        _ function: StaticString, _ path: String, _ body: () -> Result
    ) throws(NewFileError) -> Result {
        while true {
            let result = body()
            if result >= 0 { return result }
            let number = Errno.last
            guard number == .interrupted else { throw .failed(function: "\(function)", path: path, number) }
        }
    }
}

extension Errno {
    /// Whether the permissions, or a disk that can only be read, forbid what was tried.
    package var isForbidden: Bool { [.permissionDenied, .notPermitted, .readOnlyFileSystem].contains(self) }

    /// Whether the disk, or the user's share of it, has no room.
    package var isOutOfRoom: Bool { [.noSpace, .diskQuotaExceeded, .fileTooLarge].contains(self) }
}
