import Foundation
import Glibc
import SyncCore
import SyncStore

/// The app's own files that are to be copied for a transfer, each as a second name of it in the device's folder.
///
///     originals/⟨id⟩
///
/// A name is made within the app's call and takes no time however large the file is: the app may remove or replace its
/// file as soon as the call has returned, and the process may be killed, and still there is what it queued (rule R124).
/// What is written into the same file later is seen, so a small file is not held: it is copied within the call.
struct OriginalFiles: Sendable {
    /// A file with more bytes is held, if it can be; a smaller one is copied sooner than it can be changed.
    static let heldByteCountMin: UInt64 = 1_048_576

    private let path: String

    /// Opens the folder, or creates it.
    ///
    /// - Throws: `FolderError`.
    init(path: String) throws {
        self.path = path
        try StateFolder.prepare(path)
    }

    /// Gives a large file its second name, durably.
    ///
    /// - Returns: Whether it has one. A small file has none, and no file that lies in another file system, or that the
    ///   system lets nobody but its owner link: these are to be copied within the call.
    func hold(_ id: RandomID, path original: String) -> Bool {
        guard let stamp = FileStamp(original), stamp.byteCount >= Self.heldByteCountMin else { return false }
        let name = name(of: id)
        // The strings are used during the call only. A symbolic link is followed, as it is when a file is opened.
        guard unsafe linkat(AT_FDCWD, original, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 else { return false }
        guard isDurable() else {
            letGo(id)
            return false
        }
        return true
    }

    /// Where a held file is, nil if this one is not held.
    func path(of id: RandomID) -> String? {
        let name = name(of: id)
        return FileStamp(name) == nil ? nil : name
    }

    /// Removes the second name of a file; what cannot be removed goes at the next start.
    func letGo(_ id: RandomID) {
        // The string is used during the call only.
        _ = unsafe unlink(name(of: id))
    }

    /// Removes all names but those of files that are to be copied yet: for the start, before anything else.
    func removeAbandoned(keeping ids: Set<RandomID>) {
        let wanted = Set(ids.map(\.hexadecimal))
        // A folder that cannot be listed keeps its names until the next start.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        for name in names where !wanted.contains(name) {
            // Nothing depends on it: the next start tries again.
            try? FileManager.default.removeItem(atPath: path + "/" + name)
        }
    }

    /// The name that a file of this path is sent under.
    static func name(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? "" }

    private func name(of id: RandomID) -> String { path + "/" + id.hexadecimal }

    /// Waits until the names are on the disk.
    private func isDurable() -> Bool {
        // The string is used during the call only.
        let folder = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return false }
        defer { close(folder) }
        return fsync(folder) == 0
    }
}

/// What changes when somebody writes into a file.
struct FileStamp: Hashable {
    /// Its size.
    let byteCount: UInt64
    /// When its content changed last.
    private let modified: Date

    /// Looks at a file, or at the one that a symbolic link leads to, or nil.
    ///
    /// Foundation reads the time: the fields of `timespec` cannot be named in a release build here, since the compiler
    /// takes them for a part of a module that nobody can import.
    init?(_ path: String) {
        let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: file),
            let byteCount = attributes[.size] as? NSNumber, let modified = attributes[.modificationDate] as? Date
        else { return nil }
        (self.byteCount, self.modified) = (byteCount.uint64Value, modified)
    }
}
