import BrokerFixture
import SystemPackage
import TestSupport
import Testing

@testable import MQTT

/// Brokers that say what no mosquitto would, or not now.
@Suite(.timeLimit(.minutes(20))) struct ScriptedBrokerTests {
    private static let welcome: [ProtocolVersion: [UInt8]] = [
        .v311: [0x20, 0x02, 0x00, 0x00], .v5: [0x20, 0x03, 0x00, 0x00, 0x00],
    ]

    /// A client that gets these bytes for an answer, and the broker's end of its connection.
    private func answered(
        _ options: Client.Options = options(), with bytes: [UInt8]
    ) async throws -> (probe: Probe, peer: ScriptedListener.Peer) {
        let broker = try ScriptedListener()
        let probe = try Probe(options, to: broker)
        let peer = try await broker.accept()
        try await peer.receive()
        peer.send(bytes)
        return (probe, peer)
    }

    /// A client that was accepted, and the broker's end of its connection.
    private func accepted(
        _ version: ProtocolVersion = .v311
    ) async throws -> (probe: Probe, peer: ScriptedListener.Peer) {
        var (probe, peer) = try await answered(options(version), with: Self.welcome[version] ?? [])
        _ = try await probe.acknowledgement()
        return (probe, peer)
    }

    // Rows P6 and P16: no empty user name or password, and a clean session only if asked for.
    @Test func `a client says what it is told to say, and no more`() async throws {
        let broker = try ScriptedListener()
        var full = options(as: "me", session: .lasting)
        full.keepAliveSeconds = 300
        full.credentials = Credentials(userName: "", password: "pw")
        full.will = Will(topic: try TopicName("w"), payload: [0, 255])

        var bare = options(as: "me")
        bare.keepAliveSeconds = Client.Options().keepAliveSeconds
        let plainProbe = try Probe(bare, to: broker)
        let plain = try await broker.accept().receive()
        let fullProbe = try Probe(full, to: broker)
        let packet = try await broker.accept().receive()

        let name: [UInt8] = [0, 4, 0x4D, 0x51, 0x54, 0x54, 4]
        #expect(plain == [0x10, 14] + name + [0b0000_0010, 0, 30, 0, 2, 0x6D, 0x65])
        let rest: [UInt8] = [0, 2, 0x6D, 0x65, 0, 1, 0x77, 0, 2, 0, 255, 0, 0, 0, 2, 0x70, 0x77]
        #expect(packet == [0x10, 27] + name + [0b1110_1100, 0x01, 0x2C] + rest)
        withExtendedLifetime((plainProbe, fullProbe)) {}
    }

    @Test(arguments: [[0x20, 0x02, 0x00, 0x01], [0x20, 0x03, 0x00, 0x84, 0x00]] as [[UInt8]])
    func `a session that may goes on with MQTT 3_1_1, and leaves out what that cannot say`(refusal: [UInt8])
        async throws
    {
        let broker = try ScriptedListener()
        var configuration = BrokerSession.Configuration(
            destination: .broker(try BrokerAddress(host: broker.host, port: broker.port)), options: options(.v5),
            birth: nil)
        configuration.stepsDown = true
        let statuses = Recorder<SessionStatus>()
        let session = BrokerSession(
            configuration, remembered: [],
            handlers: BrokerSession.Handlers(
                onMessages: { _, _ in .acknowledge }, onCopy: { _ in }, onStatus: statuses.record, onRemember: { _ in })
        )
        let running = Task { await session.run() }
        let first = try await broker.accept()
        #expect(try await first.receive().dropFirst(8).first == 5)
        first.send(refusal)
        let packets = Packets(try await broker.accept())
        #expect(try await packets.next().body.dropFirst(6).first == 4)
        packets.peer.send([0x20, 0x02, 0x00, 0x00])
        await statuses.wait { all in
            if case .connected = all.last?.phase { all.last?.hasSteppedDown == true } else { false }
        }
        try await session.publish(
            [1], to: try TopicName("a"), qualityOfService: .atMostOnce, isRetained: false, expirySeconds: 5)
        let message = try await packets.next()
        #expect(message.kind == 0x30)
        #expect(message.body == [0, 1, 0x61, 1])
        running.cancel()
        await running.value
        withExtendedLifetime(first) {}
    }

    @Test(arguments: ProtocolVersion.allCases)
    func `packets that come byte by byte are understood`(version: ProtocolVersion) async throws {
        let properties: [UInt8] = version == .v5 ? [0] : []
        let payload = Array("hello".utf8)
        let message: [UInt8] = [0x30, UInt8(3 + properties.count + payload.count), 0, 1, 0x61] + properties + payload
        var (probe, peer) = try await answered(options(version), with: [])

        for byte in (Self.welcome[version] ?? []) + message { peer.send([byte]) }

        _ = try await probe.acknowledgement()
        #expect(try await probe.text() == "hello")
    }

    @Test func `a broker that knows MQTT 3 only refuses MQTT 5 as MQTT 3 does`() async throws {
        var (probe, peer) = try await answered(options(.v5), with: [0x20, 0x02, 0x00, 0x01])

        let reason = try await probe.end()

        guard case .refused(let refusal) = reason else { throw Probe.Unexpected(event: .ended(reason)) }
        #expect(refusal.reason == .unsupportedProtocolVersion)
        #expect(refusal.isPermanent)
        withExtendedLifetime(peer) {}
    }

    // Row P18.
    @Test(arguments: [UInt8(1), 2, 3, 4, 5])
    func `each number of MQTT 3 is a refusal of its own`(number: UInt8) async throws {
        var (probe, peer) = try await answered(with: [0x20, 0x02, 0x00, number])

        #expect(try await probe.end() == .refused(ConnectProblem(protocolVersion: .v311, number: number)))
        withExtendedLifetime(peer) {}
    }

    @Test func `a refusal of MQTT 5 brings the broker's words`() async throws {
        let words = Array("ask the janitor".utf8)
        let properties = [0x1F, 0, UInt8(words.count)] + words
        let packet = [0x20, UInt8(3 + properties.count), 0x00, 0x8A, UInt8(properties.count)] + properties
        var (probe, peer) = try await answered(options(.v5), with: packet)

        let refusal = ConnectProblem(protocolVersion: .v5, number: 0x8A, words: "ask the janitor")
        #expect(try await probe.end() == .refused(refusal))
        withExtendedLifetime(peer) {}
    }

    @Test func `a broker that accepts and says nothing is given up in time`() async throws {
        let listener = try ScriptedListener()
        var options = options()
        options.connectTimeout = .milliseconds(100)
        var probe = try Probe(options, to: listener)

        #expect(try await probe.end() == .timedOut(.awaitingAcknowledgement))
    }

    private static let nonsense: [[UInt8]] = [
        // Packets that there are not, at least not in MQTT 3, and an answer to a question that nobody asked.
        [0x00, 0x00], [0xF0, 0x00], [0x90, 0x03, 0x00, 0x07, 0x00],
        // A message to a topic with a wildcard, to no topic, to one with U+0000, and with a QoS that there is not.
        [0x30, 0x03, 0x00, 0x01, 0x2B], [0x30, 0x02, 0x00, 0x00], [0x30, 0x03, 0x00, 0x01, 0x00],
        [0x36, 0x05, 0x00, 0x01, 0x61, 0x00, 0x01],
        // A goodbye, which brokers of MQTT 3 do not say.
        [0xE0, 0x00],
    ]

    @Test(arguments: nonsense)
    func `a broker that breaks the protocol is left`(bytes: [UInt8]) async throws {
        var (probe, peer) = try await accepted()

        peer.send(bytes)

        let reason = try await probe.end()
        #expect(reason.code == "protocol-violated", "\(reason)")
        #expect(!reason.needsAttention)
    }

    @Test func `an answer for another number of filters breaks the protocol`() async throws {
        var (probe, peer) = try await accepted()

        let identifier = try probe.client.subscribe(to: [TopicFilter("a")])
        peer.send([0x90, 0x04, 0x00, UInt8(identifier.rawValue), 0x00, 0x00])

        #expect(try await probe.end() == .protocolViolated(.protocolError))
    }

    @Test func `a broker that talks nonsense from the start is called so`() async throws {
        var (probe, peer) = try await answered(with: [0x00, 0x00])

        #expect(try await probe.end().code == "protocol-violated")
        withExtendedLifetime(peer) {}
    }

    // Row P16, and 0x89 for a broker that may be tried again.
    @Test(arguments: [(UInt8(0x8E), true), (0x87, true), (0x89, false), (0xEE, false)])
    func `the reason of a goodbye is kept`(number: UInt8, needsAttention: Bool) async throws {
        var (probe, peer) = try await accepted(.v5)

        peer.send([0xE0, 0x01, number])

        let reason = try await probe.end()
        #expect(reason == .disconnected(ReasonCode(rawValue: number)))
        #expect(reason.needsAttention == needsAttention)
    }

    @Test func `a broker that closes or breaks the connection is told apart`() async throws {
        var (first, closing) = try await accepted()
        var (second, breaking) = try await accepted()

        closing.close()
        breaking.reset()

        let (closed, broken) = (try await first.end(), try await second.end())
        #expect(closed == .connectionLost(nil))
        #expect(broken == .connectionLost(.connectionReset))
    }
}
