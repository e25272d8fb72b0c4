package import ArgumentParser
package import SyncCore

/// A setting, which a flag, an environment variable or the configuration file can set.
package struct Setting<Value: Sendable>: Sendable {
    /// The default of a setting.
    package enum Fallback: Sendable {
        /// This text, parsed like any other.
        case text(String)
        /// A text that depends on the environment.
        case computed(@Sendable (Environment) -> String)
        /// No value: the value that means this, and the text for it.
        case absent(Value, words: String)
    }

    /// The key in the configuration file, such as `hub.listen`.
    package let key: String
    /// The flag of the command, such as `--listen`; nil if it has none.
    package let flag: String?
    /// The placeholder for the value in the help, such as `endpoint`.
    package let valueName: String
    /// A description without a full stop.
    package let summary: String
    /// The allowed values, as text.
    package let expected: String
    /// The default of a setting.
    package let fallback: Fallback
    /// Whether its value must not be shown.
    package var isSecret = false
    /// Parses a text; nil if it is invalid.
    package let read: @Sendable (String) -> Value?

    /// Describes a setting.
    package init(
        key: String, flag: String?, valueName: String, summary: String, expected: String, fallback: Fallback,
        isSecret: Bool = false, read: @escaping @Sendable (String) -> Value?
    ) {
        self.key = key
        self.flag = flag
        self.valueName = valueName
        self.summary = summary
        self.expected = expected
        self.fallback = fallback
        self.isSecret = isSecret
        self.read = read
    }

    /// The setting without the type of its value.
    package var entry: SettingEntry {
        SettingEntry(
            key: key, flag: flag, expected: expected, absence: absence, isSecret: isSecret, fallback: fallbackText,
            isReadable: { read($0) != nil })
    }

    /// The help of the flag of an app: its description, and the other sources of the value.
    package func help(of app: AppName) -> ArgumentHelp {
        let fallbackWords =
            switch fallback {
            case .text(let text): "default: \(text)"
            case .computed: "default: see `config show`"
            case .absent(_, let words): "default: \(words)"
            }
        return ArgumentHelp(
            "\(summary). [$\(entry.variable(of: app)), \(key); \(fallbackWords)]", valueName: valueName)
    }

    private var absence: String {
        if case .absent(_, let words) = fallback { return words }
        return ""
    }

    private func fallbackText(_ environment: Environment) -> String? {
        switch fallback {
        case .text(let text): text
        case .computed(let text): text(environment)
        case .absent: nil
        }
    }
}

/// A setting without the type of its value, for lists and checks.
package struct SettingEntry: Sendable {
    package let key: String
    package let flag: String?
    package let expected: String
    /// The text for no value.
    package let absence: String
    package let isSecret: Bool
    /// The text of the default; nil for none.
    package let fallback: @Sendable (Environment) -> String?
    package let isReadable: @Sendable (String) -> Bool

    /// Describes a setting.
    package init(
        key: String, flag: String?, expected: String, absence: String, isSecret: Bool,
        fallback: @escaping @Sendable (Environment) -> String?, isReadable: @escaping @Sendable (String) -> Bool
    ) {
        self.key = key
        self.flag = flag
        self.expected = expected
        self.absence = absence
        self.isSecret = isSecret
        self.fallback = fallback
        self.isReadable = isReadable
    }

    /// The name of the environment variable of an app: `hub.listen` of `lamps` is `LAMPS_HUB_LISTEN`.
    package func variable(of app: AppName) -> String {
        var name = app.variablePrefix
        for character in key {
            if character.isUppercase { name += "_" }
            name += character == "." ? "_" : character.uppercased()
        }
        return name
    }
}
