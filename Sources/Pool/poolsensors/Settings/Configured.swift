import ArgumentParser
import CommandSupport
import Foundation
import Logging
import PoolControl
import PoolHub
import Service

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

    /// Sends a request to the hub, whether it runs or not.
    ///
    /// - Throws: ``CommandFailure`` with the hub's error.
    func ask<Reply>(_ request: HubRequest<Reply>) async throws -> Reply {
        let folders = try folders
        try folders.prepare()
        do {
            return try await HubClient.ask(request, path: folders.hub) {
                Output.errors.line("poolsensors: \(PlainText.oneLine($0))")
            }
        } catch {
            if case ServiceFailure.notRunning(let service) = error {
                throw CommandFailure("no hub runs on \(service.path); \(folders.startAdvice)", exitStatus: .noHub)
            }
            throw explained(CommandFailure(error), of: request.command, in: folders)
        }
    }

    /// The failure of a command, with what a person should know about the path that it gave to a service.
    private func explained(
        _ failure: CommandFailure, of command: HubCommand, in folders: StateFolders
    ) -> CommandFailure {
        guard let path = command.path, let note = folders.serviceNote(about: path) else { return failure }
        return CommandFailure("\(failure); \(note)", exitStatus: failure.exitStatus)
    }

    /// Sends a changing request to the hub, and prints the result.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - json: The flags of the output; nil for text.
    ///   - subject: Finds what was added or selected, for JSON.
    /// - Throws: ``CommandFailure`` with the hub's error.
    func change(
        _ request: HubRequest<String>, json: JSONOptions? = nil,
        subject: ((HubState) -> ChangeRecord.Subject?)? = nil
    ) async throws {
        let sentence = try await ask(request)
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
    func state() async throws -> HubState { try await ask(.state) }

    /// The names and the configuration of the hub's objects.
    func names() async throws -> HubState { try await ask(.names) }
}
