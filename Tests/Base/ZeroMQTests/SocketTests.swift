import Testing

@testable import ZeroMQ

@Suite struct SocketTests {
    /// Where the same test body runs.
    enum Transport: String, CaseIterable {
        case inproc, ipc, tcp

        /// An endpoint to bind, used by nobody else.
        func endpoint() throws -> Endpoint {
            switch self {
            case .inproc: try Endpoint("inproc://test")
            case .ipc: try Endpoint("ipc://@poolsensors-test-\(UInt64.random(in: .min ... .max))")
            case .tcp: try Endpoint("tcp://127.0.0.1:*")
            }
        }
    }

    @Test(arguments: Transport.allCases)
    func `a message makes the round trip frame by frame`(transport: Transport) throws {
        let context = try Context()
        let router = try Socket(context, .router)
        let dealer = try Socket(context, .dealer)
        let endpoint = try router.bind(transport.endpoint())
        try dealer.connect(to: endpoint)

        #expect(try dealer.send(frames("one", "", "three")) == .sent)
        let question = try router.nextMessage()
        #expect(question.frames == frames("one", "", "three"))
        #expect(question.droppedFrameCount == 0)
        #expect(question.userID == nil)

        let peer = try #require(question.routingID)
        #expect(try router.send(frames("", "answer"), to: peer) == .sent)
        let answer = try dealer.nextMessage()
        #expect(answer.frames == frames("", "answer"))
        #expect(answer.routingID == nil)
        #expect(try dealer.receive() == nil)
    }

    @Test(arguments: Transport.allCases)
    func `frames around the size that libzmq keeps inside its struct, and a mebibyte, arrive whole`(
        transport: Transport
    ) throws {
        let context = try Context()
        let router = try Socket(context, .router)
        let dealer = try Socket(context, .dealer)
        try dealer.connect(to: router.bind(transport.endpoint()))

        for byteCount in [0, 1, 32, 33, 34, 255, 256, 65_536, 1 << 20] {
            let frame = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            #expect(try dealer.send([frame]) == .sent)
            let message = try router.nextMessage()
            #expect(message.frames == [frame])
        }
    }

    @Test func `a peer address is the host without the port, and missing in the same process`() throws {
        let context = try Context()
        let router = try Socket(context, .router)
        let dealer = try Socket(context, .dealer)
        try dealer.connect(to: router.bind(endpoint("tcp://127.0.0.1:*")))
        #expect(try dealer.send(frames("x")) == .sent)
        let overTCP = try router.nextMessage()
        #expect(overTCP.peerAddress == "127.0.0.1")

        let inproc = try router.bind(endpoint("inproc://router"))
        let neighbour = try Socket(context, .dealer)
        try neighbour.connect(to: inproc)
        #expect(try neighbour.send(frames("x")) == .sent)
        let inProcess = try router.nextMessage()
        #expect(inProcess.peerAddress == nil)
    }

    @Test func `frames beyond the limit are dropped and counted, and the next message is whole`() throws {
        let context = try Context()
        let left = try Socket(context, .pair)
        let right = try Socket(context, .pair)
        try right.connect(to: left.bind(endpoint("inproc://pair")))

        #expect(try left.send(frames("1", "2", "3", "4", "5")) == .sent)
        #expect(try left.send(frames("6")) == .sent)

        let cut = try right.nextMessage(maxFrameCount: 3)
        #expect(cut.frames == frames("1", "2", "3"))
        #expect(cut.droppedFrameCount == 2)
        let next = try right.nextMessage(maxFrameCount: 3)
        #expect(next.frames == frames("6"))
        #expect(next.droppedFrameCount == 0)
    }

    @Test func `a REQ and a REP speak by turns, and say so when it is not their turn`() throws {
        let context = try Context()
        let rep = try Socket(context, .rep)
        let req = try Socket(context, .req)
        try req.connect(to: rep.bind(endpoint("inproc://rep")))

        let earlyReply = #expect(throws: ZeroMQError.self) { try rep.send(frames("too early")) }
        #expect(earlyReply?.code == "out-of-turn")
        let earlyReceive = #expect(throws: ZeroMQError.self) { try req.receive() }
        #expect(earlyReceive?.code == "out-of-turn")

        #expect(try req.send(frames("question")) == .sent)
        let secondQuestion = #expect(throws: ZeroMQError.self) { try req.send(frames("impatient")) }
        #expect(secondQuestion?.code == "out-of-turn")
        #expect(try rep.nextMessage().frames == frames("question"))
        #expect(try rep.send(frames("answer", "more")) == .sent)
        #expect(try req.nextMessage().frames == frames("answer", "more"))
    }

    @Test func `a peer larger than the message size limit is cut off, at the limit it is not`() throws {
        let context = try Context()
        let router = try Socket(context, .router, options: SocketOptions { $0.maxMessageSize = 1000 })
        let monitor = try router.monitor(.connection)
        let dealer = try Socket(context, .dealer, options: SocketOptions { $0.reconnect = .never })
        try dealer.connect(to: router.bind(endpoint("tcp://127.0.0.1:*")))

        #expect(try dealer.send([[UInt8](repeating: 1, count: 1000)]) == .sent)
        #expect(try router.nextMessage().frames[0].count == 1000)

        #expect(try dealer.send([[UInt8](repeating: 1, count: 1001)]) == .sent)
        _ = try monitor.next { $0 == .disconnected }
        #expect(try router.receive() == nil)
    }

    @Test func `closing is the end of the value, and frees the port soon after`() throws {
        let context = try Context()
        let first = try Socket(context, .router)
        let endpoint = try first.bind(endpoint("tcp://127.0.0.1:*"))
        first.close()

        let second = try Socket(context, .router)
        var isBound = false
        while !isBound {
            do {
                try second.bind(endpoint)
                isBound = true
            } catch ZeroMQError.addressInUse {
                // libzmq closes the listener in its own thread, and nothing tells when.
            }
        }
    }

    @Test func `an actor owns a socket, and only bytes cross to another`() async throws {
        actor Echo {
            private let socket: Socket

            init(_ context: Context, _ endpoint: Endpoint, binds: Bool) throws {
                socket = try Socket(context, .pair)
                if binds { try socket.bind(endpoint) } else { try socket.connect(to: endpoint) }
            }

            func send(_ frames: [[UInt8]]) throws -> SendResult { try socket.send(frames) }
            func next() throws -> [[UInt8]] { try socket.nextMessage().frames }
        }
        let context = try Context()
        let endpoint = try endpoint("inproc://actors")
        let left = try Echo(context, endpoint, binds: true)
        let right = try Echo(context, endpoint, binds: false)

        for number in 0..<100 {
            #expect(try await left.send([[UInt8(number)], [UInt8](repeating: 7, count: 100)]) == .sent)
            let received = try await right.next()
            #expect(received == [[UInt8(number)], [UInt8](repeating: 7, count: 100)])
        }
    }
}
