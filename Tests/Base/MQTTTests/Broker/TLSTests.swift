import BrokerFixture
import Testing

@testable import MQTT

@Suite(.timeLimit(.minutes(20))) struct TLSTests {
    private let certificates: Certificates

    init() async throws {
        certificates = try await Certificates.make()
    }

    private func broker(_ change: (inout Broker.Configuration) -> Void = { _ in }) async throws -> Broker {
        var configuration = Broker.Configuration()
        configuration.certificates = certificates
        change(&configuration)
        return try await Broker.start(configuration)
    }

    /// A client that connects to the name in the broker's certificate, if no other one is given.
    private func probe(
        _ tls: TLSConfiguration?, _ version: ProtocolVersion = .v311, to broker: Broker, host: String = "localhost"
    ) throws -> Probe {
        var options = options(version)
        options.tls = tls
        return try Probe(options, to: BrokerAddress(host: host, port: broker.port), of: broker)
    }

    private var trusting: TLSConfiguration { TLSConfiguration(trust: .file(path: certificates.authority)) }

    // Row P8.
    @Test(arguments: ProtocolVersion.allCases)
    func `messages of any size go through TLS`(version: ProtocolVersion) async throws {
        let broker = try await broker()
        var reader = try probe(trusting, version, to: broker)
        var writer = try probe(trusting, version, to: broker)
        _ = try await (reader.acknowledgement(), writer.acknowledgement())
        try await reader.subscribe(to: "a")

        for byteCount in [0, 1, 16_384, 262_144] {
            let payload = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            try await writer.publish(payload, to: "a")
            #expect(try await reader.message().payload == payload)
        }
        for number in 0..<200 { try writer.client.publish(Array("\(number)".utf8), to: TopicName("a")) }
        for number in 0..<200 { #expect(try await reader.text() == "\(number)") }
        try await reader.disconnect()
    }

    @Test func `what was published before the goodbye is sent`() async throws {
        let broker = try await broker()
        var reader = try probe(trusting, to: broker)
        var writer = try probe(trusting, to: broker)
        _ = try await (reader.acknowledgement(), writer.acknowledgement())
        try await reader.subscribe(to: "a")

        for number in 0..<20 { try writer.client.publish(Array("\(number)".utf8), to: TopicName("a")) }
        try await onThreadOfItsOwn { [client = writer.client] in client.close() }

        for number in 0..<20 { #expect(try await reader.text() == "\(number)") }
    }

    @Test func `trust may lie in a folder`() async throws {
        let broker = try await broker()
        let tls = TLSConfiguration(trust: .directory(path: certificates.authorityFolder), minimumVersion: .v13)
        var probe = try probe(tls, to: broker)

        _ = try await probe.acknowledgement()
        try await probe.disconnect()
    }

    // Row P8.
    @Test(arguments: [false, true])
    func `a broker that no trusted authority vouches for is refused`(isSystem: Bool) async throws {
        let broker = try await broker()
        let trust: TLSConfiguration.Trust = isSystem ? .system : .file(path: certificates.strangeAuthority)
        var probe = try probe(TLSConfiguration(trust: trust), to: broker)

        let reason = try await probe.end()

        #expect(reason.code == "tls-failed")
        #expect(reason.fault == .unknownAuthority, "\(reason)")
        #expect(reason.needsAttention)
    }

    // Row P8.
    @Test func `a broker with another name is refused`() async throws {
        let broker = try await broker()
        var probe = try probe(trusting, to: broker, host: "127.0.0.1")
        var reason = try await probe.end()
        // On a machine that is held up, the connection may end before the certificate was looked at.
        for _ in 0..<4 where !"\(reason)".hasSuffix("it names localhost") {
            #expect(reason.fault == .wrongHost, "\(reason)")
            var another = try self.probe(trusting, to: broker, host: "127.0.0.1")
            reason = try await another.end()
        }

        #expect(reason.code == "tls-failed")
        #expect(reason.fault == .wrongHost, "\(reason)")
        #expect("\(reason)".hasSuffix("it names localhost"), "\(reason)")
        #expect(reason.needsAttention)
    }

    @Test func `a broker at an address is accepted if its certificate has that address as one`() async throws {
        let broker = try await broker { $0.shownCertificate = certificates.address }
        var probe = try probe(trusting, to: broker, host: "127.0.0.1")

        _ = try await probe.acknowledgement()
        try await probe.disconnect()
    }

    @Test(arguments: [false, true])
    func `an address is no name, and the refusal shows what the certificate names`(isDNSName: Bool) async throws {
        let broker = try await broker {
            $0.shownCertificate = isDNSName ? certificates.addressAsName : certificates.addressAsCommonName
        }
        var probe = try probe(trusting, to: broker, host: "127.0.0.1")

        let reason = try await probe.end()

        #expect(reason.fault == .wrongHost, "\(reason)")
        #expect("\(reason)".hasSuffix("in the name of another host: it names 127.0.0.1"), "\(reason)")
    }

    @Test func `a broker whose certificate has expired is refused`() async throws {
        let broker = try await broker { $0.isCertificateExpired = true }
        var probe = try probe(trusting, to: broker)

        #expect(try await probe.end().fault == .expired)
    }

    @Test func `a check can be left out, one by one`() async throws {
        let broker = try await broker()
        var named = trusting
        named.verification = .authorityOnly
        var strange = TLSConfiguration(trust: .file(path: certificates.strangeAuthority), verification: .authorityOnly)

        var misnamed = try probe(named, to: broker, host: "127.0.0.1")
        _ = try await misnamed.acknowledgement()
        var refused = try probe(strange, to: broker)
        #expect(try await refused.end().code == "tls-failed")
        strange.verification = .none
        var unchecked = try probe(strange, to: broker, host: "127.0.0.1")
        _ = try await unchecked.acknowledgement()
    }

    @Test(arguments: TLSConfiguration.Version.allCases)
    func `a broker that asks for a certificate gets one`(version: TLSConfiguration.Version) async throws {
        let broker = try await broker { $0.requiresClientCertificate = true }
        var tls = trusting
        tls.minimumVersion = version
        var nameless = try probe(tls, to: broker)
        tls.identity = .init(certificatePath: certificates.client.certificate, keyPath: certificates.client.key)
        var known = try probe(tls, to: broker)

        let reason = try await nameless.end()
        // A broker that closes before its reason was read leaves only that it does speak TLS.
        #expect([.clientCertificate, .other].contains(reason.fault), "\(reason)")
        _ = try await known.acknowledgement()
        try await known.disconnect()
    }

    @Test func `a key that is not the certificate's is refused`() async throws {
        let broker = try await broker()
        var tls = trusting
        tls.identity = .init(certificatePath: certificates.client.certificate, keyPath: certificates.server.key)
        var probe = try probe(tls, to: broker)

        #expect(try await probe.end().code == "tls-failed")
    }

    @Test(arguments: ProtocolVersion.allCases)
    func `a broker that ends is noticed`(version: ProtocolVersion) async throws {
        let broker = try await broker()
        var probe = try probe(trusting, version, to: broker)
        _ = try await probe.acknowledgement()

        await broker.kill()

        #expect(try await probe.end() == .connectionLost(nil))
    }

    @Test func `a port that does not speak TLS is told so`() async throws {
        let broker = try await Broker.start()
        var probe = try probe(trusting, to: broker)

        let reason = try await probe.end()

        #expect(reason.fault == .notSpoken, "\(reason)")
    }

    @Test func `a client that does not speak TLS is turned away`() async throws {
        let broker = try await broker()
        var probe = try probe(nil, to: broker)

        let reason = try await probe.end()

        #expect(reason.code == "connection-lost", "\(reason)")
    }

    @Test func `a port that never answers the handshake is given up in time`() async throws {
        let listener = try ScriptedListener()
        var options = options()
        options.tls = trusting
        options.connectTimeout = .milliseconds(100)
        var probe = try Probe(options, to: listener)

        #expect(try await probe.end() == .timedOut(.awaitingAcknowledgement))
    }

    @Test(arguments: [false, true])
    func `a port that breaks off the handshake is told so`(isReset: Bool) async throws {
        let listener = try ScriptedListener()
        var options = options()
        options.tls = trusting
        var probe = try Probe(options, to: listener)
        let peer = try await listener.accept()
        try await peer.receive()

        if isReset { peer.reset() } else { peer.close() }

        let reason = try await probe.end()
        #expect(reason.code == "tls-failed", "\(reason)")
    }
}

extension Client.EndReason {
    /// What was wrong with TLS, nil if it was something else.
    fileprivate var fault: TLSProblem? {
        if case .tlsFailed(let fault, _) = self { fault } else { nil }
    }
}
