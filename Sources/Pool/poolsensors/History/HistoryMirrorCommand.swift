import ArgumentParser
import CommandSupport
import Foundation
import HistoryMirror
import Platform
import PoolHub
import PoolModel
import PoolStore
import Postgres
import Text

/// Mirrors the history into PostgreSQL.
struct HistoryMirrorCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "mirror", abstract: "Copies all readings into a PostgreSQL database, and goes on with new ones.",
        discussion: """
            The hub's own history stays what counts: the database gets its readings in the
            order of arrival, each once, whatever is killed or restarted. Runs beside the
            hub, until it is stopped; after that it goes on where it was. The readings are
            in the view poolsensors.readings. What is removed from the history stays there.

            If readings wait for an hour, this command and the hub say so. --once copies
            what there is, and ends; --lag only says what waits.

            Examples:
              poolsensors history mirror --database postgresql://pool@db.example/pool
              poolsensors history mirror --lag

            \(ExitStatus.help(.success, .failure, .warning, .noHub))
            """)

    @Option(
        help: ArgumentHelp(
            "The database, as postgresql://… or host=… ; a password may be in ~/.pgpass.", valueName: "string"))
    var database: String?

    @Flag(help: "Copy what there is, and end.")
    var once = false

    @Flag(help: "Say what waits, and end with 2 if it has waited for an hour.")
    var lag = false

    @Flag(help: "Forget here that there is a mirror, so that it gives no alarm; its readings stay.")
    var forget = false

    @Option(help: ArgumentHelp("How often it looks for new readings: 1s to 10m.", valueName: "duration"))
    var every = "5s"

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp("The name of this hub in the database; by default a part of its key.", valueName: "name"))
    var name: String?

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    private var pause: Duration? {
        DurationText.duration(every).flatMap { (.seconds(1)...(.seconds(600))).contains($0) ? $0 : nil }
    }

    func validate() throws {
        guard [database != nil, lag, forget].count(where: \.self) == 1 else {
            throw ValidationError("give one of --database, --lag and --forget")
        }
        if pause == nil { throw ValidationError("--every is \"\(every)\", expected 1s to 10m") }
        if let name, name.isEmpty || name.utf8.count > 64 || name.unicodeScalars.contains("\0") {
            throw ValidationError("--as has \(name.utf8.count) bytes, expected a name of 1 to 64 bytes")
        }
    }

    func run(in context: CommandContext) async throws {
        let folder = try context.folders.hub
        let history = HubFolder.historyPath(path: folder)
        do {
            if forget {
                try MirrorMark.remove(ofHistory: history)
                return try json.write(done: "the hub does not watch a mirror; what the database has stays there")
            }
            if lag { return try showLag(of: history) }
            guard let database, let hub = try name ?? HubFolder.hubName(path: folder) else {
                throw CommandFailure(
                    "there is no hub in \(folder); \(try context.folders.startAdvice)", exitStatus: .noHub)
            }
            try await mirror(history, of: hub, into: database)
        } catch let code as ExitCode {
            throw code
        } catch {
            throw CommandFailure(error)
        }
    }

    private func showLag(of history: String) throws {
        guard let mark = try MirrorMark.read(ofHistory: history) else {
            throw CommandFailure("nothing was mirrored yet: begin with `poolsensors history mirror --database`")
        }
        let lag = try HistoryTail(path: history).lag(behind: mark)
        try json.write(done: lag.words(at: .now))
        if lag.isAlarming(at: .now) { throw ExitCode(.warning) }
    }

    private func mirror(_ history: String, of hub: String, into string: String) async throws {
        let database = Database(string, connections: 1)
        defer { database.close() }
        let mirror = HistoryMirror(history: history, hub: hub, database: database)
        let run = MirrorRun(mirror, pause: pause ?? .seconds(5))
        if once {
            let count = try await run.once()
            return try json.write(done: "copied \(count) readings of \(hub)")
        }
        try json.write(done: "mirrors the readings of \(hub)")
        _ = try await untilStopped {
            try await run.run { news in
                switch news {
                case .copied(let count, let lag):
                    // A sentence can always be written.
                    try? json.write(done: "copied \(count) readings; \(lag.words(at: .now))")
                case .trouble(let reason):
                    Output.errors.line("poolsensors: \(PlainText.oneLine(reason)); it is tried again")
                case .alarm(let lag):
                    Output.errors.line("poolsensors: ALARM: the mirror is behind: \(lag.words(at: .now))")
                case .caughtUp: Output.errors.line("poolsensors: the mirror has all readings again")
                }
            }
        }
    }
}
