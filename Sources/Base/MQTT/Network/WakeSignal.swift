internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Wakes the network thread while it waits for its socket: a pipe that becomes readable.
final class WakeSignal: Sendable {
    /// The end that becomes readable when the signal is raised.
    let descriptor: Int32
    private let writingEnd: Int32
    private let isRaised = Atomic(false)

    init() throws(MQTTError) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw .systemCall(function: "pipe", .last) }
        descriptor = ends[0]
        writingEnd = ends[1]
        for end in ends {
            // These cannot fail for a descriptor that was just opened.
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            closeOnExec(end)
        }
    }

    deinit {
        Self.close(descriptor)
        Self.close(writingEnd)
    }

    /// Makes the descriptor readable, unless it already is.
    func raise() {
        guard !isRaised.exchange(true, ordering: .sequentiallyConsistent) else { return }
        var byte: UInt8 = 0
        // One byte always fits, because at most one byte is unread.
        _ = unsafe write(writingEnd, &byte, 1)
    }

    /// Makes the descriptor unreadable; call it before checking what the signal announces.
    func lower() {
        var byte: UInt8 = 0
        // This order matters. In the other order, it could remove the byte of a signal that is raised in between,
        // whose flag would then stay set indefinitely.
        _ = unsafe read(descriptor, &byte, 1)
        isRaised.store(false, ordering: .sequentiallyConsistent)
    }

    private static func close(_ descriptor: Int32) {
        #if canImport(Glibc)
            _ = Glibc.close(descriptor)
        #else
            _ = Darwin.close(descriptor)
        #endif
    }
}

/// Keeps child processes from inheriting the descriptor, and with it the connection.
func closeOnExec(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
}
