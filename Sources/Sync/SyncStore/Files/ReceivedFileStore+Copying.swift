internal import Platform

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
    /// Until then it has a name in the same folder that nobody else uses; only a killed process leaves such a file.
    ///
    /// - Parameters:
    ///   - file: Where the file is, as its entry says.
    ///   - path: Where to, with the name that it is to have there.
    ///   - replaces: Whether a plain file of this name may be replaced; nothing else ever is.
    /// - Throws: ``FileStoreError``, ``FileStoreError/exists(path:)`` and ``FileStoreError/notReplaceable(path:)`` among
    ///   them; nothing is there then that was not.
    package static func copy(_ file: String, to path: String, replaces: Bool) throws(FileStoreError) {
        try copy(file, to: path, replaces: replaces) { unsafe link($0, $1) == 0 ? 0 : errno }
    }

    /// Copies a file, with another way to give a file a second name, which returns an error number or 0.
    static func copy(
        _ file: String, to path: String, replaces: Bool, link: (String, String) -> Int32
    ) throws(FileStoreError) {
        let copy = try writing { () throws(NewFileError) in try NewFile(path, replaces: replaces) }
        let original = try FileStore.plainFile(file)
        var offset: UInt64 = 0
        while true {
            let bytes = try filing { () throws(FolderError) in
                try original.read(at: offset, byteCount: FileStore.blockByteCount)
            }
            if bytes.isEmpty { break }
            try writing { () throws(NewFileError) in try copy.write { $0 += bytes } }
            offset += UInt64(bytes.count)
        }
        try writing { () throws(NewFileError) in try copy.finish(link: link) }
    }

    private static func writing<Result>(_ work: () throws(NewFileError) -> Result) throws(FileStoreError) -> Result {
        do throws(NewFileError) {
            return try work()
        } catch {
            switch error {
            case .exists(let path): throw .exists(path: path)
            case .notPlain(let path): throw .notReplaceable(path: path)
            case .failed(let function, let path, let number): throw .folder(FolderError(function, path, number))
            }
        }
    }
}
