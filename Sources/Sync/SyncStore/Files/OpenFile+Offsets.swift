#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

extension OpenFile {
    /// The bytes from an offset on, at most `byteCount`; fewer at the end of the file.
    func read(at offset: UInt64, byteCount: Int) throws(FolderError) -> [UInt8] {
        var failure: FolderError?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
            do throws(FolderError) {
                while count < byteCount {
                    // The buffer has room for the requested bytes, and the call does not keep the pointer.
                    let part = try perform("pread", on: path) {
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
    func write(_ bytes: [UInt8], at offset: UInt64) throws(FolderError) {
        var count = 0
        while count < bytes.count {
            // The buffer holds the bytes to write, and the call does not keep the pointer.
            count += try perform("pwrite", on: path) {
                unsafe bytes.withUnsafeBytes { buffer in
                    let rest = unsafe buffer.baseAddress.map { unsafe $0 + count }
                    return unsafe pwrite(descriptor, rest, bytes.count - count, off_t(offset) + off_t(count))
                }
            }
        }
    }

    /// Truncates the file to a size, or extends it with zeros.
    func truncate(to byteCount: UInt64) throws(FolderError) {
        try perform("ftruncate", on: path) { ftruncate(descriptor, off_t(byteCount)) }
    }

    /// The number of bytes that an unprivileged user can still write to the disk of this file.
    func freeByteCount() throws(FolderError) -> UInt64 {
        var facts = statvfs()
        try perform("fstatvfs", on: path) { unsafe fstatvfs(descriptor, &facts) }
        let (product, overflow) = UInt64(facts.f_bavail).multipliedReportingOverflow(by: UInt64(facts.f_frsize))
        return overflow ? .max : product
    }

    /// Opens a folder in this folder.
    ///
    /// Creates it if it does not exist.
    func subfolder(_ name: String) throws(FolderError) -> OpenFile {
        do throws(FolderError) {
            try perform("mkdirat", on: path(of: name)) { unsafe mkdirat(descriptor, name, 0o700) }
        } catch {
            guard case .failed(_, _, EEXIST) = error else { throw error }
        }
        return try OpenFile(name: name, in: self, flags: O_RDONLY | O_DIRECTORY)
    }

    /// Moves a file of this folder to another folder, and replaces a file that has the new name.
    func rename(_ name: String, to newName: String, in other: borrowing OpenFile) throws(FolderError) {
        let otherDescriptor = other.descriptor
        try perform("renameat", on: path(of: name)) {
            unsafe renameat(descriptor, name, otherDescriptor, newName)
        }
    }

    /// Removes a file of this folder; does nothing if it does not exist.
    func removeFile(_ name: String) throws(FolderError) {
        try remove(name, flags: 0)
    }

    /// Removes an empty folder of this folder; does nothing if it does not exist.
    func removeFolder(_ name: String) throws(FolderError) {
        try remove(name, flags: AT_REMOVEDIR)
    }

    private func remove(_ name: String, flags: Int32) throws(FolderError) {
        do throws(FolderError) {
            try perform("unlinkat", on: path(of: name)) { unsafe unlinkat(descriptor, name, flags) }
        } catch {
            guard case .failed(_, _, ENOENT) = error else { throw error }
        }
    }

    /// Opens a plain file for reading.
    ///
    /// It follows symbolic links, and does not block on a file that is not plain.
    static func plainFile(_ path: String) throws(FileStoreError) -> OpenFile {
        let file = try existing(path)
        let facts = try filing { () throws(FolderError) in try file.facts() }
        guard facts.isPlainFile else { throw .notAPlainFile(path: path) }
        return file
    }

    private static func existing(_ path: String) throws(FileStoreError) -> OpenFile {
        do throws(FolderError) {
            return try OpenFile(path: path, flags: O_RDONLY | O_NONBLOCK)
        } catch {
            if case .failed(_, _, ENOENT) = error { throw .missing(path: path) }
            throw .folder(error)
        }
    }
}
