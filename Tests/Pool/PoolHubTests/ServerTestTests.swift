import BrokerFixture
import PoolControl
import PoolHub
import PoolModel
import Testing

/// The five outcomes of a server test (P11), with real brokers.
@Suite struct ServerTestTests {
    private func server(_ broker: Broker, _ change: (inout Server) -> Void = { _ in }) -> Server {
        var server = Server(
            id: ServerID(high: 0, low: 1), name: "Home", host: broker.host, port: broker.port)
        change(&server)
        return server
    }

    @Test(arguments: Server.ProtocolVersion.allCases)
    func `success, and bad credentials`(_ version: Server.ProtocolVersion) async throws {
        // P6, P7, P11, P18
        var configuration = Broker.Configuration()
        configuration.passwords = ["hub": "right"]
        let broker = try await Broker.start(configuration)
        let tried = server(broker) {
            $0.username = "hub"
            $0.protocolVersion = version
        }
        #expect(await ServerTest.run(tried, password: "right").code == .success)
        #expect(await ServerTest.run(tried, password: "wrong").code == .badCredentials)
        await broker.stop()
    }

    @Test func `nobody there`() async throws {
        // P11
        let broker = try await Broker.start()
        let tried = server(broker)
        await broker.stop()
        #expect(await ServerTest.run(tried, password: nil).code == .unreachable)
    }

    @Test func `a broker that does not answer`() async throws {
        // P11
        let broker = try await Broker.start()
        broker.suspend()
        #expect(await ServerTest.run(server(broker), password: nil, timeout: .milliseconds(300)).code == .timedOut)
        await broker.stop()
    }

    @Test func `TLS: the right authority, another one, another name, an expired certificate, the wrong port`()
        async throws
    {
        // P8, P11, P116
        let certificates = try await Certificates.make()
        var configuration = Broker.Configuration()
        configuration.certificates = certificates
        let broker = try await Broker.start(configuration)
        func tried(host: String, authority: String) -> Server {
            Server(
                id: ServerID(high: 0, low: 1), name: "Home", host: host, port: broker.port, usesTLS: true,
                caFile: authority)
        }
        let right = tried(host: "localhost", authority: certificates.authority)
        #expect(await ServerTest.run(right, password: nil).code == .success)
        let stranger = tried(host: "localhost", authority: certificates.strangeAuthority)
        #expect(await ServerTest.run(stranger, password: nil).code == .tlsAuthority)
        let otherName = tried(host: "127.0.0.1", authority: certificates.authority)
        #expect(await ServerTest.run(otherName, password: nil).code == .tlsHost)
        let plain = server(broker)
        #expect(await ServerTest.run(plain, password: nil).code == .tlsExpected)
        await broker.stop()

        configuration.isCertificateExpired = true
        let expired = try await Broker.start(configuration)
        var late = right
        late.port = expired.port
        #expect(await ServerTest.run(late, password: nil).code == .tlsExpired)
        await expired.stop()

        let unencrypted = try await Broker.start()
        var eager = right
        eager.port = unencrypted.port
        let result = await ServerTest.run(eager, password: nil)
        #expect(result.code == .tlsNotSpoken)
        #expect(result.reason?.contains("--no-tls") == true)
        await unencrypted.stop()
    }
}
