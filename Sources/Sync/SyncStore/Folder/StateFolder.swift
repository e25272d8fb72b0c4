internal import Platform

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// The folder in which one process keeps its durable state.
///
/// Only one holder can have it open at a time.
///
/// The folder has the mode 0700. The lock is a `flock(2)` on the file `lock` in it. It is released when this object is
/// destroyed or the process ends in any way, and child processes do not inherit it. Every store in the folder keeps a
/// reference to this object.
///
/// The methods can be called on any thread.
public final class StateFolder: Sendable {
    /// The maximum size of a secret in bytes.
    public static let secretByteCountMax = 65_536

    /// The path of the folder, as given to the initialiser.
    public let path: String
    let folder: OpenFile
    let writing = Lock<Void>(())
    let lock: OpenFile

    private static let lockName = "lock"

    /// Opens and locks a folder.
    ///
    /// Creates it if its parent folder exists.
    ///
    /// If other users have access to an existing folder, the access is removed, but only if the folder is empty or has
    /// been a state folder before. So a wrong path does not change the permissions of an unrelated folder.
    ///
    /// - Parameter path: The folder.
    /// - Throws: ``FolderError``; nothing was written in that case, except that an empty folder may have been created.
    public init(path: String) throws(FolderError) {
        self.path = path
        try Self.create(path)
        folder = try Self.open(path)
        try Self.makePrivate(folder)
        let lock = try OpenFile(name: Self.lockName, in: folder, flags: O_RDWR | O_CREAT)
        guard try lock.tryLock() else {
            // Thrown before the last property is set; otherwise `deinit` would run and erase the holder's process id.
            throw .inUse(path: path, processID: Self.holder(lock))
        }
        self.lock = lock
        Self.note(String(getpid()), in: self.lock)
    }

    deinit {
        // A process id that stayed would name a process that no longer holds the folder.
        Self.note("", in: lock)
        lock.unlock()
    }

    /// The path of a file in the folder.
    public func path(of name: String) -> String { folder.path(of: name) }

    // MARK: - Opening

    static func create(_ path: String) throws(FolderError) {
        do throws(FolderError) {
            try FolderError.perform("mkdir", on: path) { unsafe mkdir(path, 0o700) }
        } catch {
            // The parent may be read-only while the folder exists and can be used.
            if case .notWritable = error, FileSystem.isThere(path) { return }
            guard case .failed(_, _, let number) = error else { throw error }
            switch number {
            case EEXIST: return
            case ENOENT, ENOTDIR: throw .parentMissing(path: path)
            default: throw error
            }
        }
        // The folder holds acknowledged data, so its own name must be durable too.
        try settle(nameOf: path)
    }

    static func open(_ path: String) throws(FolderError) -> OpenFile {
        do throws(FolderError) {
            return try OpenFile(path: path, flags: O_RDONLY | O_DIRECTORY)
        } catch {
            if case .failed(_, _, ENOTDIR) = error { throw .notAFolder(path: path) }
            throw error
        }
    }

    private static func makePrivate(_ folder: borrowing OpenFile) throws(FolderError) {
        let facts = try folder.facts()
        guard facts.userID == geteuid() else { throw .foreignOwner(path: folder.path, userID: facts.userID) }
        guard facts.permissions != 0o700 else { return }
        if facts.permissions & 0o077 != 0 {
            guard isOurs(folder.path) else { throw .notPrivate(path: folder.path, mode: facts.permissions) }
            try folder.setPermissions(0o700)
        }
    }

    /// Whether a folder is empty or has been a state folder before.
    private static func isOurs(_ path: String) -> Bool {
        // If the folder cannot be listed, its permissions are left alone.
        guard let names = FileSystem.names(in: path) else { return false }
        return names.isEmpty || names.contains(lockName)
    }

    // MARK: - Process id of the holder

    /// The id of the process that holds the lock, as it noted it.
    private static func holder(_ lock: borrowing OpenFile) -> Int32? {
        do throws(FolderError) {
            let digits = try lock.read(at: 0, byteCount: 16).prefix { $0 != UInt8(ascii: "\n") }
            return Int32(String(decoding: digits, as: UTF8.self))
        } catch {
            // The caller reports that the folder is in use, also without a process id.
            return nil
        }
    }

    private static func note(_ holder: String, in lock: borrowing OpenFile) {
        do throws(FolderError) {
            try lock.truncate(to: 0)
            try lock.write(Array((holder.isEmpty ? "" : holder + "\n").utf8))
        } catch {
            // The process id is only used in an error message; the lock works without it, for example on a full disk.
        }
    }
}
