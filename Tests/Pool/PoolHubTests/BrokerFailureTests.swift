import BrokerFixture
import Foundation
import Logging
import MQTT
import PoolControl
import PoolModel
import TestSupport
import Testing

@testable import PoolHub

/// Failures of a connection and the recovery from them, with real brokers (pool-domain 5.1 and 5.3).
@Suite struct BrokerFailureTests {
    /// A connection to a broker, with its events.
    final class Line: Sendable {
        let states = Recorder<BrokerState>()
        let messages = Recorder<Message>()
        let copies = Recorder<Message>()
        let connection: BrokerConnection
        private let task: Task<Void, Never>

        init(
            port: Int, identifier: String = "hub", filters: Set<String> = ["pool/#"],
            _ change: (inout BrokerConnection.Settings) -> Void = { _ in }
        ) {
            var settings = BrokerConnection.Settings(
                server: Server(id: ServerID(high: 0, low: 1), name: "Home", host: "127.0.0.1", port: port),
                password: nil, clientIdentifier: identifier, statusTopic: "poolsensors/\(identifier)/status")
            settings.tempo.waits = 0.02
            settings.connectTimeout = .milliseconds(500)
            change(&settings)
            connection = BrokerConnection(
                settings, memory: nil, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
                listener: .init(
                    onMessages: { [messages] arrived, _ in
                        for message in arrived { messages.record(message) }
                        return .acknowledge
                    }, onCopy: { [copies] in copies.record($0) }, onState: { [states] in states.record($0) }))
            connection.want(filters)
            task = Task { [connection] in await connection.run() }
        }

        func end() async {
            task.cancel()
            await task.value
        }

        /// Waits for a state with this reason.
        func waits(_ words: String) async -> Bool {
            var needsAttention = false
            await states.wait { $0.contains { $0.reason?.text.contains(words) == true } }
            for state in states.items where state.reason?.text.contains(words) == true {
                needsAttention = state.reason?.needsAttention == true
            }
            return needsAttention
        }

        func connects(after count: Int = 0) async {
            await states.wait { $0.dropFirst(count).contains { $0.isConnected } }
        }
    }

    @Test func `refused credentials are tried slowly, say what to do, and work once they are allowed`() async throws {
        // P18, P20
        var configuration = Broker.Configuration()
        configuration.passwords = ["hub": "right"]
        let broker = try await Broker.start(configuration)
        let file = broker.folder.appending(path: "passwords")
        let allowed = try Data(contentsOf: file)
        try Data().write(to: file)
        await broker.stop()
        try await broker.restart()

        let line = Line(port: broker.port) {
            $0.server.username = "hub"
            $0.password = "right"
        }
        #expect(await line.waits("--password-stdin"))
        #expect(!broker.log.contains { $0.contains("SUBSCRIBE") })
        try allowed.write(to: file)
        await broker.stop()
        try await broker.restart()
        await line.connects()

        await line.end()
        await broker.stop()
    }

    @Test func `a hub whose name a second one uses says so, and both slow down`() async throws {
        // P16, pool-domain 5.1
        let broker = try await Broker.start()
        let lines = [Line(port: broker.port), Line(port: broker.port)]

        for line in lines { #expect(await line.waits("second hub")) }

        for line in lines { await line.end() }
        await broker.stop()
    }

    @Test func `a broker that is stopped in its tracks is noticed, and found again`() async throws {
        // Half-open: the system accepts the connection, and no program answers.
        let broker = try await Broker.start()
        broker.suspend()
        let line = Line(port: broker.port)
        #expect(await line.waits("did not answer") == false)
        broker.resume()
        await line.connects()
        await line.end()
        await broker.stop()
    }

    @Test func `a refused subscription is shown, and the others work`() async throws {
        // SUBACK 0x80
        var configuration = Broker.Configuration()
        configuration.subscribableTopics = ["open/#"]
        let broker = try await Broker.start(configuration)
        let line = Line(port: broker.port, filters: ["open/pool", "closed/pool"])
        await line.states.wait { $0.contains { !$0.refusals.isEmpty } }
        #expect(line.connection.current.refusals.map(\.filter) == ["closed/pool"])
        #expect("\(line.connection.current)".contains("the broker refuses to deliver closed/pool"))
        line.connection.want(["open/pool"])
        await line.states.wait { $0.last?.refusals.isEmpty == true }
        await line.end()
        await broker.stop()
    }

    @Test func `a name that leads nowhere is tried again`() async throws {
        let line = Line(port: 1883) {
            $0.server.host = "no.such.host.invalid"
            $0.connectTimeout = .seconds(10)
        }
        await line.states.wait { $0.filter { $0.reason != nil }.count >= 2 }
        #expect(line.states.items.compactMap(\.reason).allSatisfy { !$0.needsAttention })
        await line.end()
    }

    @Test func `overlapping filters bring each message once`() async throws {
        let broker = try await Broker.start()
        let line = Line(port: broker.port, filters: ["pool/+/state", "pool/main/+", "pool/main/state", "end"])
        _ = await broker.logLine(containing: "end (QoS 1)")
        let publisher = try await Publisher(broker)

        try await publisher.publish("1", to: "pool/main/state")
        try await publisher.publish("2", to: "pool/main/state")
        try await publisher.publish("3", to: "end")
        await line.messages.wait { $0.contains { $0.topic.text == "end" } }

        #expect(line.messages.items.map { String(decoding: $0.payload, as: UTF8.self) } == ["1", "2", "3"])
        await line.end()
        await broker.stop()
    }

    @Test func `a session that went on without a filter gets it again`() async throws {
        // X9
        let broker = try await Broker.start()
        let line = Line(port: broker.port, filters: ["pool/a"])
        _ = await broker.logLine(containing: "pool/a (QoS 1)")
        let other = try await Publisher(broker)
        line.connection.startAnew()
        await line.states.wait { $0.filter(\.isConnected).count >= 2 }
        line.connection.want(["pool/a", "pool/b"])
        _ = await broker.logLine(containing: "pool/b (QoS 1)")
        try await other.publish("1", to: "pool/b")
        await line.messages.wait { !$0.isEmpty }
        #expect(broker.log.filter { $0.contains("pool/a (QoS 1)") }.count >= 2)
        await line.end()
        await broker.stop()
    }
}

extension BrokerState {
    fileprivate var reason: (text: String, needsAttention: Bool)? {
        guard case .waiting(let text, let needsAttention) = phase else { return nil }
        return (text, needsAttention)
    }
}
