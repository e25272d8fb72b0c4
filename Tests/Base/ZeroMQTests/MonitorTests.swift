import Testing

@testable import ZeroMQ

@Suite(.timeLimit(.minutes(20))) struct MonitorTests {
    @Test func `a connection tells its life on both ends`() throws {
        let context = try Context()
        let router = try Socket(context, .router)
        let dealer = try Socket(context, .dealer, options: SocketOptions { $0.reconnect = .never })
        let routerMonitor = try router.monitor()
        let dealerMonitor = try dealer.monitor()
        let bound = try router.bind(endpoint("tcp://127.0.0.1:*"))

        #expect(try routerMonitor.next { $0 == .listening }.endpoint == bound.text)
        try dealer.connect(to: bound)
        _ = try routerMonitor.next { $0 == .accepted }
        _ = try routerMonitor.next { $0 == .handshakeSucceeded }
        _ = try dealerMonitor.next { $0 == .connected }
        _ = try dealerMonitor.next { $0 == .handshakeSucceeded }

        dealer.close()
        _ = try routerMonitor.next { $0 == .disconnected }
        _ = try dealerMonitor.next { $0 == .monitorStopped }
        try router.unbind(bound)
        _ = try routerMonitor.next { $0 == .closed }
    }

    @Test func `a connection that is refused is tried again after the interval`() throws {
        let context = try Context()
        let dead = try PlainTCP.bound()
        let reconnect = SocketOptions.Reconnect.backoff(shortest: .milliseconds(5), longest: .milliseconds(20))
        let dealer = try Socket(context, .dealer, options: SocketOptions { $0.reconnect = reconnect })
        let monitor = try dealer.monitor(.connection)
        try dealer.connect(to: dead.endpoint)

        for _ in 0..<3 {
            let event = try monitor.next { if case .connectRetried = $0 { true } else { false } }
            guard case .connectRetried(let wait) = event.kind else { return }
            #expect((.milliseconds(5)...(.milliseconds(30))).contains(wait))
        }
        withExtendedLifetime(dead) {}
    }

    @Test func `only the events asked for are told`() throws {
        let context = try Context()
        let router = try Socket(context, .router)
        let monitor = try router.monitor(.handshake)
        let dealer = try Socket(context, .dealer)
        try dealer.connect(to: router.bind(endpoint("tcp://127.0.0.1:*")))

        #expect(try monitor.next { _ in true }.kind == .handshakeSucceeded)
    }

    @Test func `a second monitor replaces the first, whose end does not end it`() throws {
        let context = try Context()
        let router = try Socket(context, .router)
        let second: Monitor
        do {
            let first = try router.monitor()
            second = try router.monitor()
            _ = try first.next { $0 == .monitorStopped }
        }

        try router.bind(endpoint("tcp://127.0.0.1:*"))

        _ = try second.next { $0 == .listening }
    }

    // libzmq's default would stop here: a monitor's queue is full after 2000 events, and libzmq waits for it.
    @Test func `a monitor that nobody reads does not stop the socket`() throws {
        let context = try Context()
        let router = try Socket(context, .router)
        let monitor = try router.monitor(.listening)

        for _ in 0..<2500 { try router.unbind(router.bind(endpoint("tcp://127.0.0.1:*"))) }

        for _ in 0..<2500 { _ = try monitor.next { $0 == .listening } }
    }

    // libzmq would wait for a reader at the next event, in the I/O thread that carries everything.
    @Test func `a monitor that ends before its socket does not stop the socket`() throws {
        let context = try Context()
        let router = try Socket(context, .router)
        do {
            _ = try router.monitor()
        }
        let bound = try router.bind(endpoint("tcp://127.0.0.1:*"))

        for _ in 0..<50 {
            let dealer = try Socket(context, .dealer)
            try dealer.connect(to: bound)
            #expect(try dealer.send(frames("x")) == .sent)
            #expect(try router.nextMessage().frames == frames("x"))
        }
    }

    // libzmq would wait for a reader of the last events: a race, which about one round in a hundred lost.
    @Test func `a monitor may end just after its socket, and the context works on`() throws {
        for _ in 0..<300 {
            let context = try Context()
            let router = try Socket(context, .router)
            let monitor = try router.monitor()
            let bound = try router.bind(endpoint("tcp://127.0.0.1:*"))
            let dealer = try Socket(context, .dealer)
            let another = try Socket(context, .dealer)
            try dealer.connect(to: bound)
            try another.connect(to: bound)
            for _ in 0..<2 {
                #expect(try dealer.send(frames("x")) == .sent)
                #expect(try another.send(frames("x")) == .sent)
            }
            for _ in 0..<4 { _ = try router.nextMessage() }

            router.close()
            _ = consume monitor

            let left = try Socket(context, .pair)
            let right = try Socket(context, .pair)
            try right.connect(to: left.bind(endpoint("tcp://127.0.0.1:*")))
            try right.waitForOutput()
            #expect(try right.send(frames("works")) == .sent)
            #expect(try left.nextMessage().frames == frames("works"))
        }
    }

    @Test func `a monitor for which there is no room leaves no socket behind`() throws {
        let context = try Context(maxSockets: 2)
        let router = try Socket(context, .router)

        let error = #expect(throws: ZeroMQError.self) { _ = try router.monitor() }

        #expect(error?.code == "too-many-sockets")
        #expect(error?.failedCall?.function == "zmq_socket_monitor")
        // The PAIR closes in the background.
        let clock = ContinuousClock()
        let deadline = clock.now + patience
        while true {
            if let socket = try? Socket(context, .pair) {
                socket.close()
                break
            }
            if clock.now > deadline { throw NothingHappened() }
        }
        router.close()
    }

    @Test func `numbers that no one knows are kept`() {
        let event = MonitorEvent(frames: [[0x00, 0x80, 1, 0, 0, 0], Array(text: "tcp://x")])

        #expect(event?.kind == .unknown(number: 0x8000, value: 1))
        #expect(event?.endpoint == "tcp://x")
        #expect(MonitorEvent(frames: [[1, 0, 0, 0, 0], []]) == nil)
        #expect(MonitorEvent(frames: [[1, 0, 0, 0, 0, 0]]) == nil)
        #expect(MonitorEvent(frames: [[1, 0, 0, 0, 0, 0], []])?.kind == .connected)
    }
}
