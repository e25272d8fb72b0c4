internal import Synchronization
package import SystemPackage

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Wakes a thread that waits in a poll: a pipe that is readable while the signal is raised.
package final class WakePipe: Sendable {
    /// The end to poll for input.
    package let fileDescriptor: Int32
    private let writingEnd: Int32
    private let isRaised = Atomic(false)

    /// Opens the pipe; the signal is down.
    ///
    /// - Throws: `Errno`, if the process or the system has no descriptors left.
    package init() throws(Errno) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw .last }
        fileDescriptor = ends[0]
        writingEnd = ends[1]
        for end in ends {
            // These cannot fail for a descriptor that was just opened.
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            closeOnExec(end)
        }
    }

    deinit {
        Self.close(fileDescriptor)
        Self.close(writingEnd)
    }

    /// Makes the pipe readable; from any thread.
    ///
    /// A second call before ``lower()`` costs no system call.
    package func raise() {
        guard !isRaised.exchange(true, ordering: .sequentiallyConsistent) else { return }
        var byte: UInt8 = 0
        // One byte always fits: there is at most one that was not read.
        _ = unsafe write(writingEnd, &byte, 1)
    }

    /// Makes the pipe unreadable; call it before looking at what the signal announces.
    package func lower() {
        var byte: UInt8 = 0
        // In this order: the other way round it could swallow the byte of a signal that is raised in between, whose
        // flag would then stay up forever.
        _ = unsafe read(fileDescriptor, &byte, 1)
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

/// Keeps programs that this process starts from inheriting a descriptor.
package func closeOnExec(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
}
