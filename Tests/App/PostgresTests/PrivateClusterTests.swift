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
        let server = try await Running(in: folder.path("c"))
        let database = Database(server.cluster.connectionString, connections: 1, patience: .seconds(600))
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

        try await server.killAndWait()
        let count = try await database.transaction { try $0.execute("SELECT count(*) AS n FROM t").first?["n"] as Int? }
        #expect(count == 1)
        #expect(server.troubles.items.first == "the database was ended by signal 9; it is started again")

        let process = try #require(server.cluster.processIdentifier)
        try await server.end()
        #expect(kill(process, 0) != 0, "the server has ended")
    }

    @Test func `a server that is killed again and again, also while it starts, comes back`() async throws {
        let server = try await Running(in: folder.path("c"))
        let database = Database(server.cluster.connectionString, connections: 1, patience: .seconds(600))
        defer { database.close() }
        try await database.execute("CREATE TABLE t AS SELECT 1 AS n")
        // Its file is there long before it answers.
        for _ in 0..<4 { try await server.killAndWait() }
        let count = try await database.transaction { try $0.execute("SELECT count(*) AS n FROM t").first?["n"] as Int? }
        #expect(count == 1)
        try await server.end()
    }

    @Test(arguments: ["data/postmaster.pid", ".s.PGSQL.5432.lock"])
    func `a server that was killed before it wrote a lock file starts`(_ file: String) async throws {
        try await Running(in: folder.path("c")).end()
        try Data().write(to: URL(filePath: folder.path("c/\(file)")))
        try await Running(in: folder.path("c")).end()
    }

    @Test func `files that were being made when the program was killed are made anew`() async throws {
        try await Running(in: folder.path("c")).end()
        // So far initdb had come: the version is there, the tables are not.
        try FileManager.default.moveItem(atPath: folder.path("c/data"), toPath: folder.path("c/data.new"))
        try FileManager.default.removeItem(atPath: folder.path("c/data.new/global"))
        let server = try await Running(in: folder.path("c"))
        #expect(!FileManager.default.fileExists(atPath: folder.path("c/data.new")))
        try await server.end()
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

    /// A server that runs in a task; its failure ends each wait for it.
    private struct Running {
        let cluster: PrivateCluster
        let troubles = Recorder<String>()
        private let task: Task<Void, any Error>
        private let failures = Recorder<String>()

        init(in folder: String) async throws {
            var options = PrivateCluster.Options()
            options.settings = ["fsync=off"]
            let cluster = try await PrivateCluster(
                folder: folder, environment: ProcessInfo.processInfo.environment, options: options)
            let (starts, troubles, failures) = (Recorder<Int>(), troubles, failures)
            self.cluster = cluster
            task = Task {
                do {
                    try await cluster.run(onTrouble: troubles.record, onReady: { starts.record(1) })
                } catch {
                    failures.record("\(error)")
                    throw error
                }
            }
            try await poll("the server answers") {
                try #require(failures.items.isEmpty)
                return !starts.items.isEmpty
            }
        }

        /// Kills it and waits until another one has its files.
        func killAndWait() async throws {
            let killed = try #require(cluster.processIdentifier)
            kill(killed, SIGKILL)
            try await poll("another server starts") {
                try #require(failures.items.isEmpty)
                return cluster.processIdentifier.map { $0 != killed } ?? false
            }
        }

        func end() async throws {
            task.cancel()
            try await task.value
        }
    }
}
