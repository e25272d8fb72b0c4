import ArgumentParser
import Text

/// What every demo takes, and its course.
package struct DemoOptions: ParsableArguments {
    /// What a demo shows at its end.
    package struct Summary: Sendable {
        /// What happened, one line for each thing.
        package let lines: [String]
        /// Whether it is what the demo promises.
        package let isRight: Bool

        package init(lines: [String], isRight: Bool) { (self.lines, self.isRight) = (lines, isRight) }
    }

    @Option(name: .customLong("for"), help: ArgumentHelp("How long to go on after the tour.", valueName: "duration"))
    package var duration = "5s"

    @Flag(help: "Keep its folder, with what the processes left.") package var keep = false

    package init() {}

    package func validate() throws {
        if DurationText.duration(duration) == nil {
            throw ValidationError("--for is \"\(duration)\", expected \(DurationText.expected)")
        }
    }

    /// How long to go on after the tour.
    package var length: Duration { DurationText.duration(duration) ?? .seconds(5) }

    /// Makes a folder, takes the tour in it, ends the processes, prints the summary and removes the folder.
    ///
    /// A demo that is stopped by a signal has no summary.
    ///
    /// - Parameters:
    ///   - program: The name of the program.
    ///   - environment: The variables; they may name the folder for temporary files.
    ///   - begin: Makes the stage, and the tour on it, for the folder.
    /// - Throws: ``CommandFailure``; `ExitCode` if the summary is not right.
    package func run(
        _ program: String, _ environment: Environment,
        _ begin: (String) throws -> (stage: DemoStage, tour: @Sendable () async throws -> Summary)
    ) async throws {
        let folder = try ScratchFolder.make(prefix: "\(program)-demo", environment: environment)
        defer {
            if keep {
                Output.standard.line("demo: its folder is \(folder)")
            } else {
                ScratchFolder.remove(folder, program: program)
            }
        }
        let (stage, tour) = try begin(folder)
        let summary = Kept<Summary>()
        do {
            _ = try await untilStopped { summary.value = try await tour() }
        } catch {
            await stage.stop()
            throw CommandFailure(error)
        }
        await stage.stop()
        guard let summary = summary.value else { return }
        for line in summary.lines { Output.standard.line(line) }
        if !summary.isRight { throw ExitCode(1) }
    }
}
