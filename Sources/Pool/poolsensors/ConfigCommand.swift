import ArgumentParser
import CommandSupport

/// Shows the configuration of the program itself, and manages that of the hub.
struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Shows the program's settings; logs, restores and shares the hub's configuration.",
        subcommands: [
            ConfigShowCommand.self, ConfigLogCommand.self, ConfigDiffCommand.self, ConfigRestoreCommand.self,
            ConfigExportCommand.self, ConfigImportCommand.self,
        ], defaultSubcommand: ConfigShowCommand.self)
}

/// Lists all settings.
struct ConfigShowCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Lists every setting, its value, and where that comes from.",
        discussion: """
            Flags take precedence over environment variables, these over the configuration
            file, and that over the defaults. Secrets are not shown. Give a command line
            after two dashes to see the effect of its flags:
              poolsensors config show -- hub --listen 127.0.0.1:9000

            The configuration file is JSON, with an object for each word before a dot:
              {"hub": {"listen": "tcp://127.0.0.1:9000"},
               "watch": {"name": "Kitchen", "timeout": "10s"}}
            """)

    @OptionGroup var json: JSONOptions

    @Argument(help: "A command line whose flags are taken into account.")
    var command: [String] = []

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func run(in context: CommandContext) async throws {
        var context = context
        if !command.isEmpty {
            guard let other = try PoolSensors.parseAsRoot(command) as? any Configured else {
                throw ValidationError("`\(command.joined(separator: " "))` is not a command with settings")
            }
            context = try CommandContext(
                flags: givenFlags.merging(other.givenFlags) { $1 }, config: other.common.config ?? common.config,
                environment: context.environment)
        }
        let table = SettingsTable(context)
        if json.isOn {
            try json.write(table)
        } else {
            for line in table.lines { Output.standard.line(line) }
        }
    }
}

/// All settings with their values and origins.
struct SettingsTable: Encodable {
    /// One setting.
    struct Row: Encodable, Equatable {
        var key: String
        /// The value as text; nil if it does not exist, or if it is a secret.
        var value: String?
        var isSet: Bool
        var origin: String
        var variable: String
        var flag: String?
        var expected: String
        /// What is wrong with the value; nil if nothing is.
        var problem: String?
    }

    /// The configuration file.
    var file: String
    var fileExists: Bool
    var settings: [Row]
    /// Variables that look like settings but are not.
    var unknownVariables: [String]

    private var words: [String]

    private enum CodingKeys: String, CodingKey {
        case file
        case fileExists
        case settings
        case unknownVariables
    }

    /// Collects everything.
    init(_ context: CommandContext, catalog: [SettingEntry] = Catalog.all) {
        file = context.location.path
        fileExists = context.hasFile
        unknownVariables = context.settings.unknownVariables(catalog: catalog)
        settings = []
        words = []
        for entry in catalog {
            let (text, origin) = context.settings.text(of: entry)
            let isReadable = text.map(entry.isReadable) ?? true
            settings.append(
                Row(
                    key: entry.key, value: entry.isSecret ? nil : text, isSet: text != nil, origin: "\(origin)",
                    variable: entry.variable, flag: entry.flag, expected: entry.expected,
                    problem: isReadable ? nil : "expected \(entry.expected)"))
            let shown = text.map { entry.isSecret ? "(hidden)" : $0 } ?? "(\(entry.absence))"
            words.append(isReadable ? shown : "\(shown)  ← expected \(entry.expected)")
        }
    }

    /// The settings for a person.
    var lines: [String] {
        var table = TextTable("setting", "value", "from")
        for (row, value) in zip(settings, words) {
            table.add(row.key, value, row.origin)
        }
        let note = fileExists ? "" : " (not there)"
        let unknown = unknownVariables.map { "The variable \(PlainText.oneLine($0)) is not a setting." }
        return ["Configuration file: \(PlainText.oneLine(file))\(note)", ""] + table.lines
            + (unknown.isEmpty ? [] : [""] + unknown)
    }
}
