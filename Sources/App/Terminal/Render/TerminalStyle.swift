/// A style as a terminal of some depth shows it: two equal ones look the same there.
package struct TerminalStyle: Hashable, Sendable {
    package enum Color: Hashable {
        case terminalDefault
        case ansi(UInt8)
        case indexed(UInt8)
        case rgb(RGB)
    }

    package var foreground: Color
    package var background: Color
    package var attributes: Style.Attributes

    /// The style of a terminal after a reset.
    package static let plain = TerminalStyle(foreground: .terminalDefault, background: .terminalDefault, attributes: [])

    package init(foreground: Color, background: Color, attributes: Style.Attributes) {
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
    }

    package init(_ style: Style, depth: ColorDepth) {
        self.init(
            foreground: Self.color(style.foreground, depth),
            background: Self.color(style.background ?? .terminalDefault, depth),
            attributes: style.attributes)
    }

    /// The sequence that turns a terminal from this style to another; empty if they are equal.
    package func sequence(to style: TerminalStyle) -> String {
        guard style != self else { return "" }
        if style == .plain { return "\u{1B}[0m" }
        return "\u{1B}[" + style.parameters(from: self).joined(separator: ";") + "m"
    }

    /// The attributes that can be seen on a blank.
    private static let visibleOnBlank: Style.Attributes = [.underline, .reverse]

    /// The style nearest to this one in which a blank looks as in another style: ink and weight are invisible on a
    /// blank.
    package func forBlank(_ wanted: TerminalStyle) -> TerminalStyle {
        guard wanted.attributes.isDisjoint(with: Self.visibleOnBlank) else { return wanted }
        return TerminalStyle(
            foreground: foreground, background: wanted.background,
            attributes: attributes.subtracting(Self.visibleOnBlank))
    }

    /// Whether a blank in this style looks as in another one.
    package func isAsBlank(_ other: TerminalStyle) -> Bool {
        self == other || other.forBlank(self) == other && forBlank(other) == self
    }

    private static func color(_ ink: AdaptiveColor, _ depth: ColorDepth) -> Color {
        switch depth {
        case .mono: .terminalDefault
        case .ansi16: ink.ansi.map { .ansi($0) } ?? .terminalDefault
        case .indexed256: ink.paletteIndex.map { .indexed($0) } ?? .terminalDefault
        case .truecolor: ink.rgb.map { .rgb($0) } ?? .terminalDefault
        }
    }

    /// The SGR parameters that turn a terminal from another style to this one; empty if they are equal.
    ///
    /// Source: ECMA-48, "SGR"; ISO 8613-6 for the forms 38 and 48, with semicolons, which every terminal accepts.
    package func parameters(from other: TerminalStyle) -> [String] {
        var parameters: [String] = []
        let flags: [(Style.Attributes, on: String, off: String)] = [
            (.bold, "1", "22"), (.underline, "4", "24"), (.reverse, "7", "27"),
        ]
        for (flag, on, off) in flags {
            let (now, before) = (attributes.contains(flag), other.attributes.contains(flag))
            if now != before { parameters.append(now ? on : off) }
        }
        if foreground != other.foreground { parameters += Self.parameters(foreground, base: 30) }
        if background != other.background { parameters += Self.parameters(background, base: 40) }
        return parameters
    }

    private static func parameters(_ color: Color, base: Int) -> [String] {
        switch color {
        case .terminalDefault: ["\(base + 9)"]
        case .ansi(let index): ["\(index < 8 ? base + Int(index) : base + 60 + Int(index) - 8)"]
        case .indexed(let index): ["\(base + 8)", "5", "\(index)"]
        case .rgb(let rgb): ["\(base + 8)", "2", "\(rgb.red)", "\(rgb.green)", "\(rgb.blue)"]
        }
    }
}
