import ArgumentParser
import Commands
import Foundation
import PrivateCluster

/// Measures the statements that grow with the number of drivers, on a private database.
@main
struct RidesBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "RidesBench", abstract: "Measures searches, accepts and places on a private database.",
        discussion: """
            pgbench, which comes with PostgreSQL, runs the same searches and accepts on the
            same database. With --keep it prints how to connect, and goes on running.
            """)

    @Option(help: ArgumentHelp("How many drivers, 100 to 2000000.", valueName: "count")) var drivers = 100_000
    @Flag(help: "Keep the database running until Ctrl-C.") var keep = false

    func validate() throws {
        guard (100...2_000_000).contains(drivers) else {
            throw ValidationError("--drivers is \(drivers), expected 100 to 2000000")
        }
    }

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        let folder = try ScratchFolder.make(prefix: "rides-bench", environment: environment)
        defer { ScratchFolder.remove(folder, program: "RidesBench") }
        try FileManager.default.setAttributes([.posixPermissions: 0o711], ofItemAtPath: folder)
        let cluster = try await PrivateCluster(folder: "\(folder)/d", environment: environment)
        let pgbench = Pgbench(
            installation: try await Installation(environment: environment), connection: cluster.connectionString,
            folder: folder, environment: environment)
        let (drivers, keep) = (drivers, keep)
        let (ready, source) = AsyncStream<Void>.makeStream()
        _ = try await untilStopped {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await cluster.run(onTrouble: { Output.errors.line($0) }, onReady: { source.finish() })
                }
                group.addTask {
                    for await _ in ready {}
                    try await Bench(cluster.connectionString, drivers: drivers, pgbench: pgbench).run()
                    guard keep else { return }
                    Output.standard.line("connect with: psql \"\(cluster.connectionString)\"")
                    let (nothing, open) = AsyncStream.makeStream(of: Never.self)
                    await withTaskCancellationHandler {
                        for await _ in nothing {}
                    } onCancel: {
                        open.finish()
                    }
                }
                defer { group.cancelAll() }
                try await group.next()
            }
        }
    }
}
