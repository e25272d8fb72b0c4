import Foundation
import TestSupport

/// A separate in-memory disk, which is removed at the end of the test.
final class SmallDisk: Sendable {
    let path: String
    private var ballast: String { path + "/ballast" }

    /// Mounts a disk on a folder; nil if that is not permitted, as for most users.
    init?(at path: String, byteCount: Int) throws {
        self.path = path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #if os(Linux)
            guard unsafe mount("tmpfs", path, "tmpfs", 0, "size=\(byteCount)") == 0 else { return nil }
        #else
            return nil
        #endif
    }

    deinit {
        #if os(Linux)
            _ = unsafe umount2(path, Int32(MNT_DETACH))
        #endif
    }

    /// Fills the disk completely.
    func fill() throws {
        _ = FileManager.default.createFile(atPath: ballast, contents: nil)
        let file = unsafe open(ballast, O_WRONLY | O_CLOEXEC)
        defer { close(file) }
        let page = [UInt8](repeating: 0, count: 4096)
        while unsafe page.withUnsafeBytes({ unsafe write(file, $0.baseAddress, $0.count) }) > 0 {}
    }

    /// Frees the disk.
    func empty() throws {
        // A removed file would keep its space as long as a child process that was just forked has it open.
        guard unsafe truncate(ballast, 0) == 0 else { throw POSIXError(.EIO) }
    }
}
