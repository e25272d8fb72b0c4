import BrokerFixture
import CPowerCut
import Foundation
import GRDB
import Logging
import Platform
import PoolControl
import PoolHub
import PoolModel
import TestSupport
import Testing
import ZeroMQ

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// When the hub acknowledges a message to the broker, checked with the packets and the history's rows: after the commit
/// of its row, and never otherwise.
@Suite(.timeLimit(.minutes(20))) struct AcknowledgementTests {
    /// The history's file, read and disturbed through a separate connection.
    private final class Rows: Sendable {
        private let queue: DatabaseQueue

        init(_ folder: TestHubFolder) throws {
            var configuration = Configuration()
            configuration.allowsUnsafeTransactions = true
            configuration.busyMode = .timeout(60)
            queue = try DatabaseQueue(path: "\(folder.path)/history.sqlite", configuration: configuration)
        }

        /// The numbers of the messages whose rows are committed, in the order of the rows.
        func numbers() throws -> [Int] {
            try queue.read { try Double.fetchAll($0, sql: "SELECT orp FROM reading ORDER BY ordinal") }
                .map { Int($0) - Self.base }
        }

        /// Runs SQL on the file.
        func execute(_ sql: String) throws {
            try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
        }

        private static let base = 500

        /// The payload of a message whose row contains its number.
        static func payload(_ number: Int) -> String { #"{"orp":\#(base + number)}"# }

        /// Slows down each new row.
        func makeSlow() throws {
            try execute(
                """
                CREATE VIEW manyNumbers AS WITH RECURSIVE number (n) AS
                    (SELECT 1 UNION ALL SELECT n + 1 FROM number LIMIT 200000) SELECT n FROM number;
                CREATE TABLE waste (n);
                CREATE TRIGGER slow AFTER INSERT ON reading BEGIN
                    INSERT INTO waste SELECT count(*) FROM manyNumbers;
                END
                """)
        }

        /// Lets the commit of the transaction fail that contains the row of this message, but nothing before the
        /// commit.
        func poison(_ number: Int) throws {
            try execute(
                """
                CREATE TABLE poison (device INTEGER REFERENCES device (number) DEFERRABLE INITIALLY DEFERRED);
                CREATE TRIGGER poisoned AFTER INSERT ON reading WHEN NEW.orp = \(Self.base + number) BEGIN
                    INSERT INTO poison VALUES (-1);
                END
                """)
        }

        func heal() throws { try execute("DROP TRIGGER poisoned") }
    }

    private static let topic = "pool/1"
    private let folder: TestHubFolder

    init() throws { folder = try TestHubFolder() }

    /// Configures a stopped hub with a broker and a device.
    ///
    /// Returns the history, which exists afterwards.
    private func configure(_ broker: PacketBroker) async throws -> Rows {
        var server = ServerPatch()
        server.name = "Home"
        server.host = broker.host
        server.port = broker.port
        _ = try await HubClient.perform(.edit(.addServer(server)), path: folder.path)
        var device = DevicePatch()
        device.name = "Lagoon"
        device.topic = Self.topic
        device.serverID = try await folder.report().servers.first?.id
        _ = try await HubClient.perform(.edit(.addDevice(device)), path: folder.path)
        return try Rows(folder)
    }

    private func deliver(_ numbers: ClosedRange<Int>, by broker: PacketBroker) {
        broker.deliver(numbers.map(Rows.payload), to: Self.topic)
    }

    @Test func `no message is acknowledged before its row is committed, and ten are committed at once`() async throws {
        let rows = Lock<Rows?>(nil)
        let countsAtAcknowledgement = Recorder<Int>()
        let broker = try PacketBroker { _ in
            // Rows that cannot be read do not count.
            countsAtAcknowledgement.record((try? rows.withLock(\.self)?.numbers().count) ?? 0)
        }
        let history = try await configure(broker)
        rows.withLock { $0 = history }
        try history.makeSlow()
        deliver(1...25, by: broker)

        let hub = TestHub(folder)
        try await hub.start()
        await broker.heard.wait { $0.contains(.acknowledged(25)) }

        #expect(broker.acknowledged == Array(1...25))
        for (number, count) in zip(1..., countsAtAcknowledgement.items) {
            #expect(count >= min(25, (number + 9) / 10 * 10), "rows at the acknowledgement of message \(number)")
        }
        #expect(try history.numbers() == Array(1...25))
        try await hub.stop()
        await broker.end()
    }

    @Test(arguments: [1, 10, 11, 20, 21])
    func `a failed commit costs its group of ten the acknowledgements, and no other one`(poison: Int) async throws {
        let broker = try PacketBroker()
        let history = try await configure(broker)
        try history.poison(poison)
        deliver(1...25, by: broker)

        let hub = TestHub(folder)
        try await hub.start()
        await broker.heard.wait { $0.contains(.ended) || $0.contains(.acknowledged(25)) }

        let before = Array((1...25).prefix((poison - 1) / 10 * 10))
        #expect(broker.acknowledged == before)
        #expect(try history.numbers() == before)
        try history.heal()
        await broker.heard.wait { $0.contains(.acknowledged(25)) }
        #expect(broker.acknowledged == Array(1...25))
        #expect(try history.numbers() == Array(1...25))
        #expect(!broker.heard.items.dropFirst().contains(.connected(isSessionResumed: false)))
        try await hub.stop()
        await broker.end()
    }

    @Test func `while the file is locked nothing is acknowledged, and afterwards everything is stored once`()
        async throws
    {
        let broker = try PacketBroker()
        let history = try await configure(broker)
        let hub = TestHub(folder)
        try await hub.start()
        await broker.heard.wait { $0.contains(.subscribed([Self.topic])) }
        try history.execute("BEGIN IMMEDIATE")
        deliver(1...12, by: broker)

        await broker.heard.wait { $0.contains(.ended) || $0.contains(.acknowledged(25)) }
        #expect(broker.acknowledged == [])
        #expect(try history.numbers() == [])
        try history.execute("ROLLBACK")

        await broker.heard.wait { $0.contains(.acknowledged(12)) }
        #expect(broker.acknowledged == Array(1...12))
        #expect(try history.numbers() == Array(1...12))
        try await hub.stop()
        await broker.end()
    }

    @Test func `a message whose acknowledgement was lost is acknowledged again, and is one row`() async throws {
        let broker = try PacketBroker()
        let history = try await configure(broker)
        broker.loseNextAcknowledgement()
        deliver(1...1, by: broker)

        let hub = TestHub(folder)
        try await hub.start()
        await broker.heard.wait { $0.count { $0 == .acknowledged(1) } == 2 }
        deliver(2...2, by: broker)
        await broker.heard.wait { $0.contains(.acknowledged(2)) }

        #expect(broker.acknowledged == [1, 1, 2])
        #expect(broker.heard.items.contains(.connected(isSessionResumed: true)))
        #expect(try history.numbers() == [1, 2])
        try await hub.stop()
        await broker.end()
    }

    /// Whether the hub of this process has shown a value: the next bytes for the disk are those of its commit.
    private static let hasShown = Lock(false)

    @Test(arguments: [1, 12])
    func `a hub killed while the disk is asked to keep a commit stores each message once`(count: Int) async throws {
        let broker = try PacketBroker()
        let history = try await configure(broker)
        // If an acknowledgement is sent nevertheless, the broker loses it.
        broker.loseNextAcknowledgement()
        deliver(1...count, by: broker)

        await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.path as String] in
            let hub = try PoolHub(
                folder: HubFolder(path: path), options: .init(endpoint: try Endpoint("tcp://127.0.0.1:*")),
                logger: Logger(label: "test"),
                onEvent: { if case .reading = $0 { Self.hasShown.withLock { $0 = true } } })
            // A value is shown before the commit of its row. When the disk is asked to keep that, the row is in the file, or
            // only the beginning of a new write-ahead log.
            power_cut_take_syncs { descriptor in
                let file = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
                if AcknowledgementTests.hasShown.withLock(\.self), file?.contains("/history.sqlite") == true {
                    _ = kill(getpid(), SIGKILL)
                }
                return 0
            }
            try await hub.run()
        }
        await broker.heard.wait { $0.contains(.ended) || $0.contains(.acknowledged(25)) }
        let kept = try history.numbers()
        #expect(kept.isEmpty || kept == Array(1...min(count, 10)))

        let hub = TestHub(folder)
        try await hub.start()
        await broker.heard.wait { events in
            events.drop { $0 != .connected(isSessionResumed: true) }.contains(.acknowledged(count))
        }

        #expect(try history.numbers() == Array(1...count))
        try await hub.stop()
        await broker.end()
    }

    // Performance, design 5: what is shown promises nothing.
    @Test func `a hub killed after it has shown a value and before the commit stores it when it comes again`()
        async throws
    {
        let broker = try PacketBroker()
        let history = try await configure(broker)
        deliver(1...1, by: broker)

        await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.path as String] in
            let hub = try PoolHub(
                folder: HubFolder(path: path), options: .init(endpoint: try Endpoint("tcp://127.0.0.1:*")),
                logger: Logger(label: "test"),
                onEvent: { if case .reading = $0 { _ = kill(getpid(), SIGKILL) } })
            try await hub.run()
        }
        await broker.heard.wait { $0.contains(.ended) || $0.contains(.acknowledged(25)) }
        #expect(try history.numbers() == [])
        #expect(broker.acknowledged == [])

        let hub = TestHub(folder)
        try await hub.start()
        await broker.heard.wait { $0.contains(.acknowledged(1)) }
        #expect(try history.numbers() == [1])
        try await hub.stop()
        await broker.end()
    }
}
