import Foundation

/// A lock file by which processes end together with its holder, however the holder ends.
///
/// The holder keeps an exclusive flock(2) on a file; each of the others waits in the kernel for that lock. The kernel
/// gives it to them when the holder ends, even by SIGKILL, and at once if it has ended before.
package enum ProcessGroupLock {
    /// Creates the file and locks it until this process ends.
    ///
    /// - Throws: ``CommandFailure``.
    package static func hold(path: String) throws {
        let descriptor = try open(path, flags: O_RDWR | O_CREAT)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw CommandFailure("\(path) is held by another process: choose another folder")
        }
        // The descriptor stays open on purpose: the end of the process closes it, and children do not inherit it.
    }

    /// Gives an element when the holder has ended.
    ///
    /// - Throws: ``CommandFailure`` if there is no such file.
    package static func cut(path: String) throws -> AsyncStream<Void> {
        let descriptor = try open(path, flags: O_RDWR)
        let (stream, source) = AsyncStream<Void>.makeStream()
        Thread.detachNewThread {
            while flock(descriptor, LOCK_SH) != 0, errno == EINTR {}
            source.yield()
            source.finish()
        }
        return stream
    }

    private static func open(_ path: String, flags: Int32) throws -> Int32 {
        let descriptor = unsafe Foundation.open(path, flags | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CommandFailure("cannot open \(path): \(SystemErrorText.of(number: errno))") }
        return descriptor
    }
}
