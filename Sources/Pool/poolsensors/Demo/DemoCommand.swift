import ArgumentParser
import CommandSupport
import Foundation
import PoolControl
import PoolModel
import UnixSignals

/// Runs the demo.
struct DemoCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Runs a broker, two simulated pools, a hub and four watches on this machine.",
        discussion: """
            The demo starts its own MQTT broker (mosquitto) on a free port. In a terminal,
            tmux shows the hub's screens and as many watches as fit side by side (97
            columns for a large watch, 168 for all). Alt with an arrow, or a click, goes to
            another one; q or ^C ends the demo. The line at the bottom says what happens
            and which key to press: an alert, a watch whose link is cut, and two watches
            that change the same limit. Without a terminal, and with --plain, the demo
            prints lines. If you kill the hub, a watch or the broker, it is started again.
            If the page's program poolsensors-web lies beside this one, the demo serves the
            page to browsers on this machine and says where.

            At the end the demo prints what was published, ingested and delivered, and
            whether anything was lost. It leaves no process, no port and no file behind,
            unless you give --keep or --state.

            Examples:
              poolsensors demo
              poolsensors demo --for 30s --rate 5

            It fails, with exit code 1, if something was lost.
            """)

    @Option(name: .customLong("for"), help: ArgumentHelp("End after this time.", valueName: "duration"))
    var duration: String?

    @Option(help: Catalog.demoRate.help)
    var rate: String?

    @Option(help: Catalog.demoSeed.help)
    var seed: String?

    @Flag(help: "Keep the folder with the state and the logs.")
    var keep = false

    @Flag(help: "Print lines, also at a terminal.")
    var plain = false

    @OptionGroup(title: "Common Options") var common: CommonOptions

    var flags: [String: String?] { [Catalog.demoRate.key: rate, Catalog.demoSeed.key: seed] }

    func validate() throws {
        if let duration, DurationText.duration(duration) == nil {
            throw ValidationError("--for is \"\(duration)\", expected \(DurationText.expected)")
        }
    }

    func run(in context: CommandContext) async throws {
        let environment = context.environment
        let (rate, seed) = (
            try context.settings.value(of: Catalog.demoRate), try context.settings.value(of: Catalog.demoSeed)
        )
        guard let mosquitto = LocalTools.path(of: "mosquitto", environment: environment) else {
            throw CommandFailure(
                "the MQTT broker mosquitto is not installed: install it (apt-get install mosquitto), then try again")
        }
        // From here on a signal leads to the cleanup below, so that nothing is left behind.
        let signals = await stopSignals()
        // Only a folder given for this demo is used: the user's own hub must not be touched.
        let folder = try DemoFolder(named: common.state, environment: environment, isKept: keep)
        do {
            let ports = try LocalTools.freePorts(3)
            let plan = DemoPlan(
                folder: folder.path, rate: rate, seed: seed, duration: duration.flatMap(DurationText.duration),
                brokerPort: ports[0], hubPort: ports[1], pagePort: ports[2])
            try ProcessGroupLock.hold(path: plan.lifeline)
            let layout = plain ? nil : TmuxLayout.available(plan, environment: environment)
            let processes = DemoProcesses(plan, mosquitto: mosquitto, layout: layout, environment: environment)
            try processes.startCleanup(removesFolder: !folder.isKept)
            let summary = try await perform(DemoRun(processes, layout: layout), processes, folder, signals)
            if let words = folder.remove() { Output.standard.line(words) }
            if let summary, summary.lost > 0 { throw ExitCode(.failure) }
        } catch let error where !(error is ExitCode) {
            folder.remove()
            throw error
        }
    }

    /// Runs the demo, ends everything in any case, and prints the summary.
    private func perform(
        _ run: DemoRun, _ processes: DemoProcesses, _ folder: DemoFolder, _ signals: UnixSignalsSequence
    ) async throws -> DemoSummary? {
        let endAtOnce: @Sendable (Int32) -> Void = { status in
            processes.killAll()
            // The cleanup process removes a temporary folder: processes that were just killed may still write to it.
            if folder.isKept, let words = folder.remove() { Output.standard.line(words) }
            Foundation.exit(status)
        }
        let outcome: Result<StopReason, any Error>
        do {
            outcome = .success(
                try await untilStopped(signals: signals, atSecondSignal: endAtOnce) { try await run.perform() })
        } catch {
            outcome = .failure(error)
        }
        let summary = await run.conclude()
        if let summary {
            for line in summary.lines { Output.standard.line(line) }
            if let words = processes.restartsInWords { Output.standard.line("  \(words)") }
        }
        if case .failure(let error) = outcome { throw error }
        return summary
    }
}
