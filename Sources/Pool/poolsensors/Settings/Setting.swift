import ArgumentParser
import CommandSupport

/// One thing that can be set by a flag, a variable of the environment, or the configuration file.
struct Setting<Value: Sendable>: Sendable {
    /// What holds where nobody sets it.
    enum Fallback: Sendable {
        /// This text, read like any other.
        case text(String)
        /// A text that depends on the environment.
        case computed(@Sendable (Environment) -> String)
        /// Nothing: the value that means so, and the words for it.
        case absent(Value, words: String)
    }

    /// The key in the configuration file, such as `hub.listen`.
    let key: String
    /// The flag of the command, such as `--listen`; nil if it has none.
    let flag: String?
    /// What stands for the value in the help, such as `endpoint`.
    let valueName: String
    /// What it is, in words without a full stop.
    let summary: String
    /// What may be written.
    let expected: String
    /// What holds where nobody sets it.
    let fallback: Fallback
    /// Whether nobody may see it.
    var isSecret = false
    /// Reads a text; nil if it is not what is expected.
    let read: @Sendable (String) -> Value?

    /// The setting without the type of its value.
    var entry: SettingEntry {
        SettingEntry(
            key: key, flag: flag, expected: expected, absence: absence, isSecret: isSecret, fallback: fallbackText,
            isReadable: { read($0) != nil })
    }

    /// The help of the flag: what it is, and where else the value comes from.
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

/// A setting without the type of its value: what lists and checks need.
struct SettingEntry: Sendable {
    let key: String
    let flag: String?
    let expected: String
    /// The words for having no value.
    let absence: String
    let isSecret: Bool
    /// The text that holds where nobody sets it, nil for none.
    let fallback: @Sendable (Environment) -> String?
    let isReadable: @Sendable (String) -> Bool

    /// The name of the variable of the environment: `hub.listen` is `POOLSENSORS_HUB_LISTEN`.
    var variable: String {
        var name = Environment.settingPrefix
        for character in key {
            if character.isUppercase { name += "_" }
            name += character == "." ? "_" : character.uppercased()
        }
        return name
    }
}
