internal import SyncCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

extension ReceivedFileStore {
    /// Copies a file to a path of the user's choice.
    ///
    /// The copy gets its name when it is complete and on the disk.
    ///
    /// Until then it has a unique name in the same folder: a dot, the beginning of the final name, 32 random
    /// hexadecimal digits, and `.partial`. Only a killed process leaves such a file.
    ///
    /// - Parameters:
    ///   - file: The path of the file, from its entry.
    ///   - path: The path of the copy, including its name.
    ///   - replaces: Whether an existing plain file may be replaced. Anything else is never replaced.
    /// - Throws: ``FileStoreError``, such as ``FileStoreError/exists(path:)`` or
    ///   ``FileStoreError/notReplaceable(path:)``; no file was created in that case.
    public static func copy(_ file: String, to path: String, replaces: Bool) throws(FileStoreError) {
        try copy(file, to: path, replaces: replaces) { unsafe link($0, $1) == 0 ? 0 : errno }
    }

    /// Copies a file.
    ///
    /// `link` gives the file a second name and returns an error number or 0; tests replace it.
    static func copy(
        _ file: String, to path: String, replaces: Bool, link: (String, String) -> Int32
    ) throws(FileStoreError) {
        try checkName(path, replaces: replaces)
        let original = try OpenFile.plainFile(file)
        let newPath = temporaryPath(for: path)
        let copy = try filing { () throws(FolderError) in try OpenFile.create(newPath) }
        // The name is unique to this call; after the file was renamed, nothing has it any more.
        defer { _ = unsafe unlink(newPath) }
        try filing { () throws(FolderError) in
            var offset: UInt64 = 0
            while true {
                let bytes = try original.read(at: offset, byteCount: FileStore.blockByteCount)
                if bytes.isEmpty { break }
                try copy.write(bytes, at: offset)
                offset += UInt64(bytes.count)
            }
            try copy.sync()
        }
        if replaces {
            try checkName(path, replaces: true)
            try rename(newPath, to: path)
        } else {
            try takeName(path, for: newPath, link)
        }
        try filing { () throws(FolderError) in
            try StateFolder.settle(nameOf: path)
        }
    }

    /// Checks that the path is free, or is a plain file that may be replaced.
    private static func checkName(_ path: String, replaces: Bool) throws(FileStoreError) {
        var status = stat()
        // A dangling symbolic link is also somebody's file.
        guard unsafe lstat(path, &status) == 0 else { return }
        guard replaces else { throw .exists(path: path) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notReplaceable(path: path) }
    }

    /// Renames the file only if the new name is free.
    ///
    /// This is atomic where the file system has hard links.
    private static func takeName(
        _ path: String, for newPath: String, _ link: (String, String) -> Int32
    ) throws(FileStoreError) {
        switch link(newPath, path) {
        case 0: break
        case EEXIST: throw .exists(path: path)
        // The file system has no hard links, as on many memory sticks, so all that remains is to check first.
        case EPERM, ENOTSUP, ENOSYS, EMLINK:
            try checkName(path, replaces: false)
            try rename(newPath, to: path)
        case let number: throw .folder(.failed(function: "link", path: path, number: number))
        }
    }

    private static func rename(_ newPath: String, to path: String) throws(FileStoreError) {
        _ = try filing { () throws(FolderError) in
            try perform("rename", on: path) { unsafe systemRename(newPath, path) }
        }
    }

    private static func temporaryPath(for path: String) -> String {
        var generator = SystemRandomNumberGenerator()
        let name = path.split(separator: "/").last.map { String($0.unicodeScalars.prefix(40)) } ?? ""
        return "\(StateFolder.folder(above: path))/.\(name).\(RandomID(using: &generator).hexadecimal).partial"
    }
}

// A second name for the system's `rename`, which a method here would hide.
private let systemRename = unsafe rename
