package import SystemPackage

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

// Under another name, because a method here is named like the function of the system.
private let systemRename = unsafe renameat

/// An error that can say which function of the system failed on which file.
package protocol SystemCallError: Error {
    init(_ function: String, _ path: String, _ number: Errno)
}

extension SystemCallError {
    /// Calls a function of the system that returns a negative number when it fails, again if a signal interrupted it.
    ///
    /// - Parameters:
    ///   - function: The name of the function.
    ///   - path: The file, for the error.
    ///   - isExpected: Whether to return the negative number for this error instead of throwing.
    ///   - call: Calls it.
    /// - Returns: What it returned.
    /// - Throws: The error, with the error number.
    @discardableResult
    package static func perform<Result: BinaryInteger>(
        _ function: StaticString, on path: String, unless isExpected: (Errno) -> Bool = { _ in false },
        _ call: () -> Result
    ) throws(Self) -> Result {
        while true {
            let result = call()
            if result >= 0 { return result }
            let number = Errno.last
            if isExpected(number) { return result }
            guard number == .interrupted else { throw Self("\(function)", path, number) }
        }
    }
}

/// What can be asked of the file system without opening a file.
package enum FileSystem {
    /// Whether there is a file, a folder or anything else at a path.
    package static func isThere(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    /// The folder of a path.
    package static func folder(above path: String) -> String {
        let end = path.utf8.lastIndex { $0 != UInt8(ascii: "/") }
        let name = end.map { path[...$0] } ?? "/"
        guard let slash = name.lastIndex(of: "/") else { return "." }
        return slash == name.startIndex ? "/" : String(name[..<slash])
    }

    /// The names in a folder, in no order; nil if it cannot be listed.
    package static func names(in folder: String) -> [String]? {
        guard let listing = unsafe opendir(folder) else { return nil }
        defer { _ = unsafe closedir(listing) }
        var names: [String] = []
        while let entry = unsafe readdir(listing) {
            // The system ends the name with a zero byte within the entry.
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}

/// An open file or folder of the system; it is closed when its owner goes.
package struct OpenFile<Failure: SystemCallError>: ~Copyable, Sendable {
    /// The path, for errors.
    package let path: String
    package let descriptor: Int32

    /// What the system says about an open file.
    package struct Facts {
        package var isFolder: Bool
        package var isPlainFile: Bool
        package var userID: UInt32
        package var permissions: UInt32
        package var byteCount: Int
    }

    /// Opens a file by its path; child processes of this one do not inherit it.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - flags: The flags of `open(2)`; a created file is for this user only.
    ///   - name: The path that errors name, if it is another one.
    /// - Throws: The error of the system.
    package init(path: String, flags: Int32, named name: String? = nil) throws(Failure) {
        self.path = name ?? path
        descriptor = try Failure.perform("open", on: self.path) { unsafe open(path, flags | O_CLOEXEC, 0o600) }
    }

    /// Opens a file of a folder by its name, never through a symbolic link.
    package init(name: String, in folder: borrowing OpenFile, flags: Int32) throws(Failure) {
        path = folder.path(of: name)
        let folder = folder.descriptor
        descriptor = try Failure.perform("openat", on: path) {
            unsafe openat(folder, name, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
        }
    }

    /// Creates a file that is for this user only, whatever mask the process has.
    ///
    /// - Parameters:
    ///   - path: The path, at which there must not be anything.
    ///   - name: The path that errors name, if it is another one.
    /// - Returns: The file, open for reading and writing.
    /// - Throws: The error of the system.
    package static func create(_ path: String, named name: String? = nil) throws(Failure) -> OpenFile {
        let file = try OpenFile(path: path, flags: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, named: name)
        try file.setPermissions(0o600)
        return file
    }

    deinit {
        _ = close(descriptor)
    }

    /// What the system says about the file.
    package func facts() throws(Failure) -> Facts {
        var status = stat()
        try call("fstat") { unsafe fstat(descriptor, &status) }
        let kind = status.st_mode & S_IFMT
        return Facts(
            isFolder: kind == S_IFDIR, isPlainFile: kind == S_IFREG, userID: UInt32(status.st_uid),
            permissions: UInt32(status.st_mode & 0o7777), byteCount: Int(status.st_size))
    }

    /// Sets the permissions, whatever mask the process has.
    package func setPermissions(_ mode: UInt32) throws(Failure) {
        try call("fchmod") { fchmod(descriptor, mode_t(mode)) }
    }

    /// Takes the exclusive lock of the file; false if another open file has it.
    ///
    /// The lock belongs to this open file and ends with it, at the latest when the process dies.
    package func tryLock() throws(Failure) -> Bool {
        let result: Int32 = try Failure.perform("flock", on: path, unless: { $0 == .wouldBlock }) {
            flock(descriptor, LOCK_EX | LOCK_NB)
        }
        return result >= 0
    }

    /// Releases the lock, even while a child process that was just forked still has a copy of the open file.
    package func unlock() {
        _ = flock(descriptor, LOCK_UN)
    }

    // MARK: - Bytes

    /// The bytes from an offset on, at most `byteCount`; fewer at the end of the file.
    package func read(at offset: UInt64, byteCount: Int) throws(Failure) -> [UInt8] {
        var failure: Failure?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
            do throws(Failure) {
                while count < byteCount {
                    // The buffer has room for the requested bytes, and the call does not keep the pointer.
                    let part = try call("pread") {
                        let rest = unsafe buffer.baseAddress.map { unsafe $0 + count }
                        return unsafe pread(descriptor, rest, byteCount - count, off_t(offset) + off_t(count))
                    }
                    if part == 0 { break }
                    count += part
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Writes bytes at an offset.
    package func write(_ bytes: [UInt8], at offset: UInt64 = 0) throws(Failure) {
        var count = 0
        while count < bytes.count {
            // The buffer holds the bytes to write, and the call does not keep the pointer.
            count += try call("pwrite") {
                unsafe bytes.withUnsafeBytes { buffer in
                    let rest = unsafe buffer.baseAddress.map { unsafe $0 + count }
                    return unsafe pwrite(descriptor, rest, bytes.count - count, off_t(offset) + off_t(count))
                }
            }
        }
    }

    /// Truncates the file to a size, or extends it with zeros.
    package func truncate(to byteCount: UInt64) throws(Failure) {
        try call("ftruncate") { ftruncate(descriptor, off_t(byteCount)) }
    }

    /// Waits until the file, or the names in the folder, are on the disk.
    package func sync() throws(Failure) {
        try call("fsync") { fsync(descriptor) }
    }

    /// The number of bytes that an unprivileged user can still write to the disk of this file.
    package func freeByteCount() throws(Failure) -> UInt64 {
        var facts = statvfs()
        try call("fstatvfs") { unsafe fstatvfs(descriptor, &facts) }
        let (product, overflow) = UInt64(facts.f_bavail).multipliedReportingOverflow(by: UInt64(facts.f_frsize))
        return overflow ? .max : product
    }

    // MARK: - Folders

    /// Waits until the creation, the replacement or the removal of a name is on the disk.
    ///
    /// A user who may write into a folder but not read it cannot wait for it; the name exists nevertheless.
    ///
    /// - Parameters:
    ///   - path: The path that was created, replaced or removed.
    ///   - name: The path that errors name; by default the folder.
    /// - Throws: The error of the system.
    package static func settle(nameOf path: String, named name: String? = nil) throws(Failure) {
        let above = FileSystem.folder(above: path)
        let name = name ?? above
        let opened: Int32 = try Failure.perform("open", on: name, unless: \.isForbidden) {
            unsafe open(above, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        }
        guard opened >= 0 else { return }
        defer { _ = close(opened) }
        try Failure.perform("fsync", on: name, unless: \.isForbidden) { fsync(opened) }
    }

    /// The path of a file in this folder.
    package func path(of name: String) -> String { path.hasSuffix("/") ? path + name : path + "/" + name }

    /// Opens a folder in this folder.
    ///
    /// Creates it if it does not exist.
    package func subfolder(_ name: String) throws(Failure) -> OpenFile {
        try Failure.perform("mkdirat", on: path(of: name), unless: { $0 == .fileExists }) {
            unsafe mkdirat(descriptor, name, 0o700)
        }
        return try OpenFile(name: name, in: self, flags: O_RDONLY | O_DIRECTORY)
    }

    /// Whether this folder contains a file or a folder of a name.
    package func has(_ name: String) throws(Failure) -> Bool {
        let result: Int32 = try Failure.perform(
            "faccessat", on: path(of: name), unless: { $0 == .noSuchFileOrDirectory }
        ) {
            unsafe faccessat(descriptor, name, F_OK, 0)
        }
        return result >= 0
    }

    /// The names in this folder, in no order.
    package func names() throws(Failure) -> [String] {
        guard let names = FileSystem.names(in: path) else { throw Failure("opendir", path, .last) }
        return names
    }

    /// Moves a file of this folder to another folder, and replaces a file that has the new name.
    package func rename(_ name: String, to newName: String, in other: borrowing OpenFile) throws(Failure) {
        let otherDescriptor = other.descriptor
        try Failure.perform("renameat", on: other.path(of: newName)) {
            unsafe systemRename(descriptor, name, otherDescriptor, newName)
        }
    }

    /// Removes a file of this folder; does nothing if it does not exist.
    package func removeFile(_ name: String) throws(Failure) {
        try remove(name, flags: 0)
    }

    /// Removes an empty folder of this folder; does nothing if it does not exist.
    package func removeFolder(_ name: String) throws(Failure) {
        try remove(name, flags: AT_REMOVEDIR)
    }

    private func remove(_ name: String, flags: Int32) throws(Failure) {
        try Failure.perform("unlinkat", on: path(of: name), unless: { $0 == .noSuchFileOrDirectory }) {
            unsafe unlinkat(descriptor, name, flags)
        }
    }

    @discardableResult
    private func call<Result: BinaryInteger>(
        _ function: StaticString, _ body: () -> Result
    ) throws(Failure) -> Result {
        try Failure.perform(function, on: path, body)
    }
}

extension Errno {
    /// Whether the permissions, or a disk that can only be read, forbid what was tried.
    package var isForbidden: Bool { [.permissionDenied, .notPermitted, .readOnlyFileSystem].contains(self) }

    /// Whether the disk, or the user's share of it, has no room.
    package var isOutOfRoom: Bool { [.noSpace, .diskQuotaExceeded, .fileTooLarge].contains(self) }
}
