import Platform
package import Primitives
package import ZeroMQ

/// What a thread with sockets does; it is made on that thread and never leaves it.
package protocol SocketLoop: AnyObject, SendableMetatype {
    /// What other threads ask of it.
    associatedtype Request: Sendable

    /// Adds the sockets to the poller.
    func begin(_ poller: inout Poller)
    /// Carries out requests, and reads and writes every socket until it would wait.
    ///
    /// - Parameters:
    ///   - requests: The requests since the last turn, in their order.
    ///   - poller: The poller, in case sockets come and go.
    ///   - now: The time.
    /// - Returns: When the next turn is due even if nothing happens; nil for never.
    func turn(_ requests: [Request], _ poller: inout Poller, at now: Moment) -> Instant?
}

/// A thread that runs a ``SocketLoop``, and ends it with ``stop()`` or with its last reference.
package final class LoopThread<Request: Sendable>: Sendable {
    /// What the thread and its owner share.
    private final class Mailbox: Sendable {
        struct State {
            var requests: [Request] = []
            var isStopped = false
            var failure: (any Error)?
        }

        let state = Lock(State())
        let wake: WakePipe
        let begun = Semaphore()
        let ended = Semaphore()

        init() throws { wake = try WakePipe() }

        func change(_ body: (inout State) -> Void) {
            state.withLock { body(&$0) }
            wake.raise()
        }
    }

    private let mailbox: Mailbox

    /// Starts the thread, and returns when its loop has begun.
    ///
    /// - Parameter make: Makes the loop on its thread.
    /// - Throws: What `make` throws; `Errno` if the system has no pipe left.
    package init<Loop: SocketLoop>(_ make: @escaping @Sendable () throws -> Loop) throws
    where Loop.Request == Request {
        let mailbox = try Mailbox()
        self.mailbox = mailbox
        DedicatedThread.start {
            defer { mailbox.ended.signal() }
            do {
                let loop = try make()
                mailbox.begun.signal()
                Self.run(loop, mailbox)
            } catch {
                mailbox.state.withLock { $0.failure = error }
                mailbox.begun.signal()
            }
        }
        mailbox.begun.wait()
        if let error = mailbox.state.withLock(\.failure) { throw error }
    }

    deinit { mailbox.change { $0.isStopped = true } }

    /// Asks something of the loop; returns at once, from any thread.
    package func post(_ request: Request) { mailbox.change { $0.requests.append(request) } }

    /// Ends the loop, and returns when its sockets are closed; once, and not from its own thread.
    package func stop() {
        mailbox.change { $0.isStopped = true }
        mailbox.ended.wait()
    }

    private static func run<Loop: SocketLoop>(_ loop: Loop, _ mailbox: Mailbox) where Loop.Request == Request {
        var poller = Poller()
        _ = poller.add(fileDescriptor: mailbox.wake.fileDescriptor, for: .input)
        loop.begin(&poller)
        while true {
            mailbox.wake.lower()
            let (requests, isStopped) = mailbox.state.withLock { state in
                defer { state.requests = [] }
                return (state.requests, state.isStopped)
            }
            if isStopped { return }
            let deadline = loop.turn(requests, &poller, at: .now)
            let rest = deadline.map { max(.zero, Moment.now.monotonic.duration(to: $0)) }
            // It fails only when the context ends, which nobody else ends.
            guard (try? poller.wait(timeout: rest)) != nil else { return }
        }
    }
}
