import ArgumentParser
import CommandSupport
import Foundation
import Logging
import PoolControl
import PoolHub

/// The flags of every command.
struct CommonOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The configuration file. [$POOLSENSORS_CONFIG; default: ~/.config/poolsensors/config.json]",
            valueName: "file"))
    var config: String?

    @Option(help: Catalog.state.help)
    var state: String?

    @Option(help: Catalog.logLevel.help)
    var logLevel: String?
}

/// A command with settings.
protocol Configured: AsyncParsableCommand {
    /// The flags of every command.
    var common: CommonOptions { get }
    /// The flags of this command that were given, by the keys of their settings.
    var flags: [String: String?] { get }
    /// Runs the command.
    func run(in context: CommandContext) async throws
}

extension Configured {
    var flags: [String: String?] { [:] }

    /// The flags that were given, including those of every command.
    var givenFlags: [String: String] {
        var all = flags
        all[Catalog.state.key] = common.state
        all[Catalog.logLevel.key] = common.logLevel
        return all.compactMapValues(\.self)
    }

    mutating func run() async throws {
        let context = try CommandContext(
            flags: givenFlags, config: common.config, environment: ProcessInfo.processInfo.environment)
        try context.startLogging()
        // Through a pipe, a table is written in full width.
        try await TextTable.$columns.withValue(Output.standard.isTerminal ? TerminalWidth.columns : nil) {
            try await run(in: context)
        }
    }
}

/// The environment and the settings of a command.
struct CommandContext: Sendable {
    /// The variables of the process.
    let environment: Environment
    /// The location of the configuration file.
    let location: SettingsFile.Location
    /// Whether the configuration file exists.
    let hasFile: Bool
    /// The values of all settings.
    let settings: Settings

    init(flags: [String: String], config: String?, environment: Environment) throws {
        self.environment = environment
        location = SettingsFile.Location(flag: config, environment: environment)
        let file = try SettingsFile(at: location)
        hasFile = file != nil
        settings = Settings(flags: flags, environment: environment, file: file)
    }

    /// Remembers what a person has chosen at a screen, in the configuration file.
    func remember<Value>(_ text: String, as setting: Setting<Value>) {
        // A file that cannot be written, as that of a service, keeps its theme: the choice holds until the end.
        try? SettingsFile.remember(text, of: setting.key, at: location.path)
    }

    /// The state folders.
    var folders: StateFolders {
        get throws { StateFolders(path: try settings.value(of: Catalog.state), environment: environment) }
    }

    /// The logger of the command.
    var logger: Logger { Logger(label: "poolsensors") }

    /// Sends the log to standard error, or to code that takes it over with ``LogLines``; once in a process.
    func startLogging() throws {
        let level = try settings.value(of: Catalog.logLevel)
        LoggingSystem.bootstrap { label in
            var handler = DivertedLogHandler(label: label)
            handler.logLevel = level
            return handler
        }
    }

    /// Sends a command to the hub, whether it runs or not.
    ///
    /// - Throws: ``CommandFailure`` with the hub's error.
    func ask(_ request: HubCommand) async throws -> HubReply {
        let folders = try folders
        try folders.prepare()
        let answer: HubReply
        do {
            answer = try await HubClient.perform(request, path: folders.hub) {
                Output.errors.line("poolsensors: \(PlainText.oneLine($0))")
            }
        } catch {
            if case HubClient.Failure.notRunning(let path) = error {
                throw CommandFailure("no hub runs on \(path); \(folders.startAdvice)", exitStatus: .noHub)
            }
            throw explained(CommandFailure(error), of: request, in: folders)
        }
        if case .refused(let sentence) = answer {
            throw explained(CommandFailure(sentence), of: request, in: folders)
        }
        return answer
    }

    /// The failure of a command, with what a person should know about the path that it gave to a service.
    private func explained(
        _ failure: CommandFailure, of request: HubCommand, in folders: StateFolders
    ) -> CommandFailure {
        guard let path = request.path, let note = folders.serviceNote(about: path) else { return failure }
        return CommandFailure("\(failure); \(note)", exitStatus: failure.exitStatus)
    }

    /// Sends a changing command to the hub, and prints the result.
    ///
    /// - Parameters:
    ///   - request: The command.
    ///   - json: The flags of the output; nil for text.
    ///   - subject: Finds what was added or selected, for JSON.
    /// - Throws: ``CommandFailure`` with the hub's error.
    func change(
        _ request: HubCommand, json: JSONOptions? = nil,
        subject: ((HubState) -> ChangeRecord.Subject?)? = nil
    ) async throws {
        guard case .done(let sentence) = try await ask(request) else {
            throw CommandFailure("the hub gave another answer than to a change; is it of another version?")
        }
        guard let json, json.isOn else { return Output.standard.line(PlainText.oneLine(sentence)) }
        let found = subject == nil ? nil : subject?(try await names())
        try json.write(ChangeRecord(done: sentence, id: found?.id, name: found?.name))
    }

    /// What a person means by a text.
    ///
    /// - Throws: ``CommandFailure`` with the error of `find`.
    func meant<Thing>(_ find: () throws -> Thing) throws(CommandFailure) -> Thing {
        do {
            return try find()
        } catch {
            throw CommandFailure(error)
        }
    }

    /// The present state of the hub.
    func state() async throws -> HubState { try await state(.state) }

    /// The names and the configuration of the hub's objects.
    func names() async throws -> HubState { try await state(.names) }

    private func state(_ command: HubCommand) async throws -> HubState {
        guard case .state(let state) = try await ask(command) else {
            throw CommandFailure("the hub gave another answer than a report; is it of another version?")
        }
        return state
    }
}

extension HubCommand {
    /// The file or the folder that the hub opens because a person named it; nil if there is none.
    var path: String? {
        if case .backUp(let path) = self { return path }
        if case .history(.export(let export)) = self { return export.path }
        if case .exportConfiguration(let export) = self { return export.path }
        if case .edit(.importConfiguration(let file)) = self { return file.path }
        if case .share(.send(let file)) = self { return file.path }
        return nil
    }
}
