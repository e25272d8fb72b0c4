import Testing

@testable import ZeroMQ

@Suite(.timeLimit(.minutes(20))) struct CurveTests {
    // Row 15: the routing id is what the peer says, the user id is who it is.
    @Test func `a client that forges its routing id is still known by its key`() throws {
        let server = try GuardedServer()
        var options = try server.clientOptions(name: "watch-7")
        options.routingID = RoutingID(Array(text: "watch-99"))
        let client = try server.connect(options)

        #expect(try client.send(frames("hello", "again")) == .sent)
        try server.serve(untilMessageCount: 1)

        let message = server.received[0]
        #expect(message.routingID == RoutingID(Array(text: "watch-99")))
        #expect(message.userID == "watch-7")
        #expect(message.frames == frames("hello", "again"))
        #expect(server.requests.count == 1)
        #expect(server.requests[0].domain == "pool")
        #expect(server.requests[0].address == "127.0.0.1")
    }

    @Test func `every message carries the name of its own sender`() throws {
        let server = try GuardedServer()
        let left = try server.connect(server.clientOptions(name: "left"))
        let right = try server.connect(server.clientOptions(name: "right"))

        for _ in 0..<5 {
            #expect(try left.send(frames("left")) == .sent)
            #expect(try right.send(frames("right")) == .sent)
        }
        try server.serve(untilMessageCount: 10)

        for message in server.received {
            #expect(message.frames == [Array(text: message.userID ?? "nobody")])
        }
    }

    @Test func `a frame received in place carries the name too`() throws {
        let server = try GuardedServer()
        let client = try server.connect(server.clientOptions(name: "watch-7"))
        #expect(try client.send(frames("first")) == .sent)
        try server.serve(untilMessageCount: 1)
        #expect(try client.send(frames("second")) == .sent)

        var poller = Poller()
        _ = poller.add(server.socket, for: .input)
        #expect(try poller.wait(timeout: patience) == 1)
        var routingID = Message()
        var frame = Message()
        #expect(try server.socket.receiveFrame(into: &routingID))
        #expect(try server.socket.receiveFrame(into: &frame))
        #expect(frame.bytes == Array(text: "second"))
        #expect(frame.userID == "watch-7")
    }

    @Test func `a client that is denied sees it, and reaches nothing`() throws {
        let server = try GuardedServer()
        let client = try Socket(server.context, .dealer, options: server.clientOptions(name: nil))
        let monitor = try client.monitor(.handshake)
        try client.connect(to: server.endpoint)
        #expect(try client.send(frames("let me in")) == .sent)

        let end = try server.serve(until: monitor) { _ in true }

        #expect(end == .handshakeFailedAuthentication(status: 400))
        try expectOthersAreServed(by: server)
    }

    @Test func `a handler that cannot tell keeps the client out`() throws {
        let server = try GuardedServer()
        server.answersInternalError = true
        let client = try Socket(server.context, .dealer, options: server.clientOptions(name: "watch-7"))
        let monitor = try client.monitor(.handshake)
        try client.connect(to: server.endpoint)

        let end = try server.serve(until: monitor) { _ in true }

        #expect(end == .handshakeFailedAuthentication(status: 500))
    }

    // Row 14: only the monitor shows it, and libzmq tries again forever.
    @Test func `a wrong server key is visible on the client, which never learns more`() throws {
        let server = try GuardedServer()
        var options = try server.clientOptions(name: "watch-7", serverKey: CurveKeyPair().publicKey)
        options.reconnect = .backoff(shortest: .milliseconds(1), longest: .milliseconds(10))
        let client = try Socket(server.context, .dealer, options: options)
        let monitor = try client.monitor([.handshake, .connection])
        try client.connect(to: server.endpoint)
        #expect(try client.send(frames("for another server")) == .sent)

        for _ in 0..<2 {
            _ = try server.serve(until: monitor) { if case .handshakeFailedNoDetail = $0 { true } else { false } }
            _ = try server.serve(until: monitor) { if case .connectRetried = $0 { true } else { false } }
        }

        #expect(server.requests.isEmpty)
        try expectOthersAreServed(by: server)
    }

    @Test func `a client without encryption gets nothing, and nobody is asked about it`() throws {
        let server = try GuardedServer()
        let client = try Socket(server.context, .dealer, options: SocketOptions { $0.reconnect = .never })
        let monitor = try client.monitor([.handshake, .connection])
        try client.connect(to: server.endpoint)
        // The connection may be lost before there is anything to send.
        _ = try client.send(frames("in the clear"))

        let end = try server.serve(until: monitor) { kind in
            switch kind {
            case .handshakeFailedNoDetail, .handshakeFailedProtocol, .disconnected, .closed: true
            default: false
            }
        }

        #expect(end != .handshakeSucceeded)
        #expect(server.requests.isEmpty)
        #expect(try client.receive() == nil)
        try expectOthersAreServed(by: server)
    }

    @Test(
        arguments: [
            [], Array(text: "GET / HTTP/1.1\r\n\r\n"), [UInt8](repeating: 0xFF, count: 5000),
            // A ZMTP 3.0 greeting for CURVE, then noise in place of the HELLO command.
            [0xFF, 0, 0, 0, 0, 0, 0, 0, 1, 0x7F, 3, 0] + Array(text: "CURVE") + [UInt8](repeating: 0, count: 15 + 32)
                + [4, 200] + [UInt8](repeating: 0xAA, count: 200),
        ] as [[UInt8]])
    func `a stranger that speaks anything else disturbs nobody`(bytes: [UInt8]) throws {
        let server = try GuardedServer()
        guard case .tcp(_, let port) = server.endpoint.transport else { return }
        let stranger = try PlainTCP.connected(to: port)

        stranger.write(bytes)

        try expectOthersAreServed(by: server)
        #expect(server.requests.count == 1)
        withExtendedLifetime(stranger) {}
    }

    // Row 12: anybody who needs CURVE to keep anybody out must name a domain, or make sure that a handler is there.
    @Test func `without a domain and a handler every key comes in, nameless`() throws {
        try connectWithoutHandler(domain: "") { server, client, _ in
            #expect(try client.send(frames("anybody")) == .sent)

            let message = try server.nextMessage()

            #expect(message.frames == frames("anybody"))
            #expect(message.userID == nil)
        }
    }

    @Test func `with a domain and no handler no key comes in`() throws {
        try connectWithoutHandler(domain: "pool") { server, _, monitor in
            let outcome = try monitor.next { _ in true }

            #expect(outcome.kind != .handshakeSucceeded)
            #expect(try server.receive() == nil)
        }
    }

    private func connectWithoutHandler(
        domain: String, _ body: (borrowing Socket, borrowing Socket, borrowing Monitor) throws -> Void
    ) throws {
        let context = try Context()
        let serverPair = try CurveKeyPair()
        var serverOptions = SocketOptions()
        serverOptions.security = .curveServer(secretKey: serverPair.secretKey, zapDomain: domain)
        let server = try Socket(context, .router, options: serverOptions)
        let endpoint = try server.bind(endpoint("tcp://127.0.0.1:*"))
        var clientOptions = SocketOptions()
        clientOptions.security = .curveClient(keyPair: try CurveKeyPair(), serverKey: serverPair.publicKey)
        let client = try Socket(context, .dealer, options: clientOptions)
        let monitor = try client.monitor(.handshake)
        try client.connect(to: endpoint)
        try body(server, client, monitor)
    }

    /// A client that may come in does, and its message is the only one there.
    private func expectOthersAreServed(by server: GuardedServer) throws {
        let known = try server.connect(server.clientOptions(name: "known"))
        #expect(try known.send(frames("hello")) == .sent)
        try server.serve(untilMessageCount: 1)
        #expect(server.received.map(\.userID) == ["known"])
    }
}
