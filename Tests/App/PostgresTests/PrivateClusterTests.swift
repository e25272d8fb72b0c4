import Commands
import Foundation
import Platform
import Postgres
import PrivateCluster
import TestSupport
import Testing

/// A server that belongs to one program.
@Suite(.timeLimit(.minutes(20))) struct PrivateClusterTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: [
        ("15.18", false), ("15.20", true), ("14.99", false), ("15.9", false), ("16.2", true), ("", false),
    ])
    func `a server below 15.20 is refused by name and version`(_ version: String, _ isTaken: Bool) {
        let path = "/usr/lib/postgresql/15/bin/postgres"
        guard !isTaken else {
            #expect(throws: Never.self) { try Installation.check(version, of: path) }
            return
        }
        let failure = #expect(throws: CommandFailure.self) { try Installation.check(version, of: path) }
        #expect(
            failure?.description.hasPrefix("\(path) is PostgreSQL \(version), and 15.20 or newer is needed") == true)
        #expect(failure?.description.hasSuffix(".ci/install postgresql-15 postgresql-15-postgis-3") == true)
    }

    @Test func `it has no port, keeps what was committed through kill -9, and ends with its task`() async throws {
        var options = PrivateCluster.Options()
        options.settings = ["fsync=off"]
        let cluster = try await PrivateCluster(
            folder: folder.path("c"), environment: ProcessInfo.processInfo.environment, options: options)
        let (starts, troubles) = (Recorder<Int>(), Recorder<String>())
        let running = Task {
            try await cluster.run(onTrouble: troubles.record, onReady: { starts.record(1) })
        }
        await starts.wait { !$0.isEmpty }
        let database = Database(cluster.connectionString, connections: 1, patience: .seconds(600))
        defer { database.close() }
        let (address, user) = try await database.transaction { connection in
            try connection.execute("CREATE TABLE t AS SELECT 1 AS n")
            let row = try #require(
                try connection.execute(
                    "SELECT current_setting('listen_addresses') AS a, current_setting('unix_socket_permissions') AS u"
                ).first)
            return (try row["a"] as String, try row["u"] as String)
        }
        #expect(address.isEmpty && !user.isEmpty)

        let killed = try #require(cluster.processIdentifier)
        let before = ContinuousClock.now
        kill(killed, SIGKILL)
        await troubles.wait { !$0.isEmpty }
        try await poll("the server runs again") { cluster.processIdentifier.map { $0 != killed } ?? false }
        let count = try await database.transaction { try $0.execute("SELECT count(*) AS n FROM t").first?["n"] as Int? }
        #expect(count == 1)
        #expect(troubles.items == ["the database was ended by signal 9; it is started again"])
        // Three seconds are meant; a machine that is busy may take longer.
        #expect(before.duration(to: .now) < .seconds(60))

        let process = try #require(cluster.processIdentifier)
        running.cancel()
        try await running.value
        #expect(kill(process, 0) != 0, "the server has ended")
    }

    @Test func `a server that is killed again and again, also while it starts, comes back`() async throws {
        var options = PrivateCluster.Options()
        options.settings = ["fsync=off"]
        let cluster = try await PrivateCluster(
            folder: folder.path("c"), environment: ProcessInfo.processInfo.environment, options: options)
        let starts = Recorder<Int>()
        let running = Task {
            try await cluster.run(onTrouble: { _ in }, onReady: { starts.record(1) })
        }
        await starts.wait { !$0.isEmpty }
        let database = Database(cluster.connectionString, connections: 1, patience: .seconds(600))
        defer { database.close() }
        try await database.execute("CREATE TABLE t AS SELECT 1 AS n")
        for _ in 0..<4 {
            let killed = try #require(cluster.processIdentifier)
            kill(killed, SIGKILL)
            // Its file is there long before it answers.
            try await poll("another server starts") { cluster.processIdentifier.map { $0 != killed } ?? false }
        }
        let count = try await database.transaction { try $0.execute("SELECT count(*) AS n FROM t").first?["n"] as Int? }
        #expect(count == 1)
        running.cancel()
        try await running.value
    }

    @Test func `a folder that the server's user cannot enter is told with the way out`() async throws {
        guard geteuid() == 0 else { return }
        try FileManager.default.createDirectory(
            atPath: folder.path("closed"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let cluster = try await PrivateCluster(
            folder: folder.path("closed/c"), environment: ProcessInfo.processInfo.environment)
        let failure = await #expect(throws: CommandFailure.self) {
            try await cluster.run(onTrouble: { _ in }, onReady: {})
        }
        #expect(failure?.description.contains("chmod o+x \(folder.path("closed"))") == true)
        let long = String(repeating: "d", count: 90)
        await #expect(throws: CommandFailure.self) {
            try await PrivateCluster(folder: "/tmp/\(long)", environment: [:])
        }
    }
}
