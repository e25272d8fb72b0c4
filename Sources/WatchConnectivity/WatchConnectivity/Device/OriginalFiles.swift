#if Processes
    import Foundation
    import SyncCore
    import SyncStore

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #else
        import Darwin
    #endif

    /// The app's own files that have to be copied for a transfer; each one gets a hard link in the device's folder.
    ///
    ///     originals/⟨id⟩
    ///
    /// The link is made within the app's call and takes no time, however large the file is. So the app may remove or
    /// replace its file as soon as the call has returned, and a queued file survives the end of the process. Later writes
    /// to the same file do change the linked one, so a small file is not linked but copied within the call.
    struct OriginalFiles: Sendable {
        /// A file of at least this size is linked if possible; a smaller one is copied within the call.
        static let heldByteCountMin: UInt64 = 1_048_576

        private let path: String

        /// Opens the folder, or creates it.
        ///
        /// - Throws: `FolderError`.
        init(path: String) throws {
            self.path = path
            try StateFolder.prepare(path)
        }

        /// Links a large file into the folder, durably.
        ///
        /// - Returns: Whether the file is linked. Small files are not, nor files on another file system, nor files that
        ///   only their owner may link: these have to be copied within the call.
        func hold(_ id: RandomID, path original: String) -> Bool {
            guard let stamp = FileStamp(original), stamp.byteCount >= Self.heldByteCountMin else { return false }
            let name = name(of: id)
            // The strings are used only during the call. A symbolic link is followed, as when a file is opened.
            guard unsafe linkat(AT_FDCWD, original, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 else { return false }
            guard isDurable() else {
                releaseOriginal(id)
                return false
            }
            return true
        }

        /// The path of a linked file; nil if the file is not linked.
        func path(of id: RandomID) -> String? {
            let name = name(of: id)
            return FileStamp(name) == nil ? nil : name
        }

        /// Removes a link; if that fails, the next start removes it.
        func releaseOriginal(_ id: RandomID) {
            // The string is used only during the call.
            _ = unsafe unlink(name(of: id))
        }

        /// Removes all links except those of files that still have to be copied; call it at the start, before anything
        /// else.
        func removeAbandoned(keeping ids: Set<RandomID>) {
            let wanted = Set(ids.map(\.hexadecimal))
            // If the folder cannot be listed, the links stay until the next start.
            let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
            for name in names where !wanted.contains(name) {
                // Nothing depends on the removal; the next start tries again.
                try? FileManager.default.removeItem(atPath: path + "/" + name)
            }
        }

        /// The name under which the file with this path is sent.
        static func name(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? "" }

        private func name(of id: RandomID) -> String { path + "/" + id.hexadecimal }

        /// Waits until the links are durable.
        private func isDurable() -> Bool {
            // The string is used only during the call.
            let folder = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard folder >= 0 else { return false }
            defer { close(folder) }
            return fsync(folder) == 0
        }
    }

    /// The attributes of a file that change when it is written to.
    struct FileStamp: Hashable {
        /// Its size.
        let byteCount: UInt64
        /// The time of the last change of its contents.
        private let modified: Date

        /// Reads the attributes of a file, following symbolic links; nil if that fails.
        ///
        /// Foundation reads the time: in a release build the compiler does not find the fields of `timespec` here,
        /// because it takes them for a part of a module that cannot be imported.
        init?(_ path: String) {
            let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: file),
                let byteCount = attributes[.size] as? NSNumber, let modified = attributes[.modificationDate] as? Date
            else { return nil }
            (self.byteCount, self.modified) = (byteCount.uint64Value, modified)
        }
    }
#endif
