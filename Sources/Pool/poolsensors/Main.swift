import ArgumentParser
import CommandSupport
import Foundation
import PoolModel

/// The entry point of the program; it runs the command and reports how it ended.
@main
enum Main {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            // Before the flags are read, because people type values in these units.
            DisplayUnits.choose(try CommandLines.units(arguments, ProcessInfo.processInfo.environment))
            try await CommandRunner.run(PoolSensors.self, CommandLines.completed(arguments))
        } catch {
            let report = Report(error, arguments: arguments)
            let wantsJSON = arguments.prefix { $0 != "--" }.contains { JSONOptions.names.contains($0) }
            exit((wantsJSON ? report.inJSON : report).deliver())
        }
    }
}

extension Report {
    /// Creates the report of an error of this program.
    init(_ error: any Error, arguments: [String] = []) {
        guard let fault = error as? SettingError else {
            self.init(
                error, of: PoolSensors.self, arguments: arguments,
                naming: ["device", "pool", "server", "watch", "name"])
            return
        }
        let failure = CommandFailure(fault.description, exitStatus: fault.isUsage ? .usage : .failure)
        self.init(failure, of: PoolSensors.self)
    }
}

/// Rewrites command lines that the parser would misunderstand.
enum CommandLines {
    /// The commands that were moved to the program `synclab`.
    private static let moved: Set = [
        "bench", "chaos", "replay", "scenario", "search", "shrink", "simulate",
    ]

    /// The units of display by the variable or the configuration file.
    ///
    /// A configuration file that cannot be read is the command's to report.
    ///
    /// - Throws: ``SettingError`` for a value that names no unit.
    static func units(_ arguments: [String], _ environment: Environment) throws -> DisplayUnits {
        let flag = arguments.firstIndex(of: "--config").flatMap { arguments.dropFirst($0 + 1).first }
        let file = try? SettingsFile(at: SettingsFile.Location(flag: flag, environment: environment))
        return try Settings(flags: [:], environment: environment, file: file).value(
            of: Catalog.units)
    }

    /// Rewrites `hub --help` and `watch --help` so that they show the help of running a hub and a watch.
    ///
    /// The help of their subcommands, as in `watch rename --help`, is not changed.
    ///
    /// - Throws: ``CommandFailure`` for a command that does not exist, or was moved to another program.
    static func completed(_ arguments: [String]) throws -> [String] {
        if let command = arguments.first, moved.contains(command) {
            throw CommandFailure(
                "`\(command)` is a command of another program now, which lies beside this one: `synclab \(command)`",
                exitStatus: .usage)
        }
        let asksForHelp = arguments.contains { ["-h", "--help"].contains($0) }
        for command in [HubCommands.self, WatchCommands.self] as [any ParsableCommand.Type]
        where asksForHelp && arguments.first == command._commandName {
            let names = command.configuration.subcommands.map { $0._commandName }
            guard arguments.dropFirst().allSatisfy({ !names.contains($0) }) else { continue }
            return [command._commandName, "run"] + arguments.dropFirst()
        }
        try check(arguments)
        return arguments
    }

    /// Checks the words that must be commands.
    ///
    /// - Throws: ``CommandFailure`` with the nearest command for a word that is not a command.
    private static func check(_ arguments: [String]) throws {
        var command: any ParsableCommand.Type = PoolSensors.self
        var path = command._commandName
        for word in arguments.drop(while: { $0 == "help" }) {
            let known = command.configuration.subcommands
            // The default subcommand of `calibrate` takes words of its own.
            let takesWords = command.configuration.defaultSubcommand == CalibrateWizardCommand.self
            guard !known.isEmpty, !word.hasPrefix("-") else { return }
            if let found = known.first(where: { ([$0._commandName] + $0.configuration.aliases).contains(word) }) {
                command = found
                path += " \(found._commandName)"
                continue
            }
            guard !takesWords else { return }
            let names = known.filter { $0.configuration.shouldDisplay }.map { $0._commandName }
            let advice =
                NearMiss.nearest(to: word, in: names).map { "did you mean `\(path) \($0)`?" }
                ?? "there are: \(names.joined(separator: ", "))"
            throw CommandFailure("`\(path)` has no command `\(word)`; \(advice)", exitStatus: .usage)
        }
    }
}
