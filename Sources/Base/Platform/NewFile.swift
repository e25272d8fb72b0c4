internal import Synchronization
package import SystemPackage

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

// Under another name, because a method here is named like the function of the system.
private let systemRename = unsafe rename

/// Why a new file did not get its name; under the name there is what was there before.
package enum NewFileError: Error, Equatable {
    /// A file of this name exists, and is not to be replaced.
    case exists(path: String)
    /// The name belongs to a folder, a device, a link or a pipe, which is never replaced.
    case notPlain(path: String)
    /// A call to the system failed.
    case failed(function: String, path: String, Errno)
}

extension NewFileError: SystemCallError {
    package init(_ function: String, _ path: String, _ number: Errno) {
        self = .failed(function: function, path: path, number)
    }
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
        case .failed(_, let path, let number): "cannot write \(path): \(number)"
        }
    }
}

/// A file for this user only that gets its name when it is complete and on the disk: under the name there is the
/// previous file, or nothing, or the complete new file.
///
/// It is written under a temporary name in the same folder, which no other program uses. A temporary file of a killed process
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
    private let file: OpenFile<NewFileError>
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
        file = try OpenFile.create(temporaryPath, named: path)
    }

    deinit {
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
        let source = try OpenFile<NewFileError>(path: other, flags: O_RDONLY)
        var offset: UInt64 = 0
        while true {
            let chunk = try source.read(at: offset, byteCount: Self.bufferByteCount)
            guard !chunk.isEmpty else { return }
            try write { $0 += chunk }
            offset += UInt64(chunk.count)
        }
    }

    /// Waits until everything is on the disk, and gives the file its name.
    package func finish() throws(NewFileError) {
        try finish { unsafe link($0, $1) == 0 ? 0 : errno }
    }

    /// Finishes the file with another way to give a file a second name, which returns an error number or 0.
    package func finish(link: (String, String) -> Int32) throws(NewFileError) {
        try flush()
        try file.sync()
        if replaces {
            try Self.checkName(path, replaces: true)
            try NewFileError.perform("rename", on: path) { unsafe systemRename(temporaryPath, path) }
        } else {
            try takeName(link)
        }
        try OpenFile<NewFileError>.settle(nameOf: path, named: path)
    }

    // MARK: - Names

    /// Renames a file in the same folder, replacing an existing one, and waits until that is on the disk.
    package static func rename(_ old: String, to path: String) throws(NewFileError) {
        try NewFileError.perform("rename", on: path) { unsafe systemRename(old, path) }
        try OpenFile<NewFileError>.settle(nameOf: path, named: path)
    }

    /// Checks that there is nothing of this name, or a plain file that may be replaced.
    private static func checkName(_ path: String, replaces: Bool) throws(NewFileError) {
        var status = stat()
        // A link that leads nowhere has the name, too.
        guard unsafe lstat(path, &status) == 0 else { return }
        guard replaces else { throw .exists(path: path) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notPlain(path: path) }
    }

    /// Gives the file its name only if the name is free, even if it was taken a moment ago.
    private func takeName(_ link: (String, String) -> Int32) throws(NewFileError) {
        switch link(temporaryPath, path) {
        case 0: break
        case EEXIST: throw .exists(path: path)
        // A file system without hard links, as on many memory sticks: checking before renaming is the only way.
        case EPERM, ENOTSUP, ENOSYS, EMLINK:
            try Self.checkName(path, replaces: false)
            try NewFileError.perform("rename", on: path) { unsafe systemRename(temporaryPath, path) }
        case let number: throw .failed(function: "link", path: path, Errno(rawValue: number))
        }
    }

    /// Removes the temporary files of processes that no longer run.
    private static func removeLeftovers(of path: String) {
        let prefix = String(Self.prefix(path).split(separator: "/").last ?? "")
        let folder = FileSystem.folder(above: path)
        for name in FileSystem.names(in: folder) ?? [] {
            guard name.hasPrefix(prefix), name.hasSuffix(".partial"),
                let processID = Int32(name.dropFirst(prefix.count).prefix { $0 != "-" }),
                kill(processID, 0) < 0, errno == ESRCH
            else { continue }
            _ = unsafe unlink(folder + "/" + name)
        }
    }

    private static func prefix(_ path: String) -> String {
        let name = path.split(separator: "/").last.map { String($0.unicodeScalars.prefix(nameLengthMax)) } ?? path
        return FileSystem.folder(above: path) + "/.\(name)."
    }

    // MARK: - Bytes

    private func flush() throws(NewFileError) {
        try file.write(buffer, at: UInt64(byteCount))
        byteCount += buffer.count
        buffer.removeAll(keepingCapacity: true)
    }
}
