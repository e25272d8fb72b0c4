import Testing

@testable import ZeroMQ

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

@Suite(.timeLimit(.minutes(20))) struct ContextTests {
    @Test func `a number out of range is an error that names it`() throws {
        let call = FailedCall(function: "zmq_ctx_set", subject: "ioThreads = -1 of a context", number: EINVAL)
        #expect(throws: ZeroMQError.invalidArgument(call)) { _ = try Context(ioThreads: -1) }
        #expect(throws: ZeroMQError.self) { _ = try Context(maxSockets: 0) }
        #expect(throws: ZeroMQError.self) { _ = try Context(maxSockets: .max) }
    }

    @Test func `one socket more than the limit is an error`() throws {
        let context = try Context(maxSockets: 2)
        let first = try Socket(context, .pair)
        let second = try Socket(context, .pair)

        let error = #expect(throws: ZeroMQError.self) { _ = try Socket(context, .pair) }

        #expect(error?.code == "too-many-sockets")
        first.close()
        second.close()
    }

    @Test func `a context without I/O threads refuses TCP but not inproc`() throws {
        let context = try Context(ioThreads: 0)
        let socket = try Socket(context, .router)

        try socket.bind(endpoint("inproc://works"))
        let error = #expect(throws: ZeroMQError.self) { try socket.bind(endpoint("tcp://127.0.0.1:*")) }
        #expect(error?.failedCall?.function == "zmq_bind")
    }

    // The default linger of libzmq would hang here.
    @Test func `a context ends although messages wait for a peer that never comes`() throws {
        let dead = try PlainTCP.bound()
        weak var ended: Context?
        do {
            let context = try Context()
            ended = context
            let dealer = try Socket(context, .dealer)
            try dealer.connect(to: dead.endpoint)
            for _ in 0..<100 { #expect(try dealer.send(frames("lost")) == .sent) }
        }
        #expect(ended == nil)
        withExtendedLifetime(dead) {}
    }

    @Test func `a socket keeps its context alive`() throws {
        weak var context: Context?
        do {
            let socket: Socket
            do {
                let local = try Context()
                context = local
                socket = try Socket(local, .router)
            }
            #expect(context != nil)
            try socket.bind(endpoint("tcp://127.0.0.1:*"))
        }
        #expect(context == nil)
    }

    // libzmq alone would start at the same number in each process, and abort when a peer had taken the next one.
    @Test func `automatic routing ids cannot be foreseen`() async throws {
        var starts: Set<[UInt8]> = []
        for _ in 0..<3 {
            let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
                let context = try Context()
                let router = try Socket(context, .router)
                let dealer = try Socket(context, .dealer)
                try dealer.connect(to: router.bind(endpoint("inproc://router")))
                #expect(try dealer.send(frames("x")) == .sent)
                print("\(try #require(try router.nextMessage().routingID))")
            }
            starts.insert(try #require(result?.standardOutputContent))
        }
        #expect(starts.count == 3)
    }

    @Test func `a shutdown ends every call, and the wait of another thread`() throws {
        let context = try Context()
        let socket = try Socket(context, .router)
        var poller = Poller()
        _ = poller.add(socket, for: .input)
        let other = try OtherThread { context.shutdown() }

        #expect(throws: ZeroMQError.contextTerminated) { try poller.wait(timeout: patience) }
        _ = consume other

        #expect(throws: ZeroMQError.contextTerminated) { try socket.receive() }
        #expect(throws: ZeroMQError.contextTerminated) { try socket.send([[1]], to: #require(RoutingID([1]))) }
        #expect(throws: ZeroMQError.contextTerminated) { _ = try Socket(context, .pair) }
        context.shutdown()
    }
}
