import ArgumentParser
import Foundation
import PoolModel
import TerminalUI

/// A watch.
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Runs a watch: follows its hub and shows a device; or pairs it, or edits on it.",
        discussion: "See `poolsensors watch --help` and `poolsensors watch pair --help`.",
        subcommands: [
            WatchRunCommand.self, WatchPairCommand.self, WatchRenameCommand.self, WatchLimitsCommand.self,
            WatchSelectCommand.self, WatchPendingCommand.self, WatchConflictsCommand.self, WatchRestoreCommand.self,
            WatchDismissCommand.self, WatchAlertsCommand.self,
        ], defaultSubcommand: WatchRunCommand.self)
}

/// Runs a watch.
struct WatchRunCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Runs a watch: follows its hub and shows a device.",
        usage: """
            poolsensors watch [<options>]
            poolsensors watch pair <code>
            poolsensors watch rename|limits|select|pending|conflicts|restore|dismiss …
            """,
        discussion: """
            At a terminal it draws a face (keys: q quit, t light or dark, d dim, r
            retry, ^L redraw). Where the output is no terminal, or with --plain, it
            writes a line for each change. It shows what it knows at once, with its age,
            and waits for the hub as long as need be.

            Pair it first, see `poolsensors watch pair --help`. What you change on it, see
            `poolsensors watch rename --help`, waits until the hub can be reached.

            Examples:
              poolsensors watch --name Kitchen
              poolsensors watch --once || echo "look at the pool"
              poolsensors watch --json --device Lagoon | jq .status

            Exit status with --once: 0 normal, 1 warning, 2 critical, 3 stale, offline
            or not paired. Else 0 when it is stopped; at a terminal 0 after q, 130 after
            ^C, 143 after SIGTERM, 129 after SIGHUP; 1 if it cannot run.
            """)

    @Option(help: Catalog.watchName.help)
    var name: String?

    @Option(help: Catalog.watchHub.help)
    var hub: String?

    @Option(help: Catalog.watchDevice.help)
    var device: String?

    @Flag(help: "Wait for a fresh answer, print it, and end.")
    var once = false

    @Flag(help: "Write lines instead of a face, also at a terminal.")
    var follow = false

    @Flag(help: "Write sentences instead of a face.")
    var plain = false

    @Flag(help: "With sentences: tell each changed value, not only changed judgements.")
    var values = false

    @Flag(help: "Print one JSON object for each change.")
    var json = false

    @Option(help: Catalog.watchColor.help)
    var color: String?

    @Flag(help: "Draw with nothing but ASCII.")
    var ascii = false

    @Option(help: Catalog.watchTimeout.help)
    var timeout: String?

    @Option(help: ArgumentHelp("End when the holder of this file ends.", visibility: .hidden))
    var lifeline: String?

    @Option(help: ArgumentHelp("Keep what was received, in numbers, in this file.", visibility: .hidden))
    var tally: String?

    @OptionGroup(title: "Common Options") var common: CommonOptions

    var flags: [String: String?] {
        [
            Catalog.watchName.key: name, Catalog.watchHub.key: hub, Catalog.watchDevice.key: device,
            Catalog.watchColor.key: color, Catalog.watchTimeout.key: timeout,
        ]
    }

    func validate() throws {
        if once, follow { throw ValidationError("give --once or --follow, not both") }
        if json, plain { throw ValidationError("give --json or --plain, not both") }
    }

    func run(in context: CommandContext) async throws {
        let settings = context.settings
        let folders = try context.folders
        try folders.prepare()
        let name = try settings.value(of: Catalog.watchName)
        let capabilities = Capabilities(
            choice: try settings.value(of: Catalog.watchColor), isASCII: ascii, environment: context.environment,
            isTerminal: TerminalSession.isAvailable())
        let mode = WatchMode(
            isOnce: once, isFollowing: follow, isPlain: plain, isJSON: json,
            canDraw: TerminalSession.isAvailable() && !capabilities.needsPlainText)
        let options = WatchSession.Options(
            path: folders.watch(name), name: name, device: try settings.value(of: Catalog.watchDevice),
            endpoint: try settings.value(of: Catalog.watchHub), logger: context.logger)
        let session = try WatchSession(options) {
            if mode == .face { TerminalWaker().wake() }
        }
        let shell = WatchShell(
            session: session, detail: values ? .values : .judgements, tally: tally.map { TallyFile(path: $0) })
        let status =
            switch mode {
            case .once(let notation):
                try await shell.once(notation, timeout: settings.value(of: Catalog.watchTimeout), lifeline: lifeline)
            case .lines(let notation): try await shell.follow(notation, lifeline: lifeline)
            case .face: try await shell.face(capabilities, lifeline: lifeline)
            }
        if status != 0 { throw ExitCode(status) }
    }
}

/// How a watch shows itself.
enum WatchMode: Equatable {
    /// What the lines are made of.
    enum Notation: Equatable, Sendable {
        /// Sentences.
        case plain
        /// JSON objects.
        case json
    }

    /// One answer, then the end.
    case once(Notation)
    /// Lines, as things change.
    case lines(Notation)
    /// A face.
    case face

    /// Decides by the flags and by what the terminal can do.
    init(isOnce: Bool, isFollowing: Bool, isPlain: Bool, isJSON: Bool, canDraw: Bool) {
        let notation = isJSON ? Notation.json : .plain
        if isOnce {
            self = .once(notation)
        } else if isJSON || isPlain || isFollowing || !canDraw {
            self = .lines(notation)
        } else {
            self = .face
        }
    }
}
