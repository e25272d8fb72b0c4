import Commands
import Foundation
import Platform
import Postgres
package import PrivateCluster
import TestSupport

/// The private cluster that all tests of a process share, and databases in it, one for each test.
///
/// Where the server is missing or too old, every test that asks for it fails with the sentence that says so.
package actor TestCluster {
    /// The cluster of this process, started with the first use; its server ends with the process.
    package static let shared = TestCluster()

    private enum State {
        case none
        case starting(Task<PrivateCluster, any Error>)
    }

    private var state = State.none
    private var count = 0
    private var template: Task<Void, any Error>?

    /// The cluster, when it answers.
    package func cluster() async throws -> PrivateCluster {
        if case .starting(let task) = state { return try await task.value }
        let task = Task { try await Self.start() }
        state = .starting(task)
        return try await task.value
    }

    private static func start() async throws -> PrivateCluster {
        let environment = ProcessInfo.processInfo.environment
        let parent = FileManager.default.temporaryDirectory.path
        let pattern = "\(parent.utf8.count <= 40 ? parent : "/tmp")/pgXXXXXX"
        var template = Array(pattern.utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw POSIXError(.EIO) }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        try FileManager.default.setAttributes([.posixPermissions: 0o711], ofItemAtPath: folder)
        // The folder goes when the next tests begin, since nothing runs after the last one.
        removeLeftovers(in: URL(filePath: folder).deletingLastPathComponent().path, except: folder)
        var options = PrivateCluster.Options()
        // Processes are killed here, and no machine loses power.
        options.settings = ["fsync=off", "synchronous_commit=off", "max_connections=120"]
        let cluster = try await PrivateCluster(folder: "\(folder)/c", environment: environment, options: options)
        let (ready, source) = AsyncStream<Void>.makeStream()
        let failure = Kept()
        Task.detached {
            do {
                try await cluster.run(onTrouble: { _ in }, onReady: { source.yield() })
            } catch {
                failure.error.withLock { $0 = error }
            }
            source.finish()
        }
        for await _ in ready { return cluster }
        throw failure.error.withLock { $0 } ?? POSIXError(.EIO)
    }

    private final class Kept: Sendable {
        let error = Lock<(any Error)?>(nil)
    }

    /// Removes the folders of test processes that have ended; nothing of a server that runs.
    private static func removeLeftovers(in parent: String, except own: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? [] where name.hasPrefix("pg") {
            let folder = "\(parent)/\(name)"
            let pid = (try? String(contentsOfFile: "\(folder)/c/data/postmaster.pid", encoding: .utf8))
                .flatMap { $0.split(separator: "\n").first.flatMap { Int32($0) } }
            guard name.count == 8, folder != own, pid.map({ kill($0, 0) != 0 }) ?? false else { continue }
            try? FileManager.default.removeItem(atPath: folder)
        }
    }

    /// The connection string of a new, empty database.
    package func database() async throws -> String { try await database(from: "template1") }

    /// The connection string of a new database that was prepared once, by a closure.
    package func database(
        preparedBy prepare: @escaping @Sendable (String) async throws -> Void
    ) async throws -> String {
        let task =
            template
            ?? Task { try await prepare(try await self.database(named: "modele", from: "template1")) }
        template = task
        try await task.value
        return try await database(from: "modele")
    }

    private func database(from template: String) async throws -> String {
        count += 1
        return try await database(named: "t\(count)", from: template)
    }

    private func database(named name: String, from template: String) async throws -> String {
        let string = try await cluster().connectionString
        return try await run(on: string, name, template)
    }

    private func run(on string: String, _ name: String, _ template: String) async throws -> String {
        let database = Database(string, connections: 1)
        defer { database.close() }
        try await database.connection { connection in
            try connection.run(Script(file: "CREATE DATABASE \(name) TEMPLATE \(template)"))
        }
        return string.replacing("dbname=postgres", with: "dbname=\(name)")
    }
}
