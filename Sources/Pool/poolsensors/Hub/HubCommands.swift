import ArgumentParser
import CommandSupport
import Foundation
import Logging
import PoolControl
import PoolHub
import PoolModel
import SyncStore
import TerminalUI

/// The hub.
struct HubCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hub",
        abstract: "Runs the hub, describes a running one, backs it up, or restores a backup.",
        discussion: "See the help of `hub`, `hub info`, `hub backup` and `hub restore`.",
        subcommands: [RunHub.self, HubInfoCommand.self, HubBackupCommand.self, HubRestoreCommand.self],
        defaultSubcommand: RunHub.self)
}

/// Describes the running hub.
struct HubInfoCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Shows the version of the running hub, its process, and since when it runs.",
        discussion: """
            After an upgrade, it says whether the hub still runs the earlier program.

            Example:
              poolsensors hub info

            \(ExitStatus.help(.success, .failure, .noHub))
            """)

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let info = try await context.ask(.about)
        if json.isOn { return try json.write(info) }
        for line in Self.lines(info, readBy: Release.version) { Output.standard.line(PlainText.oneLine(line)) }
    }

    /// The description for a person, by a program of this version.
    static func lines(_ info: HubInfo, readBy version: String) -> [String] {
        [
            "PoolSensors \(info.version), process \(info.processID), since \(MomentText.of(info.startedAt))",
            "folder: \(info.folder)", "watches connect to: \(info.endpoint)",
        ] + (info.version == version ? [] : ["this program is \(version): restart the hub, so that both are the same"])
    }
}

/// Runs the hub.
struct RunHub: Configured {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Runs the hub: it receives readings, stores them, and sends them to its watches.",
        usage: """
            poolsensors hub [<options>]
            poolsensors hub info
            poolsensors hub backup <folder>
            poolsensors hub restore <folder>
            """,
        discussion: """
            In a terminal, the hub shows its screens: devices, alerts, history, watches and
            all settings; ? lists the keys, q asks and ends the hub, ^C ends it at once.
            Without a terminal, and with --plain, it prints what happens, and what it waits
            for. With --json, it prints one object for each event, readings included.

            While it runs, use these commands in another terminal: `server add`, `device
            detect` and `device add` to connect probes, `status` and `device show` to see
            the readings, `pair` to invite a watch, `limits` and `calibrate` to set limits
            and correct values, and `console` to see the same screens.

            Example:
              poolsensors hub --listen 192.168.1.20:7654

            \(ExitStatus.help(.success, .failure, .hangUp, .interrupted, .terminated))
            """)

    @Option(help: Catalog.hubListen.help)
    var listen: String?

    @Flag(help: "Print lines, also at a terminal.")
    var plain = false

    @Flag(help: "Print only problems, and what the hub waits for.")
    var quiet = false

    @Option(help: PoolJournal.help)
    var record: String?

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Screens") var screens: ScreenOptions

    @Option(help: ArgumentHelp("End when the holder of this file ends.", visibility: .hidden))
    var lifeline: String?

    @OptionGroup(title: "Common Options") var common: CommonOptions

    var flags: [String: String?] {
        screens.flags.merging([Catalog.hubListen.key: listen]) { $1 }
    }

    func validate() throws {
        if json.isOn, plain || quiet { throw ValidationError("give --json, or --plain and --quiet, not both") }
    }

    func run(in context: CommandContext) async throws {
        let endpoint = try context.settings.value(of: Catalog.hubListen)
        let folders = try context.folders
        try folders.prepare()
        let capabilities = try screens.capabilities(in: context)
        let options = PoolHub.Options(
            endpoint: endpoint, desktop: DesktopNotifier(environment: context.environment).desktop,
            recording: PoolJournal.ofHub(record))
        if !plain, !json.isOn, !quiet, let capabilities {
            let shell = try screens.shell(capabilities, in: context, lifeline: lifeline, quits: .hub)
            let end = try await HubScreens(folder: folders.hub, options: options, logger: context.logger)
                .run(shell, lifeline: lifeline)
            if end == .quit {
                Output.errors.line("the hub has ended; it receives readings again with: poolsensors hub")
            }
            if end.exitStatus != 0 { throw ExitCode(end.exitStatus) }
        } else {
            try await writeLines(folders.hub, options, context.logger)
        }
    }

    /// Runs the hub and writes events as lines.
    private func writeLines(_ path: String, _ options: PoolHub.Options, _ logger: Logger) async throws {
        let journal = HubJournal(style: json.isOn ? .json(isPretty: json.pretty) : quiet ? .quiet : .lines)
        let hub: PoolHub
        do {
            hub = try PoolHub(
                folder: try await .forRunning(path: path), options: options, logger: logger,
                onEvent: { journal.note($0) })
        } catch {
            throw CommandFailure(running: error)
        }
        do {
            _ = try await untilStopped(lifeline: lifeline) {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await hub.run() }
                    group.addTask { await journal.run(asking: hub) }
                    defer { group.cancelAll() }
                    try await group.next()
                }
            }
        } catch let error where !(error is CommandFailure) {
            throw CommandFailure(running: error)
        }
        journal.finish()
    }
}

extension HubFolder {
    /// Opens a hub's folder, so that the hub can run.
    ///
    /// - Throws: ``CommandFailure`` if a hub runs already; the errors of the folder.
    static func forRunning(path: String) async throws -> HubFolder {
        do {
            return try await waiting(path: path, onWait: { WaitMessage.write($0) })
        } catch let error as FolderError {
            guard case .inUse(_, let processID) = error, HubClient.isRunning(path: path) else { throw error }
            let process = processID.map { ", as process \($0)" } ?? ""
            throw CommandFailure(
                "a hub runs on \(path) already\(process): see it with `poolsensors console`, stop it first, or choose "
                    + "another folder with --state")
        }
    }
}
