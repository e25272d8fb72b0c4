/// A key with what it does, for the hints and the help.
struct KeyHint: Equatable, Sendable {
    var keys: [Key]
    /// The key as it is shown.
    var label: String
    /// What it does, in a word or two.
    var action: String
    /// Why it does nothing now; nil if it works.
    var obstacle: String?

    /// Creates a hint whose label names its key, such as `esc` or `n`; a label of several keys names none.
    init(_ label: String, _ action: String) {
        self.init(keys: Key(label: label).map { [$0] } ?? [], label: label, action: action)
    }

    init(keys: [Key], label: String, action: String, obstacle: String? = nil) {
        (self.keys, self.label, self.action, self.obstacle) = (keys, label, action, obstacle)
    }

    /// The keys that move the selection.
    static func select(_ look: ResolvedTheme) -> KeyHint {
        KeyHint(keys: [], label: look.isASCII ? "up/dn" : "↑↓ jk", action: "select")
    }
}

extension Key {
    /// The key that a label in a hint names; nil for a label that names none, or several.
    init?(label: String) {
        switch label {
        case "enter": self = .enter
        case "esc": self = .escape
        case "tab": self = .tab
        case "space": self = .character(" ")
        case "↑": self = .up
        case "←": self = .left
        case "→": self = .right
        default:
            guard label.count == 1, let character = label.first else { return nil }
            self = .character(character)
        }
    }
}
