public import PoolModel

/// The inline face in the notation of tmux, for its status line: `#[fg=#46c8f5,bold]●#[default] …`.
///
/// Put it into `tmux.conf` as `set -g status-right '#(poolsensors watch --tmux)'`. In names each `#` is doubled, so
/// that tmux reads no commands, variables or styles in them. Source: the manual of tmux 3.3, "STYLES" and "FORMATS".
public enum TmuxLine {
    /// The line of a glance, without a line end.
    /// - Parameters:
    ///   - glance: What to show.
    ///   - theme: The colours; only their foregrounds, the bar keeps its own background.
    ///   - depth: The colours that tmux may name: `#rrggbb`, `colour0`…`colour255`, the 16 names, or none.
    ///   - isASCII: Whether to use only ASCII.
    ///   - columns: The width limit of the line, in columns; nil for none.
    /// - Returns: The line, which leaves tmux in its default style.
    public static func text(
        _ glance: Glance, theme: Theme = Theme(), depth: ColorDepth = .truecolor, isASCII: Bool = false,
        columns: Int? = nil
    ) -> String {
        let look = ResolvedTheme(theme: theme, capabilities: Capabilities(depth: depth, isASCII: isASCII))
        var text = ""
        var style = "default"
        for run in InlineFace.runs(glance, look: look, columns: columns) {
            let next = run.text.allSatisfy({ $0 == " " }) ? style : notation(run.style, depth: depth)
            if next != style { text += style == "default" || next == "default" ? "#[\(next)]" : "#[default]#[\(next)]" }
            style = next
            text += escaped(look.plain(run.text))
        }
        return style == "default" ? text : text + "#[default]"
    }

    private static func escaped(_ text: String) -> String { text.replacing("#", with: "##") }

    private static func notation(_ style: Style, depth: ColorDepth) -> String {
        let shown = TerminalStyle(style, depth: depth)
        var words: [String] = []
        if let color = name(shown.foreground) { words.append("fg=\(color)") }
        if shown.attributes.contains(.bold) { words.append("bold") }
        if shown.attributes.contains(.underline) { words.append("underscore") }
        if shown.attributes.contains(.reverse) { words.append("reverse") }
        return words.isEmpty ? "default" : words.joined(separator: ",")
    }

    private static func name(_ color: TerminalStyle.Color) -> String? {
        let names = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]
        switch color {
        case .terminalDefault: return nil
        case .ansi(let index): return index < 8 ? names[Int(index)] : "bright\(names[Int(index & 7)])"
        case .indexed(let index): return "colour\(index)"
        case .rgb(let rgb): return "#\(rgb.hexadecimal)"
        }
    }
}

extension RGB {
    /// The six digits of the colour, in lower case.
    var hexadecimal: String {
        Hexadecimal.text([red, green, blue])
    }
}

extension ResolvedTheme {
    /// A text without characters that the terminal cannot show.
    func plain(_ text: String) -> String {
        isASCII ? String(text.map { $0.isASCII ? $0 : Self.asciiForms[$0] ?? "?" }) : text
    }
}
