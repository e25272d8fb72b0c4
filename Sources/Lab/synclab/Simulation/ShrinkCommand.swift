import ArgumentParser
import CommandSupport
import PoolControl
import SyncSimulation

/// Reduces a schedule that breaks a rule.
struct ShrinkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shrink",
        abstract: "Makes a simulated schedule smaller that breaks a rule.",
        discussion: """
            It leaves out whatever the broken rule does not need: faults, the
            application's work, watches, time. The result is a file for `synclab
            replay`; write a sentence into it that says what it shows.

            Examples:
              synclab shrink --seed 42 --output broken.json

            Exit status: 1 if the schedule breaks no rule.
            """)

    @OptionGroup var source: ScheduleSource

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("The file to write; else the schedule is printed.", valueName: "file"))
    var output: String?

    @Option(help: ArgumentHelp("The rule to break; else the one that it breaks now.", valueName: "name"))
    var rule: String?

    @Option(help: ArgumentHelp("The most runs to make. [default: 1000]", valueName: "n"))
    var runs: Int?

    func validate() throws {
        try source.validateIsGiven()
        if let rule, Violation.Rule(rawValue: rule) == nil {
            let known = Violation.Rule.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--rule is \"\(rule)\", expected one of \(known)")
        }
        if let runs, runs < 1 { throw ValidationError("--runs is \(runs), expected a number from 1") }
    }

    func run() throws {
        let schedule = try source.schedule
        if let output { try KeptFile.check(output) }
        let rule = rule.flatMap { Violation.Rule(rawValue: $0) }
        guard let shrinking = schedule.shrunk(keeping: rule, runCountMax: runs ?? 1000) else {
            throw nothingToKeep(broken: Simulation.run(schedule).violation?.rule)
        }
        let (before, after) = shrinking.occurrenceCounts
        let end = shrinking.isMinimal ? "none of them can go" : "stopped after the most runs"
        Output.errors.line(
            "\(before) occurrences became \(after) in \(shrinking.runCount) runs, \(end); "
                + "\(shrinking.report.violation?.description ?? "")")
        guard let output else { return Output.standard.write(shrinking.schedule.json) }
        do {
            try KeptFile.write(shrinking.schedule.json, to: output)
        } catch {
            // The disk may have filled up meanwhile; the result took long to compute, so it is printed instead.
            Output.standard.write(shrinking.schedule.json)
            throw error
        }
    }

    /// The error for a schedule that does not break the rule.
    private func nothingToKeep(broken: Violation.Rule?) -> CommandFailure {
        guard let broken else {
            return CommandFailure(
                "\(source.name) breaks no rule, so there is nothing to keep; see `synclab replay`")
        }
        return CommandFailure(
            "\(source.name) does not break the rule \(rule ?? "") but \(broken.rawValue): "
                + "give --rule \(broken.rawValue), or leave --rule out")
    }
}
