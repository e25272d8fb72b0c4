import Testing

@testable import ZeroMQ

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

@Suite struct BindTests {
    @Test(arguments: [
        ("tcp://127.0.0.1:*", "127.0.0.1"), ("tcp://127.0.0.1:0", "127.0.0.1"), ("tcp://*:*", "0.0.0.0"),
        ("tcp://lo:*", "127.0.0.1"),
    ])
    func `a wildcard becomes the real port`(text: String, host: String) throws {
        let socket = try Socket(Context(), .router)

        let bound = try socket.bind(endpoint(text))

        guard case .tcp(host, let port) = bound.transport else {
            Issue.record("bound to \(bound)")
            return
        }
        #expect(port != 0)
    }

    @Test func `IPv6 carries messages where it is switched on, and is refused where it is not`() throws {
        let context = try Context()
        let without = try Socket(context, .router)
        #expect(throws: ZeroMQError.self) { try without.bind(endpoint("tcp://[::1]:*")) }

        let options = SocketOptions { $0.ipv6 = true }
        let router = try Socket(context, .router, options: options)
        let dealer = try Socket(context, .dealer, options: options)
        let bound: Endpoint
        do {
            bound = try router.bind(endpoint("tcp://[::1]:*"))
        } catch let error as ZeroMQError where error.code == "address-not-available" {
            // A machine without IPv6 has no such address.
            return
        }
        try dealer.connect(to: bound)
        #expect(try dealer.send(frames("six")) == .sent)
        let message = try router.nextMessage()
        #expect(message.frames == frames("six"))
        #expect(message.peerAddress == "::1")
    }

    @Test func `a port in use is an error that names the endpoint and the way out`() throws {
        let context = try Context()
        let first = try Socket(context, .router)
        let second = try Socket(context, .router)
        let bound = try first.bind(endpoint("tcp://127.0.0.1:*"))

        let call = FailedCall(function: "zmq_bind", subject: bound.text, number: EADDRINUSE)
        let error = #expect(throws: ZeroMQError.addressInUse(call)) { try second.bind(bound) }

        let expected =
            "\(bound): Address already in use. "
            + "Another program listens there: choose another port, or end that program."
        #expect(error?.description == expected)
    }

    @Test func `an address of another machine cannot be bound`() throws {
        let socket = try Socket(Context(), .router)

        // 192.0.2.0/24 is reserved for documentation, RFC 5737.
        let foreign = #expect(throws: ZeroMQError.self) { try socket.bind(endpoint("tcp://192.0.2.1:*")) }
        let unknown = #expect(throws: ZeroMQError.self) { try socket.bind(endpoint("tcp://no-such-interface:*")) }

        #expect(foreign?.code == "address-not-available")
        #expect(unknown?.code == "address-not-available")
    }

    @Test func `an ipc path in a folder that does not exist cannot be bound`() throws {
        let socket = try Socket(Context(), .router)

        let error = #expect(throws: ZeroMQError.self) { try socket.bind(endpoint("ipc:///no/such/folder/socket")) }

        #expect(error?.code == "not-found")
        #expect(error?.failedCall?.subject == "ipc:///no/such/folder/socket")
    }

    @Test func `an ipc file is taken over without a word, so who must be alone keeps a lock`() throws {
        let context = try Context()
        let first = try Socket(context, .router)
        let second = try Socket(context, .router)
        let bound = try first.bind(endpoint("ipc://*"))

        #expect(try second.bind(bound) == bound)

        let dealer = try Socket(context, .dealer)
        try dealer.connect(to: bound)
        #expect(try dealer.send(frames("x")) == .sent)
        #expect(try second.nextMessage().frames == frames("x"))
    }

    @Test(arguments: ["tcp://*:5555", "tcp://127.0.0.1:*"])
    func `a wildcard cannot be connected to`(text: String) throws {
        let socket = try Socket(Context(), .dealer)

        let error = #expect(throws: ZeroMQError.self) { try socket.connect(to: endpoint(text)) }

        #expect(error?.code == "invalid-argument")
        #expect(error?.failedCall?.subject == text)
    }

    @Test func `what was bound and connected can be undone once`() throws {
        let context = try Context()
        let router = try Socket(context, .router)
        let dealer = try Socket(context, .dealer)
        let bound = try router.bind(endpoint("tcp://127.0.0.1:*"))
        try dealer.connect(to: bound)

        try dealer.disconnect(from: bound)
        try router.unbind(bound)

        let again = #expect(throws: ZeroMQError.self) { try dealer.disconnect(from: bound) }
        #expect(again?.code == "not-found")
        let unbound = #expect(throws: ZeroMQError.self) { try router.unbind(bound) }
        #expect(unbound?.code == "not-found")
    }
}
