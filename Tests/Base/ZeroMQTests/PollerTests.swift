import Synchronization
import Testing

@testable import ZeroMQ

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

@Suite struct PollerTests {
    @Test func `only what is ready says so`() throws {
        let context = try Context()
        let quiet = try Socket(context, .pair)
        let left = try Socket(context, .pair)
        let right = try Socket(context, .pair)
        try right.connect(to: left.bind(endpoint("inproc://pair")))
        #expect(try left.send(frames("x")) == .sent)

        var poller = Poller()
        let quietItem = poller.add(quiet, for: [.input, .output])
        let item = poller.add(right, for: [.input, .output])
        #expect(try poller.wait(timeout: patience) == 1)
        #expect(poller[quietItem] == [])
        #expect(poller[item] == [.input, .output])

        poller.setEvents([], of: item)
        #expect(try poller.wait(timeout: .zero) == 0)
        #expect(poller[item] == [])

        poller.setEvents(.input, of: item)
        poller.remove(quietItem)
        #expect(try poller.wait(timeout: nil) == 1)
        #expect(poller[item] == .input)
        #expect(try right.receive()?.frames == frames("x"))
        #expect(try poller.wait(timeout: .microseconds(1)) == 0)
    }

    @Test func `a file descriptor wakes the same wait as a socket`() throws {
        let socket = try Socket(Context(), .router)
        let pipe = Pipe()
        var poller = Poller()
        let socketItem = poller.add(socket, for: .input)
        let pipeItem = poller.add(fileDescriptor: pipe.readEnd, for: .input)
        #expect(try poller.wait(timeout: .zero) == 0)

        pipe.writeByte()
        #expect(try poller.wait(timeout: patience) == 1)
        #expect(poller[pipeItem] == .input)
        #expect(poller[socketItem] == [])
        withExtendedLifetime(pipe) {}
    }

    @Test func `a file descriptor that is closed is in error`() throws {
        var poller = Poller()
        let item = poller.add(fileDescriptor: Int32.max, for: .input)

        #expect(try poller.wait(timeout: patience) == 1)
        #expect(poller[item] == .error)
    }

    @Test func `a signal does not end the wait`() throws {
        signal(SIGURG) { _ in signalCount.add(1, ordering: .relaxed) }
        // The threads that run the tests block all signals.
        var unblocked = sigset_t()
        unsafe sigemptyset(&unblocked)
        unsafe sigaddset(&unblocked, SIGURG)
        unsafe pthread_sigmask(SIG_UNBLOCK, &unblocked, nil)
        defer { unsafe pthread_sigmask(SIG_BLOCK, &unblocked, nil) }
        let waiting = try #require(threadState("/proc/thread-self/stat").split(separator: " ").first)
        let path = "/proc/self/task/\(waiting)/stat"
        let thread = pthread_self()
        let pipe = Pipe()
        var poller = Poller()
        let item = poller.add(fileDescriptor: pipe.readEnd, for: .input)
        let other = try OtherThread {
            for _ in 0..<5 {
                let before = signalCount.load(ordering: .relaxed)
                while !threadState(path).contains(") S ") { sched_yield() }
                pthread_kill(thread, SIGURG)
                while signalCount.load(ordering: .relaxed) == before { sched_yield() }
            }
            pipe.writeByte()
        }

        #expect(try poller.wait(timeout: patience) == 1)
        #expect(poller[item] == .input)
        _ = consume other
        withExtendedLifetime(pipe) {}
    }

    @Test func `a poller of nothing waits for its timeout only`() throws {
        var poller = Poller()

        #expect(try poller.wait(timeout: .milliseconds(1)) == 0)
        #expect(try poller.wait(timeout: .seconds(-1)) == 0)
    }

    @Test func `misuse traps with the reason`() async {
        await #expect(processExitsWith: trap) {
            var poller = Poller()
            let socket = try Socket(Context(), .router)
            _ = poller.add(socket, for: .input)
            socket.close()
            _ = try poller.wait(timeout: .zero)
        }
        await #expect(processExitsWith: trap) {
            var poller = Poller()
            _ = try poller.wait(timeout: nil)
        }
        await #expect(processExitsWith: trap) {
            var poller = Poller()
            let item = poller.add(fileDescriptor: 0, for: .input)
            poller.remove(item)
            _ = poller[item]
        }
    }

    @Test(arguments: [
        (Duration.zero, Int32(0)), (.nanoseconds(1), 1), (.milliseconds(1), 1), (.microseconds(1001), 2),
        (.seconds(2), 2000), (.milliseconds(Int32.max), .max), (.milliseconds(-1), -1), (.nanoseconds(-1), -1),
    ])
    func `a duration is rounded away from zero to milliseconds`(duration: Duration, milliseconds: Int32) {
        #expect(duration.milliseconds == milliseconds)
    }

    @Test(arguments: [Duration.milliseconds(Int64(Int32.max) + 1), .seconds(Int64.max), .seconds(Int64.min)])
    func `a duration that C cannot hold has no milliseconds`(duration: Duration) {
        #expect(duration.milliseconds == nil)
    }
}

private let signalCount = Atomic(0)

/// The kernel's text about a thread: its number, its name in parentheses, and its state, which is S when it waits.
private func threadState(_ path: String) -> String {
    guard let file = unsafe fopen(path, "r") else { return "" }
    defer { unsafe fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let byteCount = unsafe fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(byteCount), as: UTF8.self)
}

/// A pipe that is closed with its owner.
private final class Pipe: Sendable {
    let readEnd: Int32
    private let writeEnd: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        // The C function writes the two numbers.
        let result = unsafe pipe(&ends)
        precondition(result == 0, "no pipe: errno \(errno)")
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    func writeByte() {
        var byte: UInt8 = 1
        // One byte fits into an empty pipe.
        _ = unsafe write(writeEnd, &byte, 1)
    }
}
