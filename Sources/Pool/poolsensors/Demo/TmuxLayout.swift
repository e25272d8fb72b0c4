import CommandSupport
import Foundation
import Platform

/// The hub's screens and the watches side by side, in a separate tmux server.
///
/// The server has its socket in the demo's folder and reads no configuration, so that it is independent of the user's
/// own tmux, also if started inside of it.
final class TmuxLayout: Sendable {
    private struct State {
        var panes: [String: String] = [:]
        var isOpen = false
        var client: ChildProcess?
    }

    /// The path of tmux.
    let tmux: String
    private let plan: DemoPlan
    private let layout: DemoLayout
    private let environment: Environment
    private let state = Lock(State())

    /// The layout, if there is a terminal with tmux.
    static func available(_ plan: DemoPlan, environment: Environment) -> TmuxLayout? {
        guard isatty(0) == 1, isatty(1) == 1, let terminal = environment["TERM"], terminal != "dumb",
            let tmux = LocalTools.path(of: "tmux", environment: environment), let layout = DemoLayout.ofTerminal()
        else { return nil }
        return TmuxLayout(tmux, plan, layout, environment)
    }

    private init(_ tmux: String, _ plan: DemoPlan, _ layout: DemoLayout, _ environment: Environment) {
        self.tmux = tmux
        self.plan = plan
        self.layout = layout
        var variables = LocalTools.childEnvironment(environment, of: .poolsensors)
        // This allows a session inside another tmux.
        variables["TMUX"] = nil
        variables["TMUX_PANE"] = nil
        self.environment = variables
    }

    private var socket: String { "\(plan.folder)/tmux" }

    /// The name of the pane with the hub's screens.
    static let consoleName = "console"

    /// Whether a watch has a pane.
    func shows(_ watch: String) -> Bool {
        layout.shownWatches.contains { DemoPlan.watches[$0].name == watch }
    }

    /// Opens the session in the background; the panes wait for their programs.
    func open() async throws {
        let placeholder = ["--", "sh", "-c", "sleep 2147483647"]
        try await command(
            ["new-session", "-d", "-s", "demo", "-x", "\(layout.columns)", "-y", "\(layout.rows)"] + placeholder)
        state.withLock { $0.isOpen = true }
        for option in layout.options { try await command(["set-option", "-g"] + option) }
        for binding in layout.bindings { try await command(["bind-key", "-n"] + binding) }
        let console = try await command(["display-message", "-p", "#{pane_id}"])
        state.withLock { $0.panes[Self.consoleName] = console }
        guard layout.watchColumns > 0 else { return }
        // Each tile is split off the one above it, with all the space below; after that, tiles are divided.
        var target = console
        for (index, tile) in layout.tiles.enumerated() {
            let below = layout.tiles[index...].reduce(-1) { $0 + $1.rows + 1 }
            let place = index == 0 ? ["-h", "-l", "\(layout.watchColumns)"] : ["-v", "-l", "\(below)"]
            target = try await split(target, place, placeholder)
            let pane = target
            if let watch = tile.watches.first { state.withLock { $0.panes[DemoPlan.watches[watch].name] = pane } }
        }
        for watches in layout.tiles.map(\.watches) where watches.count > 1 {
            guard let left = state.withLock({ $0.panes[DemoPlan.watches[watches[0]].name] }) else { continue }
            let pane = try await split(left, ["-h", "-l", "\((layout.watchColumns - 1) / 2)"], placeholder)
            state.withLock { $0.panes[DemoPlan.watches[watches[1]].name] = pane }
        }
        try await command(["select-pane", "-t", console])
    }

    private func split(_ pane: String, _ place: [String], _ program: [String]) async throws -> String {
        try await command(["split-window", "-d", "-P", "-F", "#{pane_id}", "-t", pane] + place + program)
    }

    /// Starts a program in its pane.
    func launch(_ name: String, _ arguments: [String]) async throws -> any DemoProcess {
        guard let pane = state.withLock({ $0.panes[name] }) else {
            throw CommandFailure("there is no pane for \(name)")
        }
        try await command(["respawn-pane", "-k", "-t", pane, "--", LocalTools.ownPath] + arguments)
        let text = try await command(["display-message", "-p", "-t", pane, "#{pane_pid}"])
        guard let identifier = pid_t(text) else { throw CommandFailure("tmux did not start \(name)") }
        return PaneProcess(layout: self, pane: pane, processIdentifier: identifier)
    }

    /// Shows the session until the user leaves it.
    func attach() async throws {
        let client = try ChildProcess(
            tmux, ["-S", socket, "attach-session", "-t", "demo"], environment: environment, files: (0, 1, 2),
            hasOwnGroup: false)
        state.withLock { $0.client = client }
        let (ends, source) = AsyncStream<Void>.makeStream()
        // It runs longer than a cancelled wait, for the time that `detach` takes.
        Task {
            _ = await client.ended()
            source.finish()
        }
        for await _ in ends {}
    }

    /// Releases the terminal; the session continues in the background.
    func detach() async {
        guard let client = state.withLock(\.client) else { return }
        // It may have been left already.
        _ = try? await command(["detach-client", "-a"])
        _ = try? await command(["detach-client"])
        await client.stop(patience: .seconds(2))
    }

    /// The key that shows the alerts on the hub's screens.
    var alertsKey: Character { layout.alertsKey }

    /// Shows a sentence in the line of tmux.
    func setStatusLine(_ sentence: String) async {
        // tmux takes these characters for formats. Without a session nobody reads it.
        let text = sentence.replacing("#", with: "##").replacing("%", with: "%%")
        _ = try? await command(["set-option", "-g", "status-left", " \(text) "])
    }

    /// Whether the session still exists.
    var isOpen: Bool {
        get async {
            guard state.withLock(\.isOpen) else { return false }
            // It fails if there is no session any more.
            return (try? await command(["has-session", "-t", "demo"])) != nil
        }
    }

    /// Ends the session.
    func close() async {
        guard state.withLock(\.isOpen) else { return }
        // It may have ended already.
        _ = try? await command(["kill-server"])
        state.withLock { $0.isOpen = false }
    }

    /// How the process of a pane ended; nil while it runs.
    fileprivate func end(of pane: String, _ identifier: pid_t) async -> ChildProcess.End? {
        let format = "#{pane_dead}|#{pane_pid}|#{pane_dead_status}|#{pane_dead_signal}|#{pid}"
        guard let text = try? await command(["display-message", "-p", "-t", pane, format]) else {
            // Without a server there is no pane, and its process got the signal for a closed terminal.
            return .signalled(SIGHUP)
        }
        let parts = text.split(separator: "|", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0] == "1" || pid_t(parts[1]) != identifier else { return nil }
        if let status = Int32(parts[2]) { return .exited(status) }
        if let signal = Int32(parts[3]) { return .signalled(signal) }
        guard pid_t(parts[1]) == identifier else { return .signalled(SIGKILL) }
        // The terminal is closed shortly before the status is known. If several programs end at once, tmux may miss all
        // of them; it checks again after this signal.
        if let server = pid_t(parts[4]) { Foundation.kill(server, SIGCHLD) }
        return nil
    }

    /// Runs a command of tmux, and returns the first line of its output.
    @discardableResult
    private func command(_ arguments: [String]) async throws -> String {
        let pipe = try PipeLines()
        let (lines, source) = AsyncStream<String>.makeStream()
        pipe.read({ source.yield($0) }, onEnd: { source.finish() })
        let child: ChildProcess
        do {
            defer { pipe.closeWritingEnd() }
            // The server must not hold the pipe open, so only the client writes to it.
            child = try ChildProcess(
                tmux, ["-f", "/dev/null", "-S", socket] + arguments, environment: environment,
                files: (nil, pipe.writingEnd, pipe.writingEnd))
        }
        let end = await child.ended()
        var first: String?
        for await line in lines {
            first = line
            break
        }
        guard end == .exited(0) else {
            throw CommandFailure("tmux \(arguments[0]) \(end): \(first ?? "")")
        }
        return first ?? ""
    }
}

/// A process in a pane: the server is its parent, so its state is polled.
private struct PaneProcess: DemoProcess {
    private static let interval = Duration.milliseconds(400)

    let layout: TmuxLayout
    let pane: String
    let processIdentifier: pid_t

    func ended() async -> ChildProcess.End {
        while true {
            if let end = await layout.end(of: pane, processIdentifier) { return end }
            // This task is never cancelled.
            try? await Task.sleep(for: Self.interval)
        }
    }

    func stop(patience: Duration) async -> ChildProcess.End {
        _ = Foundation.kill(processIdentifier, SIGTERM)
        let deadline = ContinuousClock.now + patience
        while true {
            if let end = await layout.end(of: pane, processIdentifier) { return end }
            if ContinuousClock.now > deadline { kill() }
            // This task is never cancelled.
            try? await Task.sleep(for: .milliseconds(50))
        }
    }

    func kill() {
        _ = Foundation.kill(processIdentifier, SIGKILL)
    }
}
