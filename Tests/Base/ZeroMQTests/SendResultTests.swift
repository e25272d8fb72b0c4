import Testing

@testable import ZeroMQ

@Suite struct SendResultTests {
    /// A ROUTER and a DEALER that it knows, in one process, where a high-water mark is exact.
    private struct Linked: ~Copyable {
        let context: Context
        let router: Socket
        let dealer: Socket
        let peer: RoutingID

        init(router routerOptions: SocketOptions = SocketOptions(), dealer dealerOptions: SocketOptions = .init())
            throws
        {
            let context = try Context()
            let router = try Socket(context, .router, options: routerOptions)
            let dealer = try Socket(context, .dealer, options: dealerOptions)
            try dealer.connect(to: router.bind(endpoint("inproc://router")))
            #expect(try dealer.send(frames("hello")) == .sent)
            peer = try #require(try router.nextMessage().routingID)
            self.context = context
            self.router = router
            self.dealer = dealer
        }
    }

    // Row 1 of the measured pitfalls.
    @Test func `a ROUTER says that it does not know the peer`() throws {
        let context = try Context()
        let router = try Socket(context, .router)
        let stranger = try #require(RoutingID([0, 1, 2, 3, 4]))

        #expect(try router.send(frames("x", "y"), to: stranger) == .unroutable)
        #expect(try router.send(sharing: Message([1, 2]), to: stranger) == .unroutable)
    }

    @Test func `a ROUTER that is not mandatory loses the message without a word`() throws {
        let context = try Context()
        let router = try Socket(context, .router, options: SocketOptions { $0.routerMandatory = false })
        let stranger = try #require(RoutingID([0, 1, 2, 3, 4]))

        #expect(try router.send(frames("x"), to: stranger) == .sent)
    }

    // Row 2: with MANDATORY nothing is lost at the high-water mark.
    @Test func `a ROUTER at the high-water mark would block, and loses nothing`() throws {
        let linked = try Linked(
            router: SocketOptions { $0.sendHighWaterMark = 3 },
            dealer: SocketOptions { $0.receiveHighWaterMark = 4 })

        var sentCount: UInt8 = 0
        while try linked.router.send([[sentCount], []], to: linked.peer) == .sent { sentCount += 1 }
        #expect(sentCount == 7)
        #expect(try linked.router.send(sharing: Message([1]), to: linked.peer) == .wouldBlock)

        for number in 0..<sentCount {
            #expect(try linked.dealer.nextMessage().frames == [[number], []])
        }
        #expect(try linked.dealer.receive() == nil)
    }

    @Test func `a DEALER at the high-water mark would block until its peer has read`() throws {
        let linked = try Linked(
            router: SocketOptions { $0.receiveHighWaterMark = 2 },
            dealer: SocketOptions { $0.sendHighWaterMark = 2 })

        var sentCount = 0
        while try linked.dealer.send(frames("x")) == .sent { sentCount += 1 }
        #expect((3...4).contains(sentCount))
        for _ in 0..<sentCount { _ = try linked.router.nextMessage() }

        try linked.dealer.waitForOutput()
        #expect(try linked.dealer.send(frames("y")) == .sent)
        #expect(try linked.router.nextMessage().frames == frames("y"))
    }

    @Test func `a DEALER without any connection would block`() throws {
        let context = try Context()
        let dealer = try Socket(context, .dealer)

        #expect(try dealer.send(frames("x", "y")) == .wouldBlock)
    }

    // Row 8.
    @Test(arguments: [false, true])
    func `an immediate DEALER would block until a connection stands, another takes the message`(
        immediate: Bool
    ) throws {
        let context = try Context()
        let dead = try PlainTCP.bound()
        let dealer = try Socket(context, .dealer, options: SocketOptions { $0.immediate = immediate })
        try dealer.connect(to: dead.endpoint)

        #expect(try dealer.send(frames("x")) == (immediate ? .wouldBlock : .sent))
        withExtendedLifetime(dead) {}
    }

    @Test func `a message whose connection ends in the middle is gone whole, and the next one is whole`() throws {
        let context = try Context()
        let first = try Socket(context, .router)
        let second = try Socket(context, .router)
        let dealer = try Socket(context, .dealer)
        let firstEndpoint = try first.bind(endpoint("inproc://first"))
        let secondEndpoint = try second.bind(endpoint("inproc://second"))
        try dealer.connect(to: firstEndpoint)

        var message = OutgoingMessage(dealer.handle)
        try message.append([1], more: true)
        try dealer.disconnect(from: firstEndpoint)
        try dealer.connect(to: secondEndpoint)
        try message.append([2], more: true)
        try message.append([3], more: true)
        try message.append([4], more: false)
        #expect(message.result == .wouldBlock)

        #expect(try dealer.send([[5], [6]]) == .sent)
        #expect(try second.nextMessage().frames == [[5], [6]])
        #expect(try first.receive() == nil)
    }

    @Test func `shared bytes reach many peers, and the message stays as it is`() throws {
        let context = try Context()
        let router = try Socket(context, .router)
        let endpoint = try router.bind(endpoint("inproc://router"))
        let large = [UInt8](repeating: 9, count: 10_000)
        let message = Message(large)
        let left = try Socket(context, .dealer)
        let right = try Socket(context, .dealer)
        try left.connect(to: endpoint)
        try right.connect(to: endpoint)
        #expect(try left.send(frames("hello")) == .sent)
        #expect(try right.send(sharing: message) == .sent)

        for _ in 0..<2 {
            let peer = try #require(try router.nextMessage().routingID)
            #expect(try router.send(frames("header"), sharing: message, to: peer) == .sent)
        }

        #expect(try left.nextMessage().frames == [Array(text: "header"), large])
        #expect(try right.nextMessage().frames == [Array(text: "header"), large])
        let bytes = message.bytes
        #expect(bytes == large)
    }

    @Test func `a frame that is written in place arrives, and is not written where it cannot be sent`() throws {
        let linked = try Linked(router: SocketOptions { $0.sendHighWaterMark = 1 })
        let bytes = (0..<300).map { UInt8(truncatingIfNeeded: $0) }
        var writtenCount = 0
        func send(_ byteCount: Int, _ socket: borrowing Socket, to peer: RoutingID? = nil) throws -> SendResult {
            let bytes = bytes.prefix(byteCount)
            func write(_ room: UnsafeMutableRawBufferPointer) {
                writtenCount += 1
                // The room is for as many bytes as were asked for.
                unsafe room.copyBytes(from: bytes)
            }
            guard let peer else { return try socket.send(byteCount: byteCount) { room in unsafe write(room) } }
            return try socket.send(byteCount: byteCount, to: peer) { room in unsafe write(room) }
        }

        for byteCount in [300, 3, 0] {
            #expect(try send(byteCount, linked.router, to: linked.peer) == .sent)
            #expect(try linked.dealer.nextMessage().frames == [Array(bytes.prefix(byteCount))])
        }
        #expect(try send(300, linked.dealer) == .sent)
        #expect(try linked.router.nextMessage().frames == [bytes])
        #expect(writtenCount == 4)

        #expect(try send(3, linked.router, to: RoutingID([0, 1, 2, 3, 4])) == .unroutable)
        while try linked.router.send(frames("x"), to: linked.peer) == .sent {}
        #expect(try send(3, linked.router, to: linked.peer) == .wouldBlock)
        #expect(writtenCount == 4)
        #expect(try send(3, Socket(linked.context, .dealer)) == .wouldBlock)
    }

    @Test func `sending in the wrong form traps`() async {
        await #expect(processExitsWith: trap) {
            let router = try Socket(Context(), .router)
            _ = try router.send([[1]])
        }
        await #expect(processExitsWith: trap) {
            let dealer = try Socket(Context(), .dealer)
            _ = try dealer.send([])
        }
    }
}
