#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Wakes a thread that waits in a poll: a pipe that contains a byte while a wake-up is pending.
final class WakePipe: Sendable {
    /// The end to poll for input.
    let fileDescriptor: Int32
    private let writeEnd: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        let result = unsafe pipe(&ends)
        precondition(result == 0, "the system gave no pipe: error \(errno)")
        fileDescriptor = ends[0]
        writeEnd = ends[1]
        for end in ends {
            _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
    }

    deinit {
        close(fileDescriptor)
        close(writeEnd)
    }

    /// Wakes the thread; may be called on any thread.
    func ring() {
        var byte: UInt8 = 1
        // A full pipe already has enough bytes to wake it.
        _ = unsafe write(writeEnd, &byte, 1)
    }

    /// Clears pending wake-ups; the thread then checks everything that it could have been woken for.
    func silence() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while unsafe read(fileDescriptor, &bytes, bytes.count) == bytes.count {}
    }
}
