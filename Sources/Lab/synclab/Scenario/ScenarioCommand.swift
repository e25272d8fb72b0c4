import ArgumentParser
import CommandSupport
import Foundation
import PoolControl
import SyncSimulation

/// Runs scenario files.
struct ScenarioCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scenario", abstract: "Runs stories of a hub and watches, in virtual time or on real processes.",
        subcommands: [RunScenarioCommand.self])
}

/// Runs scenario files, one after the other.
struct RunScenarioCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Runs scenario files, one after the other.",
        discussion: """
            Without --real a month takes milliseconds: the engines are real, their network,
            disks and clocks are not. With --real each device is a process with its store
            on the disk, linked over loopback and encrypted. Docs/internals/scenarios.md
            explains how a scenario is written; Fixtures/scenarios has some.

            Example:
              synclab scenario run Fixtures/scenarios/*.scenario

            Exit status: 0 if all went as written, 1 if not, 64 for a file that cannot be
            understood.
            """)

    @Argument(help: "The files.")
    var files: [String]

    @Flag(help: "Run on real processes.")
    var real = false

    @Option(help: ArgumentHelp("Keep journals of the engines here, for replay; with --real.", valueName: "folder"))
    var record: String?

    @Flag(help: "Print a line of JSON for each file.")
    var json = false

    func validate() throws {
        if record != nil, !real { throw ValidationError("--record is for real processes: give --real, too") }
    }

    func run() async throws {
        let scenarios = try files.map(Self.scenario)
        let command = self
        let reason = try await untilStopped(output: nil) { try await command.run(scenarios) }
        guard reason == .finished else { throw CommandFailure("stopped before the last scenario ended") }
    }

    private func run(_ scenarios: [Scenario]) async throws {
        var hasFailed = false
        for scenario in scenarios {
            let start = ContinuousClock.now
            let report =
                real ? try await Self.runProcesses(scenario, record: record) : try await Self.runVirtually(scenario)
            hasFailed = hasFailed || report.failure != nil
            tell(report, after: start.duration(to: .now))
        }
        if hasFailed { throw ExitCode(1) }
    }

    /// Reads a file.
    static func scenario(path: String) throws -> Scenario {
        let text: String
        do {
            text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
        } catch {
            throw CommandFailure("cannot read \(path): \(SystemErrorText.of(error))")
        }
        do throws(ScenarioError) {
            return try ScenarioParser.scenario(text, file: path)
        } catch {
            throw CommandFailure(error.description, exitStatus: .usage)
        }
    }

    static func runVirtually(_ scenario: Scenario) async throws -> ScenarioReport {
        var runner = ScenarioRunner(backend: SimulatedBackend())
        return try await runner.run(scenario)
    }

    /// Runs a scenario on processes that end with it, in a folder that is removed.
    static func runProcesses(
        _ scenario: Scenario, program: String = LocalTools.ownPath, record: String? = nil
    ) async throws -> ScenarioReport {
        let name = URL(filePath: scenario.file).deletingPathExtension().lastPathComponent
        let recordFolder = try record.map { try RecordFolder.make("\($0)/\(name)") }
        let folder = FileManager.default.temporaryDirectory.appending(path: "scenario-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer {
            // The system removes what is left with its other temporary files.
            try? FileManager.default.removeItem(at: folder)
        }
        let stage: ProcessBackend
        do {
            stage = try await ProcessBackend(folder: folder.path, program: program, recordFolder: recordFolder)
        } catch let loss as NodeLoss {
            throw CommandFailure("\(scenario.file): \(loss)")
        }
        var runner = ScenarioRunner(backend: stage)
        let report: ScenarioReport
        do {
            report = try await runner.run(scenario)
        } catch {
            await runner.backend.end()
            throw error
        }
        let losses = await runner.backend.end()
        // A scenario's conditions may all hold although a process has crashed.
        if report.failure == nil, let loss = losses.first { throw CommandFailure("\(scenario.file): \(loss)") }
        return report
    }

    private func tell(_ report: ScenarioReport, after duration: Duration) {
        // The report contains only what JSON can represent.
        if json, let line = try? JSONText.line(report) { return Output.standard.line(line) }
        if let failure = report.failureText { return Output.standard.line("failed  \(failure)") }
        let time = duration.formatted(.units(allowed: [.seconds, .milliseconds], maximumUnitCount: 1))
        Output.standard.line(
            "held    \(report.file): \(report.stepCount) steps, \(report.expectationCount) expectations, \(time)")
    }
}
