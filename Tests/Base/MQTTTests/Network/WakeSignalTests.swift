import Testing

@testable import MQTT

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

@Suite struct WakeSignalTests {
    private func isReadable(_ signal: WakeSignal) -> Bool {
        var descriptor = pollfd(fd: signal.descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&descriptor, 1, 0) == 1
    }

    @Test func `the signal is readable from its raising to its lowering`() throws {
        let signal = try WakeSignal()
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
        let signal = try WakeSignal()

        signal.lower()
        signal.raise()

        #expect(isReadable(signal))
    }
}
