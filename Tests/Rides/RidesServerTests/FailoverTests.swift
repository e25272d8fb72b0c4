import Commands
import Foundation
import Postgres
import PrivateCluster
import ProgramFixture
import RidesApp
import RidesModel
import RidesServer
import TestSupport
import Testing

/// Two servers of which one follows the other, and takes over.
@Suite(.timeLimit(.minutes(20))) struct FailoverTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(_ cluster: PrivateCluster) async -> Task<Void, any Error> {
        let starts = Recorder<Int>()
        let running = Task { try await cluster.run(onTrouble: { _ in }, onReady: { starts.record(1) }) }
        await starts.wait { !$0.isEmpty }
        return running
    }

    /// Copies the files of a server that runs, as a server that follows it.
    private func copy(_ cluster: PrivateCluster, to place: String) async throws {
        try FileManager.default.createDirectory(
            atPath: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        var words = ["/usr/lib/postgresql/15/bin/pg_basebackup"]
        if geteuid() == 0 {
            try FileManager.default.setAttributes([.ownerAccountName: "postgres"], ofItemAtPath: place)
            words = ["/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] + words
        }
        let copied = try await Program.run(
            words.dropFirst() + [
                "-h", cluster.folder, "-U", "postgres", "-D", "\(place)/data", "-R", "-X", "stream", "-c", "fast",
            ], in: folder, program: words[0])
        #expect(copied.end == .exited(0), "\(copied.lines)")
    }

    @Test func `work goes on where changes are taken when the first server is gone, and nothing is lost or doubled`()
        async throws
    {
        let environment = ProcessInfo.processInfo.environment
        var options = PrivateCluster.Options()
        options.settings = ["fsync=off"]
        let first = try await PrivateCluster(folder: folder.path("a"), environment: environment, options: options)
        let firstRunning = await run(first)
        let both = "host='\(folder.path("a")),\(folder.path("b"))' user=postgres dbname=postgres"
        let database = Database(
            both + " target_session_attrs=read-write", connections: 2, patience: .seconds(600))
        defer { database.close() }
        _ = try await Migrator(database).run()
        try await database.execute(
            "INSERT INTO utilisateurs (role, email, password_hash) VALUES ('client', 'a@b', '!')")
        try await copy(first, to: folder.path("b"))
        let second = try await PrivateCluster(folder: folder.path("b"), environment: environment, options: options)
        let secondRunning = await run(second)
        let follower = Database(second.connectionString, connections: 1, patience: .seconds(600))
        defer { follower.close() }

        let store = RidesStore(database)
        let command = RidesCommand.ask(depart: try Town.place(), arrivee: try Town.place(north: 900))
        let key = String(repeating: "0c", count: 16)
        let ride = try await store.perform(command, key: key, as: .client(1))
        // The follower takes no change, and soon has what the first server has.
        let error = await #expect(throws: PostgresError.self) {
            try await follower.connection { try $0.run(Script(file: "DELETE FROM commande")) }
        }
        #expect(error?.sqlState == "25006")
        try await poll("the follower has the ride") {
            try await follower.transaction(isReadOnly: true) { connection in
                try connection.execute("SELECT count(*) AS n FROM courses").first?["n"] == 1
            }
        }

        firstRunning.cancel()
        try await firstRunning.value
        let waiting = Task { try await store.perform(command, key: key, as: .client(1)) }
        try await follower.connection { try $0.run(Script(file: "SELECT pg_promote()")) }
        #expect(try await waiting.value == ride, "the same command has the same answer at the other server")
        #expect(try await store.courses(nil, limit: 9, as: .operatorOnly).map(\.id) == [ride])
        #expect(try await store.perform(.cancel(reason: "late"), key: nil, as: .client(1)) == ride)
        secondRunning.cancel()
        try await secondRunning.value
    }
}
