internal import SyncCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

extension ReceivedFileStore {
    /// Copies a file to a place of the person's own; it gets its name when it is complete and on the disk.
    ///
    /// Until then it has a name in the same folder that nobody else uses: a dot, the start of its name, 32 random
    /// hexadecimal digits, and `.partial`. Only a killed process leaves such a file.
    ///
    /// - Parameters:
    ///   - file: Where the file is, as its entry says.
    ///   - path: Where to, with the name that it is to have there.
    ///   - replaces: Whether a plain file of this name may be replaced; nothing else ever is.
    /// - Throws: ``FileStoreError``, ``FileStoreError/exists(path:)`` and ``FileStoreError/notReplaceable(path:)`` among
    ///   them; nothing is there then that was not.
    public static func copy(_ file: String, to path: String, replaces: Bool) throws(FileStoreError) {
        try copy(file, to: path, replaces: replaces) { unsafe link($0, $1) == 0 ? 0 : errno }
    }

    /// Copies a file, with another way to give a file a second name, which returns an error number or 0.
    static func copy(
        _ file: String, to path: String, replaces: Bool, link: (String, String) -> Int32
    ) throws(FileStoreError) {
        try checkName(path, replaces: replaces)
        let original = try OpenFile.plainFile(file)
        let newPath = temporaryPath(for: path)
        let copy = try filing { () throws(FolderError) in try OpenFile.create(newPath) }
        // Nobody else knows the name; after a renaming nothing has it any more.
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

    /// Checks that nobody's file has the name, or one that may be replaced.
    private static func checkName(_ path: String, replaces: Bool) throws(FileStoreError) {
        var status = stat()
        // A link that leads nowhere is somebody's as well.
        guard unsafe lstat(path, &status) == 0 else { return }
        guard replaces else { throw .exists(path: path) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notReplaceable(path: path) }
    }

    /// Gives the name only if nobody has it, also if somebody took it a moment ago.
    private static func takeName(
        _ path: String, for newPath: String, _ link: (String, String) -> Int32
    ) throws(FileStoreError) {
        switch link(newPath, path) {
        case 0: break
        case EEXIST: throw .exists(path: path)
        // A file system without second names, as on many memory sticks: what is left is to look first.
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

// Under a name of its own, because a method here is called like the function of the system.
private let systemRename = unsafe rename
