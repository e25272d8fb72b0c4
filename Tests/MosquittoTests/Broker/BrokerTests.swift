import BrokerFixture
import Foundation
import Testing

@testable import Mosquitto

/// The brokers that the other tests stand on.
@Suite(.timeLimit(.minutes(1))) struct BrokerTests {
    @Test func `a broker can be stopped and started again at the same port`() async throws {
        let broker = try await Broker.start()
        var probe = try await Probe.connected(options(), to: broker)
        let port = broker.port

        await broker.stop()
        #expect(broker.processIdentifier == nil)
        #expect(await broker.logLine(containing: "running") == nil)
        #expect(try await probe.end() == .connectionLost(nil))
        var refused = try Probe(options(), to: broker)
        #expect(try await refused.end() == .unreachable(.connectionRefused))

        try await broker.restart()
        #expect(broker.port == port)
        var again = try await Probe.connected(options(), to: broker)
        try await again.disconnect()
    }

    @Test func `a broker that cannot start says why`() async throws {
        var configuration = Broker.Configuration()
        configuration.furtherLines = ["no_such_option true"]

        await #expect {
            _ = try await Broker.start(configuration)
        } throws: { error in
            "\(error)".contains("no_such_option")
        }
    }

    @Test func `a broker that nobody holds ends`() async throws {
        var probe = try await {
            let broker = try await Broker.start()
            return try await Probe.connected(options(), to: BrokerAddress(host: broker.host, port: broker.port))
        }()

        #expect(try await probe.end() == .connectionLost(nil))
    }

    // The process tells where its broker is by the name of a client, and ends when that loses its connection.
    @Test func `a broker does not outlive its process, however that ends`() async throws {
        let listener = try ScriptedListener()
        async let end = onlooker(listener)

        await #expect(processExitsWith: .signal(SIGKILL)) { [port = listener.port as Int] in
            let broker = try await Broker.start()
            let client = try Client(options(as: "port \(broker.port) \(broker.folder.path) ."))
            try client.connect(to: BrokerAddress(host: "127.0.0.1", port: port)) { event in
                if case .ended = event { _ = kill(getpid(), SIGKILL) }
            }
            try await Task.sleep(for: .seconds(60))
            withExtendedLifetime(broker) {}
        }

        let (reason, folder) = try await end
        #expect(reason == .connectionLost(nil))
        try FileManager.default.removeItem(atPath: folder)
    }

    /// Connects to the broker whose port is told, lets its process end, and waits for the end of the connection.
    private func onlooker(_ listener: ScriptedListener) async throws -> (reason: Client.EndReason, folder: String) {
        let peer = try await listener.accept()
        let words = String(decoding: try await peer.receive(), as: UTF8.self).split(separator: " ")
        try #require(words.count == 4)
        let port = try #require(Int(words[1]))
        var probe = try await Probe.connected(options(), to: BrokerAddress(host: "127.0.0.1", port: port))
        peer.close()
        return (try await probe.end(), String(words[2]))
    }

    @Test func `a line that never comes is not waited for by a cancelled task`() async throws {
        let broker = try await Broker.start()

        let task = Task { await broker.logLine(containing: "no such line") }
        task.cancel()

        #expect(await task.value == nil)
    }
}
