import Testing

@testable import ZeroMQ

@Suite struct SocketOptionsTests {
    /// An option, the socket it is for, and what libzmq must say about it afterwards.
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        var kind = SocketKind.router
        let change: @Sendable (inout SocketOptions) -> Void
        let option: Int32
        let value: Int32

        var testDescription: String { name }
    }

    @Test(arguments: [
        Row(name: "no linger", change: { _ in }, option: Number.linger, value: 0),
        Row(name: "linger", change: { $0.linger = .microseconds(1500) }, option: Number.linger, value: 2),
        Row(name: "send queue", change: { $0.sendHighWaterMark = 64 }, option: Number.sendHighWaterMark, value: 64),
        Row(
            name: "receive queue", change: { $0.receiveHighWaterMark = 0 }, option: Number.receiveHighWaterMark,
            value: 0),
        Row(name: "immediate", change: { $0.immediate = true }, option: Number.immediate, value: 1),
        Row(name: "ipv6", change: { $0.ipv6 = true }, option: Number.ipv6, value: 1),
        Row(name: "backlog", change: { $0.backlog = 4096 }, option: Number.backlog, value: 4096),
        Row(
            name: "handshake", change: { $0.handshakeInterval = .seconds(5) }, option: Number.handshakeInterval,
            value: 5000),
        Row(
            name: "connect timeout", change: { $0.connectTimeout = .milliseconds(700) }, option: Number.connectTimeout,
            value: 700),
        Row(
            name: "heartbeat interval", change: { $0.heartbeat = heartbeat }, option: Number.heartbeatInterval,
            value: 2000),
        Row(
            name: "heartbeat timeout", change: { $0.heartbeat = heartbeat }, option: Number.heartbeatTimeout,
            value: 6000),
        Row(
            name: "heartbeat life", change: { $0.heartbeat = heartbeat }, option: Number.heartbeatTimeToLive,
            value: 7000),
        Row(name: "reconnect", change: { $0.reconnect = backoff }, option: Number.reconnectInterval, value: 100),
        Row(
            name: "reconnect longest", change: { $0.reconnect = backoff }, option: Number.reconnectIntervalMax,
            value: 30_000),
        Row(name: "no reconnect", change: { $0.reconnect = .never }, option: Number.reconnectInterval, value: -1),
        Row(name: "no security", change: { _ in }, option: Number.mechanism, value: Number.mechanismNull),
        Row(
            name: "CURVE server", change: { $0.security = server }, option: Number.mechanism,
            value: Number.mechanismCurve),
        Row(name: "CURVE server role", change: { $0.security = server }, option: Number.curveServer, value: 1),
        Row(
            name: "CURVE client", kind: .dealer, change: { $0.security = client }, option: Number.mechanism,
            value: Number.mechanismCurve),
    ])
    func `libzmq has the option as given`(row: Row) throws {
        let socket = try Socket(Context(), row.kind, options: SocketOptions(row.change))

        #expect(try socket.handle.option(row.option, as: Int32.self) == row.value)
    }

    @Test func `libzmq has the size limit, the keys, the domain and the routing id as given`() throws {
        let options = SocketOptions {
            $0.maxMessageSize = 1 << 20
            $0.security = Self.client
            $0.routingID = RoutingID([1, 2, 3])
        }
        let dealer = try Socket(Context(), .dealer, options: options)
        let router = try Socket(Context(), .router, options: SocketOptions { $0.security = Self.server })

        #expect(try dealer.handle.option(Number.maxMessageSize, as: Int64.self) == 1 << 20)
        #expect(try dealer.handle.option(Number.curveServerKey, maxByteCount: 32) == [UInt8](repeating: 1, count: 32))
        #expect(try dealer.handle.option(Number.curvePublicKey, maxByteCount: 32) == Self.pair?.publicKey.bytes)
        #expect(try dealer.handle.option(Number.curveSecretKey, maxByteCount: 32) == Self.pair?.secretKey.bytes)
        #expect(try dealer.handle.option(Number.routingID, maxByteCount: 255) == [1, 2, 3])
        #expect(try router.handle.option(Number.zapDomain, maxByteCount: 255) == Array(text: "pool") + [0])
    }

    @Test(arguments: [
        Row(name: "sendHighWaterMark = -1", change: { $0.sendHighWaterMark = -1 }, option: 0, value: 0),
        Row(name: "receiveHighWaterMark", change: { $0.receiveHighWaterMark = .max }, option: 0, value: 0),
        Row(name: "maxMessageSize = -1", change: { $0.maxMessageSize = -1 }, option: 0, value: 0),
        Row(name: "linger = -1.0 seconds", change: { $0.linger = .seconds(-1) }, option: 0, value: 0),
        Row(name: "linger", change: { $0.linger = .seconds(10_000_000) }, option: 0, value: 0),
        Row(name: "heartbeat.timeToLive", change: { $0.heartbeat = long }, option: 0, value: 0),
        Row(name: "routerHandover", kind: .dealer, change: { $0.routerHandover = true }, option: 0, value: 0),
        Row(name: "routingID", change: { $0.routingID = RoutingID([0, 1]) }, option: 0, value: 0),
    ])
    func `an option out of range is an error that names it`(row: Row) throws {
        let error = #expect(throws: ZeroMQError.self) {
            _ = try Socket(Context(), row.kind, options: SocketOptions(row.change))
        }

        #expect(error?.code == "invalid-argument")
        #expect(error?.failedCall?.subject.hasPrefix(row.name) == true)
        #expect(error?.description.contains("Correct the value") == true)
    }

    @Test(arguments: [("", true), ("pool", true), (String(repeating: "x", count: 256), false)])
    func `a ZAP domain may be empty, and is short`(domain: String, isGood: Bool) throws {
        let options = SocketOptions {
            guard let pair = Self.pair else { return }
            $0.security = .curveServer(secretKey: pair.secretKey, zapDomain: domain)
        }
        var error: ZeroMQError?
        do throws(ZeroMQError) {
            _ = try Socket(Context(), .router, options: options)
        } catch let failure {
            error = failure
        }

        #expect(error?.code == (isGood ? nil : "invalid-argument"))
    }

    // Row 6.
    @Test func `without handover the second peer of the same routing id is never heard`() throws {
        let context = try Context()
        let router = try Socket(context, .router)
        let endpoint = try router.bind(endpoint("inproc://router"))
        let options = SocketOptions { $0.routingID = RoutingID([9]) }
        let first = try Socket(context, .dealer, options: options)
        try first.connect(to: endpoint)
        #expect(try first.send(frames("first")) == .sent)
        #expect(try router.nextMessage().frames == frames("first"))

        let second = try Socket(context, .dealer, options: options)
        try second.connect(to: endpoint)
        #expect(try second.send(frames("second")) == .sent)
        #expect(try first.send(frames("first again")) == .sent)
        #expect(try router.nextMessage().frames == frames("first again"))
        #expect(try router.receive() == nil)
    }

    private static let heartbeat = SocketOptions.Heartbeat(
        interval: .seconds(2), timeout: .seconds(6), timeToLive: .seconds(7))
    private static let long = SocketOptions.Heartbeat(
        interval: .seconds(2), timeout: .seconds(6), timeToLive: .seconds(6554))
    private static let backoff = SocketOptions.Reconnect.backoff(shortest: .milliseconds(100), longest: .seconds(30))
    // Nil only where libzmq has no CURVE, which other tests say more clearly.
    private static let pair = try? CurveKeyPair()
    private static let serverKey = try? CurvePublicKey(bytes: [UInt8](repeating: 1, count: 32))
    private static var server: SocketOptions.Security {
        guard let pair else { return .none }
        return .curveServer(secretKey: pair.secretKey, zapDomain: "pool")
    }
    private static var client: SocketOptions.Security {
        guard let pair, let serverKey else { return .none }
        return .curveClient(keyPair: pair, serverKey: serverKey)
    }
}

/// Options and mechanisms as zmq.h numbers them; these numbers never change.
private enum Number {
    static let mechanismNull: Int32 = 0
    static let mechanismCurve: Int32 = 2
    static let routingID: Int32 = 5
    static let linger: Int32 = 17
    static let reconnectInterval: Int32 = 18
    static let backlog: Int32 = 19
    static let reconnectIntervalMax: Int32 = 21
    static let maxMessageSize: Int32 = 22
    static let sendHighWaterMark: Int32 = 23
    static let receiveHighWaterMark: Int32 = 24
    static let immediate: Int32 = 39
    static let ipv6: Int32 = 42
    static let mechanism: Int32 = 43
    static let curveServer: Int32 = 47
    static let curvePublicKey: Int32 = 48
    static let curveSecretKey: Int32 = 49
    static let curveServerKey: Int32 = 50
    static let zapDomain: Int32 = 55
    static let handshakeInterval: Int32 = 66
    static let heartbeatInterval: Int32 = 75
    static let heartbeatTimeToLive: Int32 = 76
    static let heartbeatTimeout: Int32 = 77
    static let connectTimeout: Int32 = 79
}
