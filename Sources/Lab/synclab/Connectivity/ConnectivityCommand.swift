import ArgumentParser
import CommandSupport
import Foundation
import SyncSimulation

/// Carries out steps on a phone and watches that use WatchConnectivity.
struct ConnectivityCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "connectivity",
        abstract: "Suspends, kills and parts apps that use WatchConnectivity, and prints the trace of all sides.",
        discussion: """
            The steps are in a file, or come from standard input (`-`), where each line is
            carried out when it comes. Without --real they happen in virtual time, on a test
            pair; with it, on processes on loopback. --phone and --watch name programs of
            yours that use WCSession.default; without them, apps of synclab send what the
            steps say. Docs/internals/laboratory.md lists the steps.

            Examples:
              synclab connectivity Fixtures/scenarios/two-sessions.steps
              synclab connectivity --phone .build/debug/LapsPhone \\
                --watch .build/debug/LapsWatch -

            Exit status: 0 if all went as written, 1 if not, 64 for a step that cannot be
            understood.
            """)

    @Argument(help: "The file, or - for standard input.")
    var file: String

    @Flag(help: "Run on real processes.")
    var real = false

    @Option(help: ArgumentHelp("The phone's program, with its arguments.", valueName: "command"))
    var phone: String?

    @Option(help: ArgumentHelp("A watch's program, with its arguments; again for another watch.", valueName: "command"))
    var watch: [String] = []

    func validate() throws {
        if (phone == nil) != watch.isEmpty { throw ValidationError("--phone and --watch belong together: give both") }
    }

    func run() async throws {
        let scenario = file == "-" ? nil : try Self.scenario(path: file)
        let command = self
        let reason = try await untilStopped(output: nil) { try await command.run(scenario) }
        guard reason == .finished else { throw CommandFailure("stopped before the last step") }
    }

    private func run(_ scenario: ConnectivityScenario?) async throws {
        let watches = watch.isEmpty ? nil : watch.map(Self.words)
        let count = watches?.count ?? scenario?.watchCount ?? 1
        guard real || phone != nil else { return try await Self.run(scenario, on: PairBackend(watchCount: count)) }
        try await Self.withFolder { folder in
            let backend = try AppsBackend(
                folder: folder, phone: phone.map(Self.words), watches: watches ?? Array(repeating: nil, count: count))
            do {
                try await backend.begin()
                try await Self.run(scenario, on: backend)
            } catch {
                await backend.end()
                throw error
            }
            await backend.end()
        }
    }

    private static func words(_ command: String) -> [String] { command.split(separator: " ").map(String.init) }

    /// Reads a file.
    static func scenario(path: String) throws -> ConnectivityScenario {
        let text: String
        do {
            text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
        } catch {
            throw CommandFailure("cannot read \(path): \(SystemErrorText.of(error))")
        }
        do throws(ScenarioError) {
            return try ConnectivityScenario(text, file: path)
        } catch {
            throw CommandFailure(error.description, exitStatus: .usage)
        }
    }

    /// Runs the closure with a folder that is removed afterwards.
    static func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = try ScratchFolder.make(prefix: "connectivity", environment: ProcessInfo.processInfo.environment)
        defer { ScratchFolder.remove(folder, program: "synclab") }
        try await body(folder)
    }

    /// Carries out the steps of a file, or the lines of standard input; prints the trace at the end, also after a failure.
    static func run(
        _ scenario: ConnectivityScenario?, on backend: some ConnectivityBackend, output: Output = .standard
    ) async throws {
        do {
            if let scenario {
                try await carryOut(scenario, on: backend)
            } else {
                try await carryOutInput(on: backend, output)
            }
        } catch {
            output.line(try await backend.trace())
            throw error
        }
        output.line(try await backend.trace())
    }

    /// Carries out the steps of a file.
    ///
    /// - Throws: ``CommandFailure`` with the line that failed.
    static func carryOut(_ scenario: ConnectivityScenario, on backend: some ConnectivityBackend) async throws {
        for line in scenario.lines {
            do {
                try await backend.carryOut(line.step)
            } catch let failure as CommandFailure {
                throw CommandFailure("line \(line.number): \(line.text): \(failure.description)")
            }
        }
    }

    /// Carries out each line of standard input when it comes; a line that fails is told of, and the next one is read.
    private static func carryOutInput(on backend: some ConnectivityBackend, _ output: Output) async throws {
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        Thread.detachNewThread {
            while let line = readLine() { continuation.yield(line) }
            continuation.finish()
        }
        var number = 0
        for await line in lines {
            number += 1
            do {
                if let step = try ConnectivityStep.of(line[...], file: "standard input", number: number) {
                    try await backend.carryOut(step)
                }
            } catch let failure as CommandFailure {
                output.line("\(line): \(failure.description)")
            } catch let failure as ScenarioError {
                output.line(failure.description)
            }
        }
    }
}
