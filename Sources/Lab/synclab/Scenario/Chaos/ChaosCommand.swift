import ArgumentParser
import CommandSupport
import Foundation
import SyncCore

/// Runs random faults on real processes, and checks the promises.
struct ChaosCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chaos",
        abstract: "Lets work and faults loose on real processes, and checks that nothing accepted is lost.",
        discussion: """
            A hub and watches run as processes on loopback. For a while people edit and
            delete, ask questions, and send user info and files both ways, while messages
            are lost, late, doubled, overtaken, changed and cut, processes are killed,
            stopped and started again, the hub is restored from a backup, a watch's folder
            runs twice, and the log of conflicts fills up. Then all faults end; everything
            must come to rest, and the journals of all processes must agree: no edit is lost
            unseen, none takes effect in part, nothing deleted comes back, user info came
            once and in order, questions once at most, files are whole, and all devices show
            the same.

            The seed decides who does and suffers what, and how messages fail. Processes run
            as the machine lets them, so the same seed is not the same run.

            Exit status: 0 if all promises held, else 1; then the folder with all state and
            all journals is kept.
            """)

    @Option(help: ArgumentHelp("What work and faults follow from. [default: drawn]", valueName: "n"))
    var seed: UInt64?

    @Option(name: .customLong("for"), help: ArgumentHelp("How long, such as 60s or 10m.", valueName: "duration"))
    var time = "60s"

    @Option(help: ArgumentHelp("The number of watches, 1 to 50.", valueName: "n"))
    var watches = 5

    @Option(
        help: ArgumentHelp("Keep journals of the engines here, and replay them at the end.", valueName: "folder"))
    var record: String?

    @Flag(help: "Print the summary as JSON.")
    var json = false

    func validate() throws {
        guard (1...50).contains(watches) else {
            throw ValidationError("--watches is \(watches), expected a number from 1 to 50")
        }
        _ = try duration
    }

    private var duration: Duration {
        get throws {
            let units = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600)]
            for (unit, seconds) in units where time.hasSuffix(unit) {
                guard let number = Double(time.dropLast(unit.count)), number > 0, number < 1_000_000 else { continue }
                return .seconds(number * seconds)
            }
            throw ValidationError("--for is \"\(time)\", expected a duration such as 60s, 10m or 1h")
        }
    }

    func run() async throws {
        let (time, watches, json) = (try duration, watches, json)
        // First, so that a wrong folder leaves nothing behind.
        let record = try record.map { try RecordFolder.make($0) }
        let seed = seed ?? UInt64.random(in: 0...999_999)
        let folder = try Self.makeFolder(seed: seed)
        if !json {
            Output.standard.line("seed \(seed), \(watches) watches, \(self.time), in \(folder.path)")
        }
        let reason = try await untilStopped(output: nil) {
            try await Self.workload(
                seed: seed, watchCount: watches, time: time, folder: folder, record: record, json: json)
        }
        guard reason == .finished else {
            try Self.remove(folder)
            throw CommandFailure("stopped before its end: nothing is proven, and nothing is kept")
        }
    }

    /// Does a run in a folder; removes the folder if all promises held, and prints its path otherwise.
    static func workload(
        seed: UInt64, watchCount: Int, time: Duration, folder: URL, record: String?, json: Bool,
        program: String = LocalTools.ownPath
    ) async throws {
        let summary: ChaosSummary
        do {
            let chaos = try Chaos(
                seed: seed, watchCount: watchCount, folder: folder.path, program: program, recordFolder: record)
            summary = try await Self.summary(of: chaos, for: time, record: record)
        } catch {
            throw CommandFailure("\(error); everything is kept in \(folder.path)")
        }
        if json {
            Output.standard.line(try JSONText.line(summary))
        } else {
            summary.lines.forEach(Output.standard.line)
        }
        guard summary.violations.isEmpty else {
            throw CommandFailure("promises were broken; everything is kept in \(folder.path)")
        }
        try remove(folder)
    }

    /// Does a run to its end, or until a process is lost: then nothing else is checked, since the work has not
    /// finished.
    static func summary(of plan: Chaos, for time: Duration, record: String?) async throws -> ChaosSummary {
        var chaos = plan
        do {
            try await chaos.begin()
            try await chaos.run(for: time)
            try await chaos.settle()
        } catch {
            var losses = await chaos.end()
            if let loss = error as? NodeLoss, !losses.contains(loss) { losses.insert(loss, at: 0) }
            guard !losses.isEmpty, !(error is CancellationError) else { throw error }
            return ChaosSummary(counts: chaos.counts, conflictCount: 0, violations: losses.map(\.description))
        }
        let losses = await chaos.end()
        var summary = try chaos.check()
        summary.violations = losses.map(\.description) + summary.violations
        if let record { try RecordFolder.replay(record, into: &summary) }
        return summary
    }

    // MARK: - The folder

    private static func makeFolder(seed: UInt64) throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "chaos-\(seed)-\(getpid())")
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw CommandFailure("cannot make the folder \(folder.path): \(SystemErrorText.of(error))")
        }
        return folder
    }

    private static func remove(_ folder: URL) throws {
        do {
            try FileManager.default.removeItem(at: folder)
        } catch {
            throw CommandFailure("cannot remove \(folder.path): \(SystemErrorText.of(error)); remove it yourself")
        }
    }
}
