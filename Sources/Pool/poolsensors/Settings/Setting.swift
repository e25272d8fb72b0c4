import ArgumentParser
import CommandSupport

/// A setting, which a flag, an environment variable or the configuration file can set.
struct Setting<Value: Sendable>: Sendable {
    /// The default of a setting.
    enum Fallback: Sendable {
        /// This text, parsed like any other.
        case text(String)
        /// A text that depends on the environment.
        case computed(@Sendable (Environment) -> String)
        /// No value: the value that means this, and the text for it.
        case absent(Value, words: String)
    }

    /// The key in the configuration file, such as `hub.listen`.
    let key: String
    /// The flag of the command, such as `--listen`; nil if it has none.
    let flag: String?
    /// The placeholder for the value in the help, such as `endpoint`.
    let valueName: String
    /// A description without a full stop.
    let summary: String
    /// The allowed values, as text.
    let expected: String
    /// The default of a setting.
    let fallback: Fallback
    /// Whether its value must not be shown.
    var isSecret = false
    /// Parses a text; nil if it is invalid.
    let read: @Sendable (String) -> Value?

    /// The setting without the type of its value.
    var entry: SettingEntry {
        SettingEntry(
            key: key, flag: flag, expected: expected, absence: absence, isSecret: isSecret, fallback: fallbackText,
            isReadable: { read($0) != nil })
    }

    /// The help of the flag: its description, and the other sources of the value.
    var help: ArgumentHelp {
        let fallbackWords =
            switch fallback {
            case .text(let text): "default: \(text)"
            case .computed: "default: see `config show`"
            case .absent(_, let words): "default: \(words)"
            }
        return ArgumentHelp(
            "\(summary). [$\(entry.variable), \(key); \(fallbackWords)]", valueName: valueName)
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
struct SettingEntry: Sendable {
    let key: String
    let flag: String?
    let expected: String
    /// The text for no value.
    let absence: String
    let isSecret: Bool
    /// The text of the default; nil for none.
    let fallback: @Sendable (Environment) -> String?
    let isReadable: @Sendable (String) -> Bool

    /// The name of the environment variable: `hub.listen` is `POOLSENSORS_HUB_LISTEN`.
    var variable: String {
        var name = Environment.settingPrefix
        for character in key {
            if character.isUppercase { name += "_" }
            name += character == "." ? "_" : character.uppercased()
        }
        return name
    }
}
