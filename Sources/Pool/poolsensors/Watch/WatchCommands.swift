import ArgumentParser
import CommandSupport
import Foundation
import PoolModel
import TerminalUI

/// A watch.
struct WatchCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Runs a watch, which shows a device; or pairs it, or changes something on it.",
        discussion: "See `poolsensors watch --help` and `poolsensors watch pair --help`.",
        subcommands: [
            RunWatch.self, WatchPairCommand.self, WatchRenameCommand.self, WatchLimitsCommand.self,
            WatchSelectCommand.self, WatchPendingCommand.self, WatchConflictsCommand.self, WatchRestoreCommand.self,
            WatchDismissCommand.self, WatchAlertsCommand.self, WatchAcknowledgeCommand.self, WatchFilesCommand.self,
            WatchDoseCommand.self,
        ], defaultSubcommand: RunWatch.self)
}

/// Runs a watch.
struct RunWatch: Configured {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Runs a watch: it shows a device of its hub.",
        usage: """
            poolsensors watch [<options>]
            poolsensors watch pair <code>
            poolsensors watch rename|limits|select|pending|conflicts|restore|dismiss …
            poolsensors watch alerts|ack|files|dose …
            """,
        discussion: """
            In a terminal, the watch draws a face: enter opens the menu (devices, alerts,
            limits, history, names, conflicts, own changes), ? lists the keys, q ends the
            watch, and its hub runs on. If the output is not a terminal, or with --plain,
            --json, --format or --tmux, the watch prints a line for each change. It shows
            what it has at once, with its age, and waits for the hub indefinitely. --once
            asks the hub, through an open face of the same watch if there is one, and says
            where the answer comes from: from the hub now, or from the copy on the watch.

            Fields of --format: \(GlanceFormat.fields)

            In --format, {{ and }} are braces. `poolsensors status --format` has the same
            fields. --tmux prints the line face for the status line of tmux:
              set -g status-right '#(poolsensors watch --tmux)'

            Pair the watch first, see `poolsensors watch pair --help`. Changes that you make
            on it (see `poolsensors watch rename --help`) wait until it reaches the hub.

            Examples:
              poolsensors watch --name Kitchen
              poolsensors watch --once || echo "look at the pool"
              poolsensors watch --json --device Lagoon | jq .status
              poolsensors watch --once --format '{name} pH {ph} {status}'
              poolsensors watch --layout compact --theme light

            \(ExitStatus.help(
                .success, .failure, .warning, .critical, .notFresh, .notFound, .noHub, .hangUp, .interrupted,
                .terminated))
            """)

    @Option(help: Catalog.watchName.help)
    var name: String?

    @Option(help: Catalog.watchHub.help)
    var hub: String?

    @Option(help: Catalog.watchDevice.help)
    var device: String?

    @Flag(help: "Ask the hub, print what it has, and end.")
    var once = false

    @Flag(help: "Write lines instead of a face, also at a terminal.")
    var follow = false

    @Flag(help: "Write sentences instead of a face.")
    var plain = false

    @Flag(help: "With sentences: print each changed value, not only changed statuses.")
    var values = false

    @OptionGroup var json: JSONOptions

    @Option(help: ArgumentHelp("Print a line in this format, such as '{name} {status}'.", valueName: "text"))
    var format: String?

    @Flag(help: "Write the line face for the status line of tmux.")
    var tmux = false

    @Option(help: Catalog.watchLayout.help)
    var layout: String?

    @Option(help: Catalog.watchTheme.help)
    var theme: String?

    @Option(help: Catalog.watchColor.help)
    var color: String?

    @Flag(help: "Leave the mouse to the terminal.")
    var noMouse = false

    @Flag(help: "Draw with ASCII characters only.")
    var ascii = false

    @Option(help: Catalog.watchTimeout.help)
    var timeout: String?

    @Option(help: PoolJournal.help)
    var record: String?

    @Option(help: ArgumentHelp("End when the holder of this file ends.", visibility: .hidden))
    var lifeline: String?

    @Option(help: ArgumentHelp("Keep what was received, in numbers, in this file.", visibility: .hidden))
    var tally: String?

    @OptionGroup(title: "Common Options") var common: CommonOptions

    var flags: [String: String?] {
        [
            Catalog.watchName.key: name, Catalog.watchHub.key: hub, Catalog.watchDevice.key: device,
            Catalog.watchColor.key: color, Catalog.watchTimeout.key: timeout, Catalog.watchTheme.key: theme,
            Catalog.watchLayout.key: layout,
        ]
    }

    func validate() throws {
        if once, follow { throw ValidationError("give --once or --follow, not both") }
        let notations = [("--json", json.isOn), ("--plain", plain), ("--format", format != nil), ("--tmux", tmux)]
        let given = notations.filter(\.1).map(\.0)
        if given.count > 1 { throw ValidationError("give one of \(given.joined(separator: ", ")), not several") }
        if values, json.isOn || tmux || format != nil { throw ValidationError("--values goes with sentences only") }
        if let format { _ = try GlanceFormat.checked(format) }
        let linesOnly = once || follow || !given.isEmpty
        if linesOnly, layout != nil { throw ValidationError("--layout is for faces: leave it, or leave the lines") }
        if linesOnly, noMouse { throw ValidationError("--no-mouse is for faces: leave it, or leave the lines") }
        if linesOnly, !tmux, theme != nil { throw ValidationError("--theme is for faces and --tmux only") }
    }

    func run(in context: CommandContext) async throws {
        let settings = context.settings
        let folders = try context.folders
        try folders.prepare()
        let name = try context.watchName
        let capabilities = Capabilities(
            choice: try settings.value(of: Catalog.watchColor), isASCII: ascii, environment: context.environment,
            isTerminal: TerminalSession.isAvailable())
        let appearance = try settings.value(of: Catalog.watchTheme)
        // Read even if they are not used, so that a wrong value is always reported.
        _ = try settings.value(of: Catalog.watchTimeout)
        let layout = try settings.value(of: Catalog.watchLayout)
        let mode = WatchMode(
            isOnce: once, isFollowing: follow,
            notation: try notation(
                appearance, try settings.value(of: Catalog.watchColor), environment: context.environment),
            canDraw: TerminalSession.isAvailable() && !capabilities.needsPlainText)
        let options = WatchSession.Options(
            path: folders.watch(name), name: name, device: try settings.value(of: Catalog.watchDevice),
            endpoint: try settings.value(of: Catalog.watchHub), logger: context.logger,
            recording: PoolJournal.ofWatch(record, name: name))
        let session: WatchSession
        do {
            let asksRunning = if case .once = mode { true } else { false }
            session = try await WatchSession.waiting(options, asksRunning: asksRunning) {
                if mode == .face { TerminalWaker().wake() }
            }
        } catch let inUse as WatchSession.InUse {
            guard case .once(let notation) = mode else { throw inUse.failure }
            let patience = try settings.value(of: Catalog.watchTimeout)
            return try await show(try await context.glanceOfRunningWatch(patience: patience), notation)
        }
        let shell = WatchShell(
            session: session, detail: values ? .values : .judgements, tally: tally.map { CountsFile(path: $0) })
        let status =
            switch mode {
            case .once(let notation):
                try await shell.once(notation, timeout: settings.value(of: Catalog.watchTimeout), lifeline: lifeline)
            case .lines(let notation): try await shell.follow(notation, lifeline: lifeline)
            case .face: try await showFace(screen(capabilities, Theme(appearance), layout), shell, name, context)
            }
        if status != 0 { throw ExitCode(status) }
    }

    /// Draws the face until the person ends it, and says what ended.
    private func showFace(
        _ screen: WatchScreen, _ shell: WatchShell, _ name: String, _ context: CommandContext
    ) async throws -> Int32 {
        let end = try await shell.face(screen, usesMouse: !noMouse, lifeline: lifeline) {
            context.remember($0.rawValue, as: Catalog.watchTheme)
        }
        if end == .quit, lifeline == nil {
            Output.errors.line(
                "the watch has ended, and its hub runs on; show it again with: poolsensors watch"
                    + PairingAdvice.option(name: name))
        }
        return end.exitStatus
    }

    /// Prints the glance of the process that runs the watch.
    private func show(_ glance: Glance, _ notation: WatchMode.Notation) async throws {
        for line in notation.lines(glance) { Output.standard.line(line) }
        let status = ExitStatus(Headline(glance))
        if status != .success { throw ExitCode(status) }
    }

    private func screen(_ capabilities: Capabilities, _ theme: Theme, _ layout: WatchLayout) -> WatchScreen {
        var screen = WatchScreen(theme: theme, capabilities: capabilities)
        screen.layout = layout
        return screen
    }

    /// The notation of the lines; nil if no flag selects one.
    private func notation(
        _ appearance: Theme.Appearance, _ choice: ColorChoice, environment: [String: String]
    ) throws -> WatchMode.Notation? {
        if json.isOn { return .json(isPretty: json.pretty) }
        if plain { return .plain }
        if let format { return .format(try GlanceFormat.checked(format), isASCII: ascii) }
        guard tmux else { return nil }
        // tmux draws the line, with the colours of its own terminal.
        let isPlain = choice == .auto && !(environment["NO_COLOR"] ?? "").isEmpty
        let depth: ColorDepth =
            isPlain
            ? .mono
            : choice == .auto ? .truecolor : ColorDepth(choice: choice, environment: environment, isTerminal: true)
        return .tmux(Theme(appearance), depth, isASCII: ascii)
    }
}

/// The output mode of a watch.
enum WatchMode: Equatable {
    /// The notation of the lines.
    enum Notation: Equatable, Sendable {
        /// Sentences.
        case plain
        /// JSON objects, each on one line or on several.
        case json(isPretty: Bool)
        /// A line of a format.
        case format(GlanceFormat, isASCII: Bool)
        /// The line face, for tmux.
        case tmux(Theme, ColorDepth, isASCII: Bool)

        /// The text of a glance without a line break at its end; nil for sentences.
        func line(_ glance: Glance) -> String? {
            switch self {
            case .plain: nil
            // It has only finite numbers and texts, so it can always be encoded.
            case .json(let isPretty): isPretty ? try? JSONText.pretty(glance.record()) : glance.jsonLine()
            case .format(let format, let isASCII): format.text(glance, isASCII: isASCII)
            case .tmux(let theme, let depth, let isASCII):
                TmuxLine.text(glance, theme: theme, depth: depth, isASCII: isASCII)
            }
        }

        /// The lines of a glance.
        func lines(_ glance: Glance) -> [String] { line(glance).map { [$0] } ?? glance.plainLines() }
    }

    /// One answer; then the command ends.
    case once(Notation)
    /// A line for each change.
    case lines(Notation)
    /// A face.
    case face

    /// Determines the mode from the flags and the terminal.
    ///
    /// - Parameters:
    ///   - isOnce: Whether the flags select one answer.
    ///   - isFollowing: Whether the flags select lines.
    ///   - notation: The selected notation; nil if none is selected.
    ///   - canDraw: Whether faces can be drawn.
    init(isOnce: Bool, isFollowing: Bool, notation: Notation?, canDraw: Bool) {
        if isOnce {
            self = .once(notation ?? .plain)
        } else if notation != nil || isFollowing || !canDraw {
            self = .lines(notation ?? .plain)
        } else {
            self = .face
        }
    }
}
