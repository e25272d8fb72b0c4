package import SyncCore

/// The source of a value.
package enum Origin: Equatable, Sendable {
    /// A flag of the command.
    case flag(String)
    /// A variable of the environment.
    case environment(String)
    /// The configuration file.
    case file(path: String)
    /// The default.
    case fallback
}

extension Origin: CustomStringConvertible {
    /// The origin as text.
    package var description: String {
        switch self {
        case .flag(let name): "flag \(name)"
        case .environment(let name): "environment \(name)"
        case .file(let path): "file \(path)"
        case .fallback: "default"
        }
    }
}

/// The values of all settings: flags override the environment, the environment overrides the file, and the file
/// overrides the defaults.
package struct Settings: Sendable {
    /// The flags that were given, by the keys of their settings.
    private let flags: [String: String]
    private let environment: Environment
    private let app: AppName
    private let file: SettingsFile?

    /// Creates the settings of a command.
    ///
    /// - Parameters:
    ///   - flags: The flags that were given, by the keys of their settings.
    ///   - environment: The variables of the process; an empty one counts as absent.
    ///   - file: The configuration file, or nil.
    ///   - app: The app, which names the variables.
    package init(flags: [String: String], environment: Environment, file: SettingsFile?, app: AppName) {
        self.flags = flags
        self.environment = environment
        self.file = file
        self.app = app
    }

    /// The text of a setting and its origin; nil if it has none.
    package func text(of entry: SettingEntry) -> (text: String?, origin: Origin) {
        if let text = flags[entry.key] { return (text, .flag(entry.flag ?? entry.key)) }
        let variable = entry.variable(of: app)
        if let text = environment[variable], !text.isEmpty { return (text, .environment(variable)) }
        if let file, let text = file.values[entry.key] { return (text, .file(path: file.path)) }
        return (entry.fallback(environment), .fallback)
    }

    /// The value of a setting.
    ///
    /// - Throws: ``SettingError`` if its text is invalid.
    package func value<Value>(of setting: Setting<Value>) throws(SettingError) -> Value {
        let entry = setting.entry
        let (text, origin) = text(of: entry)
        guard let text else {
            guard case .absent(let value, _) = setting.fallback else {
                preconditionFailure("the setting \(setting.key) has neither a value nor a word for its absence")
            }
            return value
        }
        guard let value = setting.read(text) else { throw SettingError(entry: entry, text: text, origin: origin) }
        return value
    }

    /// The variables that look like settings but are not, sorted.
    package func unknownVariables(catalog: [SettingEntry]) -> [String] {
        let known = Set(catalog.map { $0.variable(of: app) } + [app.configurationVariable])
        return environment.keys.filter { $0.hasPrefix(app.variablePrefix) && !known.contains($0) }.sorted()
    }
}

/// The error for an invalid text of a setting.
package struct SettingError: Error, CustomStringConvertible {
    package let entry: SettingEntry
    package let text: String
    package let origin: Origin

    /// Describes a text that the setting cannot be.
    package init(entry: SettingEntry, text: String, origin: Origin) {
        self.entry = entry
        self.text = text
        self.origin = origin
    }

    /// The origin of the value, the value, and the allowed values.
    package var description: String {
        let place =
            switch origin {
            case .flag(let name): name
            case .environment(let name): name
            case .file(let path): "\(path): \(entry.key)"
            case .fallback: "the default of \(entry.key)"
            }
        return "\(place) is \(entry.isSecret ? "hidden" : "\"\(text)\""), expected \(entry.expected)"
    }

    /// Whether the value comes from the command line.
    package var isUsage: Bool {
        if case .flag = origin { return true }
        return false
    }
}
