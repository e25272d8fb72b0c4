internal import FoundationEssentials
internal import Platform

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// The folder in which one process keeps what must outlive it; nobody else has it at the same time.
///
/// The folder has the mode 0700. The lock is a `flock(2)` on the file `lock` in it: it ends with this object and with
/// the process, however that dies, and child processes do not inherit it. Every store in the folder keeps the object.
///
/// Its functions may be called on any thread.
public final class StateFolder: Sendable {
    /// The most bytes of a secret.
    public static let secretByteCountMax = 65_536

    /// The path of the folder, as it was given.
    public let path: String
    let folder: OpenFile
    let writing = Lock<Void>(())
    let lock: OpenFile

    private static let lockName = "lock"

    /// Opens a folder, or creates it in a folder that exists, and holds it.
    ///
    /// An existing folder that other users may look into is closed to them, but only if it is empty or was used
    /// before; so a wrong path does not change the permissions of somebody's folder.
    ///
    /// - Parameter path: The folder.
    /// - Throws: ``FolderError``; nothing was written then, except that an empty folder may have been created.
    public init(path: String) throws(FolderError) {
        self.path = path
        try Self.create(path)
        folder = try Self.open(path)
        try Self.makePrivate(folder)
        let lock = try OpenFile(name: Self.lockName, in: folder, flags: O_RDWR | O_CREAT)
        guard try lock.tryLock() else {
            // Before the last property is set: `deinit` would run, and take the holder's number away.
            throw .inUse(path: path, processID: Self.holder(lock))
        }
        self.lock = lock
        Self.note(String(getpid()), in: self.lock)
    }

    deinit {
        // A number that stayed would name a process that no longer holds the folder.
        Self.note("", in: lock)
        lock.unlock()
    }

    /// The path of a file in the folder.
    public func path(of name: String) -> String { folder.path(of: name) }

    // MARK: - Opening

    static func create(_ path: String) throws(FolderError) {
        do throws(FolderError) {
            try perform("mkdir", on: path) { unsafe mkdir(path, 0o700) }
        } catch {
            // An existing folder in one that cannot be written may still be fit.
            if case .notWritable = error, exists(path) { return }
            guard case .failed(_, _, let number) = error else { throw error }
            switch number {
            case EEXIST: return
            case ENOENT, ENOTDIR: throw .parentMissing(path: path)
            default: throw error
            }
        }
        // What will be acknowledged lies in it, so its own name must not be lost.
        try settle(nameOf: path)
    }

    private static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

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

    /// Whether a folder is empty or was a state folder before.
    private static func isOurs(_ path: String) -> Bool {
        do {
            let names = try FileManager.default.contentsOfDirectory(atPath: path)
            return names.isEmpty || names.contains(lockName)
        } catch {
            // What cannot be listed is nothing to change the permissions of.
            return false
        }
    }

    // MARK: - The holder

    /// The process that says that it holds the lock.
    private static func holder(_ lock: borrowing OpenFile) -> Int32? {
        do throws(FolderError) {
            let digits = try lock.read(byteCountMax: 16).prefix { $0 != UInt8(ascii: "\n") }
            return Int32(String(decoding: digits, as: UTF8.self))
        } catch {
            // The refusal matters more than the name.
            return nil
        }
    }

    private static func note(_ holder: String, in lock: borrowing OpenFile) {
        do throws(FolderError) {
            try lock.write(Array((holder.isEmpty ? "" : holder + "\n").utf8))
        } catch {
            // The number only serves the words of a refusal; on a full disk the lock holds without it.
        }
    }
}
