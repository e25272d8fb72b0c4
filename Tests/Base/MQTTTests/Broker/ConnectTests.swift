import BrokerFixture
import SystemPackage
import Testing

@testable import MQTT

@Suite(.timeLimit(.minutes(20))) struct ConnectTests {
    @Test(arguments: ProtocolVersion.allCases)
    func `a broker accepts a client and sees it go`(version: ProtocolVersion) async throws {
        let broker = try await Broker.start()
        var probe = try Probe(options(version, as: "someone"), to: broker)

        #expect(try await probe.acknowledgement().isSessionPresent == false)
        probe.client.disconnect()

        #expect(try await probe.end() == .closed)
        #expect(await broker.logLine(containing: "Client someone disconnected.") != nil)
    }

    @Test(arguments: ProtocolVersion.allCases)
    func `a name that nobody chose is chosen by the broker`(version: ProtocolVersion) async throws {
        let broker = try await Broker.start()
        var probe = try Probe(options(version), to: broker)

        let acknowledgement = try await probe.acknowledgement()

        #expect((acknowledgement.assignedClientIdentifier != nil) == (version == .v5))
    }

    @Test func `a broker of MQTT 5 tells its limits`() async throws {
        var configuration = Broker.Configuration()
        configuration.furtherLines = [
            "max_qos 1", "retain_available false", "max_packet_size 2000", "max_inflight_messages 7",
            "max_keepalive 25",
        ]
        let broker = try await Broker.start(configuration)
        var probe = try Probe(options(.v5, as: "someone"), to: broker)

        var expected = Client.ConnectAcknowledgement(isSessionPresent: false)
        expected.maximumQualityOfService = .atLeastOnce
        expected.isRetainAvailable = false
        expected.maximumPacketByteCount = 2000
        expected.receiveMaximum = 7
        expected.serverKeepAliveSeconds = 25
        #expect(try await probe.acknowledgement() == expected)
        let topic = try TopicName("a")
        #expect(throws: MQTTError.qualityOfServiceNotSupported(.exactlyOnce)) {
            try probe.client.publish([], to: topic, qualityOfService: .exactlyOnce)
        }
        #expect(throws: MQTTError.packetTooLarge(byteCount: 3000)) {
            try probe.client.publish(Array(repeating: 0, count: 3000), to: topic)
        }
    }

    // Rows P7 and P18.
    @Test(arguments: ProtocolVersion.allCases, ["right", "wrong", nil])
    func `a password decides`(version: ProtocolVersion, password: String?) async throws {
        var configuration = Broker.Configuration()
        configuration.passwords = ["me": "right"]
        let broker = try await Broker.start(configuration)
        var options = options(version, as: "someone")
        options.credentials = password.map { Credentials(userName: "me", password: $0) }
        var probe = try Probe(options, to: broker)

        if password == "right" {
            _ = try await probe.acknowledgement()
        } else {
            let number: UInt8 = version == .v5 ? 0x87 : 5
            let reason = try await probe.end()
            #expect(reason == .refused(ConnectProblem(protocolVersion: version, number: number)))
            #expect(reason.needsAttention)
        }
    }

    // Row P11, and the same for a broker that comes back later.
    @Test func `a port at which nobody listens is unreachable`() async throws {
        let port = try ClosedPort()
        var probe = try Probe(options(), to: BrokerAddress(host: "127.0.0.1", port: port.port), of: port)

        let reason = try await probe.end()

        #expect(reason == .unreachable(.connectionRefused))
        #expect(reason.description == "cannot connect: Connection refused")
    }

    // A label of more than 63 characters is refused by the system itself, without a name server.
    @Test func `a host that nobody knows has no address`() async throws {
        let host = String(repeating: "x", count: 64) + ".invalid"
        var probe = try Probe(options(), to: BrokerAddress(host: host, port: 1883))

        let reason = try await probe.end()

        guard case .nameNotFound(host, let words) = reason else { throw Probe.Unexpected(event: .ended(reason)) }
        #expect(!words.isEmpty)
    }

    @Test func `a name that leads nowhere is told in the words of the system`() async throws {
        let lookup = NameLookup { _ in .failure(NameLookup.Failure(words: "ask again later")) }
        var probe = try Probe(options(), to: BrokerAddress(host: "broker.example", port: 1883), lookup: lookup)

        #expect(try await probe.end() == .nameNotFound(host: "broker.example", words: "ask again later"))
    }

    @Test(arguments: [false, true])
    func `a lookup that never ends holds up nobody`(isClosed: Bool) async throws {
        let patience = Gate()
        let lookup = NameLookup { _ in
            patience.waitUntilOpen()
            return .success([])
        }
        defer { patience.open() }
        var options = options()
        options.connectTimeout = isClosed ? .seconds(3600) : .milliseconds(50)
        var probe = try Probe(options, to: BrokerAddress(host: "broker.example", port: 1883), lookup: lookup)
        if isClosed { try await onThreadOfItsOwn { [client = probe.client] in client.close() } }

        #expect(try await probe.end() == (isClosed ? .closed : .timedOut(.lookingUpName)))
    }

    @Test func `the addresses of a name are tried in turn`() async throws {
        let broker = try await Broker.start()
        let lookup = NameLookup { _ in
            let texts = ["127.0.0.77", "127.0.0.78", "127.0.0.1"]
            return .success(texts.map { NumericAddress(family: .ipv4, text: $0) })
        }
        let address = try BrokerAddress(host: "broker.example", port: broker.port)
        var probe = try Probe(options(), to: address, of: broker, lookup: lookup)

        _ = try await probe.acknowledgement()
    }

    @Test(arguments: ProtocolVersion.allCases)
    func `a stopped broker is given up in time`(version: ProtocolVersion) async throws {
        let broker = try await Broker.start()
        broker.suspend()
        var options = options(version)
        options.connectTimeout = .milliseconds(100)
        var probe = try Probe(options, to: broker)

        #expect(try await probe.end() == .timedOut(.awaitingAcknowledgement))
    }

    @Test(arguments: ProtocolVersion.allCases)
    func `a broker that is killed ends the connection`(version: ProtocolVersion) async throws {
        let broker = try await Broker.start()
        var probe = try await Probe.connected(options(version), to: broker)

        await broker.kill()

        #expect(try await probe.end() == .connectionLost(nil))
        #expect(throws: MQTTError.notConnected) { try probe.client.publish([], to: TopicName("a")) }
    }

    @Test(arguments: ProtocolVersion.allCases)
    func `a broker that is stopped ends the connection`(version: ProtocolVersion) async throws {
        let broker = try await Broker.start()
        var probe = try await Probe.connected(options(version), to: broker)

        await broker.stop()

        // Only MQTT 5 tells why, and mosquitto 2.0.11 does not.
        let reason = try await probe.end()
        let isTold = version == .v5 && reason == .disconnected(.serverShuttingDown)
        #expect(isTold || reason == .connectionLost(nil))
    }

    // Row P16: a second client with the same name takes the session over.
    @Test(arguments: ProtocolVersion.allCases)
    func `a session that is taken over ends the connection`(version: ProtocolVersion) async throws {
        let broker = try await Broker.start()
        var first = try await Probe.connected(options(version, as: "twin"), to: broker)
        let second = try await Probe.connected(options(version, as: "twin"), to: broker)

        // Only MQTT 5 tells why, and mosquitto only from 2.0.15 on.
        let reason = try await first.end()
        let isTold = version == .v5 && reason == .disconnected(.sessionTakenOver)
        #expect(isTold || reason == .connectionLost(nil))
        withExtendedLifetime(second) {}
    }

    // Row P15, with the shortest interval; a half-open connection is noticed within twice of it.
    @Test func `a broker that falls silent is noticed by the keep alive`() async throws {
        let broker = try await Broker.start()
        var options = options()
        options.keepAliveSeconds = 5
        var probe = try await Probe.connected(options, to: broker)

        broker.suspend()

        #expect(try await probe.end() == .keepAliveExpired)
    }
}
