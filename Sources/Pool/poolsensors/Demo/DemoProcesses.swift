import CommandSupport
import Foundation
import Platform
import PoolWatch

/// The processes of a demo and their output.
final class DemoProcesses: Sendable {
    /// The widest name of a part, for the lines' prefixes.
    private static let nameWidth = 7

    fileprivate struct State {
        var countsByWatch: [String: WatchCounts] = [:]
        /// The last report of the present probe process, and the sum of those before it.
        var probe: ProbeSummary?
        var earlierProbes: ProbeSummary?
        /// The broker itself, which its guard started.
        var brokerIdentifier: pid_t?
        var cleanup: ChildProcess?
        var failure: String?
        var isHubListening = false
        /// What the page has printed: its address, and the code of the first account.
        var pageLines: [String] = []
        /// How often a part had to be started again.
        var restarts: [String: Int] = [:]
    }

    let plan: DemoPlan
    let broker: DemoPart
    let hub: DemoPart
    let probe: DemoPart
    let watches: [(watch: DemoPlan.Watch, part: DemoPart)]
    /// The hub's screens; nil without a layout.
    let console: DemoPart?
    /// The page; nil if its program is not built.
    let page: DemoPart?
    /// Yields an element after each event that a caller may wait for.
    let changes: AsyncStream<Void>

    private let launcher: DemoLauncher
    /// The path of tmux; nil without a layout.
    private let layoutPath: String?
    private let changing: AsyncStream<Void>.Continuation
    private let state: SharedState

    /// Shared with the closures of the parts, which are made before this object.
    private final class SharedState: Sendable {
        let values = Lock(State())
    }

    /// Prepares the parts; none of them runs yet.
    ///
    /// - Parameters:
    ///   - plan: The plan of the demo.
    ///   - mosquitto: The path of the broker's program.
    ///   - layout: The tmux session in which the watches are drawn; nil to print lines.
    ///   - environment: The environment variables of this process.
    init(_ plan: DemoPlan, mosquitto: String, layout: TmuxLayout?, environment: Environment) {
        let (changes, changing) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let state = SharedState()
        let launcher = DemoLauncher(
            plan: plan, program: LocalTools.ownPath,
            environment: LocalTools.childEnvironment(environment, of: .poolsensors))
        let isQuiet = layout != nil
        let report: @Sendable (String, String) -> Void = { name, line in
            if !isQuiet { Output.standard.line(DemoProcesses.prefixed(name, line)) }
        }
        let onFailure: @Sendable (String) -> Void = { sentence in
            state.values.withLock { $0.failure = $0.failure ?? sentence }
            changing.yield()
        }
        let onEnd: @Sendable (DemoPart, ChildProcess.End) -> Void = { part, end in
            if end == .exited(0), let layout, part.name == TmuxLayout.consoleName || layout.shows(part.name) {
                // The person pressed q, which ends the demo.
                Task { await layout.detach() }
            }
            Self.partEnded(part, end, state, plan)
            let line = "\(part.name) \(end); starting it again"
            // In a layout, the hub's log is visible.
            launcher.note("demo: \(line)", in: isQuiet ? "hub" : "demo")
            report("demo", line)
        }
        broker = DemoPart(
            "broker",
            launch: {
                try launcher.launch("broker", plan.guarded([mosquitto, "-c", "\(plan.folder)/mosquitto.conf"])) {
                    line in
                    // The first line comes from the guard.
                    state.values.withLock { $0.brokerIdentifier = $0.brokerIdentifier ?? pid_t(line) }
                }
            }, onEnd: onEnd, onFailure: onFailure)
        hub = DemoPart(
            "hub",
            launch: {
                try launcher.launch("hub", plan.hubArguments) { line in
                    report("hub", line)
                    state.values.withLock { $0.hubPrinted(line) }
                    changing.yield()
                }
            }, onEnd: onEnd, onFailure: onFailure)
        probe = DemoPart(
            "probe",
            launch: {
                try launcher.launch("probe", plan.probeArguments) { line in
                    guard let summary = ProbeSummary(line: line) else { return report("probe", line) }
                    state.values.withLock { $0.probe = summary }
                    changing.yield()
                }
            }, onEnd: onEnd, onFailure: onFailure)
        watches = DemoPlan.watches.map { watch in
            let part = Self.watchPart(
                watch, plan, layout, launcher, report: report, onEnd: onEnd, onFailure: onFailure)
            return (watch, part)
        }
        console = layout.map { layout in
            DemoPart(
                TmuxLayout.consoleName,
                launch: { try await layout.launch(TmuxLayout.consoleName, plan.consoleArguments) }, onEnd: onEnd,
                onFailure: onFailure)
        }
        // Its program is missing if only this one was built.
        let isPageBuilt = (try? LocalTools.path(beside: WebCommand.program)) != nil
        page =
            isPageBuilt
            ? DemoPart(
                "page",
                launch: {
                    try launcher.launch("page", plan.pageArguments) { line in
                        report("page", line)
                        state.values.withLock { $0.pageLines.append(line) }
                        changing.yield()
                    }
                }, onEnd: onEnd, onFailure: onFailure)
            : nil
        self.plan = plan
        layoutPath = layout?.tmux
        self.launcher = launcher
        self.changes = changes
        self.changing = changing
        self.state = state
    }

    /// The part of a watch: drawn in the layout, or in lines.
    private static func watchPart(
        _ watch: DemoPlan.Watch, _ plan: DemoPlan, _ layout: TmuxLayout?, _ launcher: DemoLauncher,
        report: @escaping @Sendable (String, String) -> Void,
        onEnd: @escaping @Sendable (DemoPart, ChildProcess.End) -> Void,
        onFailure: @escaping @Sendable (String) -> Void
    ) -> DemoPart {
        DemoPart(
            watch.name,
            launch: {
                if let layout, layout.shows(watch.name) {
                    return try await layout.launch(watch.name, plan.watchArguments(of: watch, isDrawn: true))
                }
                return try launcher.launch(watch.name, plan.watchArguments(of: watch, isDrawn: false)) { line in
                    report(watch.name, line)
                }
            }, onEnd: onEnd, onFailure: onFailure)
    }

    // MARK: - State

    /// Why a part cannot continue; nil if all can.
    var failure: String? { state.values.withLock(\.failure) }

    /// Whether watches can connect to the hub.
    var isHubListening: Bool { state.values.withLock(\.isHubListening) }

    /// Where the page is, and the code for its first account, in a sentence; nil before it has said both.
    var pageSentence: String? {
        let lines = state.values.withLock(\.pageLines)
        func lastWord(_ beginning: String) -> Substring? {
            lines.last { $0.hasPrefix(beginning) }?.split(separator: " ").last
        }
        guard let address = lastWord("serving at "), let code = lastWord("code for ") else { return nil }
        return "In a browser: \(address) with the code \(code)"
    }

    /// What the probe has done, in all its runs; up to a second at the end of each run may be missing.
    var probeSummary: ProbeSummary {
        state.values.withLock { ($0.earlierProbes ?? .nothing).followed(by: $0.probe ?? .nothing) }
    }

    /// What each watch received, in the order of the watches.
    var watchResults: [DemoSummary.WatchResult] {
        state.values.withLock { state in
            for watch in DemoPlan.watches { state.readCounts(of: watch, plan) }
            return DemoPlan.watches.map { watch in
                DemoSummary.WatchResult(
                    name: watch.name, counts: state.countsByWatch[watch.name] ?? WatchCounts())
            }
        }
    }

    /// The parts that had to be started again, as text; nil if there are none.
    var restartsInWords: String? {
        let restarts = state.values.withLock(\.restarts).sorted { $0.key < $1.key }
        guard !restarts.isEmpty else { return nil }
        return "started again: " + restarts.map { $1 == 1 ? $0 : "\($0) \($1) times" }.joined(separator: ", ")
    }

    /// The last lines of a part's log, for messages.
    func lastLines(of name: String) -> String {
        // Without a log there is nothing to show.
        let text = (try? String(contentsOfFile: plan.log(of: name), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").suffix(3).joined(separator: " / ")
    }

    // MARK: - Actions

    /// Runs this program to its end, and returns its status and its output.
    func runOnce(_ arguments: [String]) async throws -> (end: ChildProcess.End, words: String) {
        try await launcher.runOnce(arguments)
    }

    /// Starts the process that cleans up if this one is killed.
    func startCleanup(removesFolder: Bool) throws {
        let arguments = plan.cleanupArguments(tmux: layoutPath, removesFolder: removesFolder)
        let child = try launcher.launch("janitor", arguments) { _ in }
        state.values.withLock { $0.cleanup = child }
    }

    /// Ends the process that would clean up.
    func stopCleanup() async {
        await state.values.withLock(\.cleanup)?.stop(patience: .seconds(2))
    }

    /// Starts a watch without a face in place of one whose pane was closed.
    func restart(_ watch: DemoPlan.Watch) throws -> ChildProcess {
        state.values.withLock { state in
            state.readCounts(of: watch, plan)
            state.countsByWatch[watch.name]?.lifeEnded()
        }
        // The file of the last run must not be mistaken for that of the new one.
        try? FileManager.default.removeItem(atPath: plan.counts(of: watch))
        return try launcher.launch(watch.name, plan.watchArguments(of: watch, isDrawn: false)) { _ in }
    }

    /// Kills everything, without waiting; when this process has ended, too, the cleanup process removes the rest.
    func killAll() {
        for part in [probe, hub, broker] + watches.map(\.part) + [console, page].compactMap(\.self) { part.kill() }
        if let identifier = state.values.withLock(\.brokerIdentifier) { _ = kill(identifier, SIGKILL) }
    }

    private static func partEnded(
        _ part: DemoPart, _ end: ChildProcess.End, _ state: SharedState, _ plan: DemoPlan
    ) {
        // The screens have nothing to save.
        guard part.name != TmuxLayout.consoleName else { return }
        state.values.withLock { state in
            state.restarts[part.name, default: 0] += 1
            switch part.name {
            case "broker":
                // If the guard was killed, it cannot have ended its broker.
                if case .signalled = end, let identifier = state.brokerIdentifier {
                    _ = Foundation.kill(identifier, SIGKILL)
                }
                state.brokerIdentifier = nil
            case "probe":
                state.earlierProbes = (state.earlierProbes ?? .nothing).followed(by: state.probe ?? .nothing)
                state.probe = nil
            case "hub":
                state.isHubListening = false
            default:
                guard let watch = DemoPlan.watches.first(where: { $0.name == part.name }) else { return }
                state.readCounts(of: watch, plan)
                state.countsByWatch[watch.name]?.lifeEnded()
                // The file of the last run must not be mistaken for that of the new one.
                try? FileManager.default.removeItem(atPath: plan.counts(of: watch))
            }
        }
    }

    private static func prefixed(_ name: String, _ line: String) -> String {
        name + String(repeating: " ", count: max(0, nameWidth - name.count)) + " │ " + PlainText.oneLine(line)
    }
}

extension DemoProcesses.State {
    /// Handles a line of the hub.
    fileprivate mutating func hubPrinted(_ line: String) {
        if line.contains(HubOutputMarkers.listening) { isHubListening = true }
    }

    /// Reads the last counts that a watch wrote.
    fileprivate mutating func readCounts(of watch: DemoPlan.Watch, _ plan: DemoPlan) {
        // Before its first counts a watch has no file.
        guard let bytes = FileManager.default.contents(atPath: plan.counts(of: watch)),
            let status = try? JSONDecoder().decode(WatchStatus.self, from: bytes)
        else { return }
        countsByWatch[watch.name, default: WatchCounts()].heard(status)
    }
}
