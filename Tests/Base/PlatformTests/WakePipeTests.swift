import Testing

@testable import Platform

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

@Suite struct WakePipeTests {
    private func isReadable(_ signal: WakePipe) -> Bool {
        var descriptor = pollfd(fd: signal.fileDescriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&descriptor, 1, 0) == 1
    }

    @Test func `the signal is readable from its raising to its lowering`() throws {
        let signal = try WakePipe()
        #expect(!isReadable(signal))

        signal.raise()
        signal.raise()
        #expect(isReadable(signal))

        signal.lower()
        #expect(!isReadable(signal))
        signal.raise()
        #expect(isReadable(signal))
    }

    @Test func `lowering a signal that is down changes nothing`() throws {
        let signal = try WakePipe()

        signal.lower()
        signal.raise()

        #expect(isReadable(signal))
    }
}
