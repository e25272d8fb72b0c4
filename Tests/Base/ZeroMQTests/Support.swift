import Testing
import ZeroMQ

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Nothing happened for so long that it never will; the only place where the tests look at a clock.
struct NothingHappened: Error {}

let patience = Duration.seconds(30)

/// How a process ends that trapped; one that threw ends otherwise.
let trap: ExitTest.Condition = {
    #if arch(x86_64) || arch(i386)
        .signal(SIGILL)
    #else
        .signal(SIGTRAP)
    #endif
}()

extension Socket {
    /// The next message, waited for.
    func nextMessage(maxFrameCount: Int = 16) throws -> ReceivedMessage {
        var poller = Poller()
        _ = poller.add(self, for: .input)
        while true {
            if let message = try receive(maxFrameCount: maxFrameCount) { return message }
            if try poller.wait(timeout: patience) == 0 { throw NothingHappened() }
        }
    }

    /// Waits until the socket can send.
    func waitForOutput() throws {
        var poller = Poller()
        _ = poller.add(self, for: .output)
        if try poller.wait(timeout: patience) == 0 { throw NothingHappened() }
    }
}

extension Monitor {
    /// The next event that fits, waited for; those before are skipped.
    func next(where fits: (MonitorEvent.Kind) -> Bool) throws -> MonitorEvent {
        var poller = Poller()
        _ = poller.add(socket, for: .input)
        while true {
            while let event = try nextEvent() {
                if fits(event.kind) { return event }
            }
            if try poller.wait(timeout: patience) == 0 { throw NothingHappened() }
        }
    }
}

/// Repeats a step whenever something in the poller is ready, until it says that it is finished.
func drive(_ poller: inout Poller, until isFinished: () throws -> Bool) throws {
    while try !isFinished() {
        if try poller.wait(timeout: patience) == 0 { throw NothingHappened() }
    }
}

/// A thread beside the test's own, joined at the end of its value.
///
/// Not a task: the tests block their threads, and with few cores none would be left to run it.
struct OtherThread: ~Copyable {
    private let thread: pthread_t

    init(_ body: @escaping @Sendable () -> Void) throws {
        final class Body {
            let run: @Sendable () -> Void
            init(_ run: @escaping @Sendable () -> Void) { self.run = run }
        }
        // The thread takes over the one reference that is passed here.
        let argument = unsafe Unmanaged.passRetained(Body(body)).toOpaque()
        var thread = pthread_t()
        let result = unsafe pthread_create(
            &thread, nil,
            { argument in
                if let argument = unsafe argument {
                    unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                }
                return nil
            }, argument)
        guard result == 0 else { throw NothingHappened() }
        self.thread = thread
    }

    deinit {
        pthread_join(thread, nil)
    }
}

extension [UInt8] {
    init(text: String) {
        self = Array(text.utf8)
    }
}

/// Frames written as text.
func frames(_ texts: String...) -> [[UInt8]] {
    texts.map { Array($0.utf8) }
}

extension SocketOptions {
    /// Options that differ from the default as the closure says.
    init(_ change: (inout SocketOptions) -> Void) {
        self.init()
        change(&self)
    }
}

/// An endpoint whose text is known to be good.
func endpoint(_ text: String) throws -> Endpoint {
    try Endpoint(text)
}
