import BrokerFixture
import Foundation
import SystemPackage
import Testing

@testable import MQTT

/// The brokers that the other tests stand on.
@Suite(.timeLimit(.minutes(20))) struct BrokerTests {
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

    // The process tells where its broker is by way of another broker, and ends when it is told that somebody is there.
    // A suspended one is another thing: the system sends SIGHUP to stopped processes that nobody is left to let go on.
    @Test(arguments: [false, true])
    func `a broker does not outlive its process, however that ends`(isSuspended: Bool) async throws {
        let meeting = try await Broker.start()
        let (ends, end) = AsyncStream.makeStream(of: Client.EndReason.self)
        let (folders, folder) = AsyncStream.makeStream(of: String.self)
        let observer = try Client()
        let visitor = try Client()
        // Swift Testing waits for the process on the threads of tasks: until it has ended, no task may be needed.
        try observer.connect(to: BrokerAddress(host: meeting.host, port: meeting.port)) { event in
            switch event {
            case .connected:
                BrokerTests.succeed { try observer.subscribe(to: [TopicFilter("place")]) }
            case .message(let message):
                let words = String(decoding: message.payload, as: UTF8.self).split(separator: " ")
                folder.yield(String(words[1]))
                BrokerTests.succeed {
                    try visitor.connect(to: BrokerAddress(host: "127.0.0.1", port: Int(words[0]) ?? 0)) { event in
                        if case .connected = event {
                            BrokerTests.succeed { try observer.publish([], to: TopicName("end")) }
                        }
                        if case .ended(let reason) = event { end.yield(reason) }
                    }
                }
            default: break
            }
        }

        await #expect(processExitsWith: .signal(SIGKILL)) {
            [port = meeting.port as Int, isSuspended = isSuspended as Bool] in
            let broker = try await Broker.start()
            let client = try Client()
            try client.connect(to: BrokerAddress(host: "127.0.0.1", port: port)) { event in
                switch event {
                case .connected:
                    BrokerTests.succeed { try client.subscribe(to: [TopicFilter("end")]) }
                case .subscribed:
                    let words = Array("\(broker.port) \(broker.folder.path)".utf8)
                    BrokerTests.succeed { try client.publish(words, to: TopicName("place"), isRetained: true) }
                case .message:
                    if isSuspended { broker.suspend() }
                    _ = kill(getpid(), SIGKILL)
                default: break
                }
            }
            waitToBeEnded()
        }

        #expect(await ends.first { _ in true } == .connectionLost(nil))
        // Nobody else can remove it.
        try FileManager.default.removeItem(atPath: try #require(await folders.first { _ in true }))
        observer.disconnect()
    }

    private static func succeed(_ body: () throws -> Void) {
        do { try body() } catch { Issue.record(error) }
    }

    @Test func `a line that never comes is not waited for by a cancelled task`() async throws {
        let broker = try await Broker.start()

        let task = Task { await broker.logLine(containing: "no such line") }
        task.cancel()

        #expect(await task.value == nil)
    }
}
