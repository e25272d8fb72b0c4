/// How many colours a terminal shows.
public enum ColorDepth: String, CaseIterable, Comparable, Sendable {
    /// None: only bold, underline and reverse.
    case mono
    /// The 16 colours that the terminal's user chose.
    case ansi16
    /// The xterm palette of 256.
    case indexed256
    /// 24 bits.
    case truecolor

    /// Whether the left depth has fewer colours.
    public static func < (left: ColorDepth, right: ColorDepth) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .mono: 0
        case .ansi16: 1
        case .indexed256: 2
        case .truecolor: 3
        }
    }
}

/// The values of `--color`.
public enum ColorChoice: String, CaseIterable, Sendable {
    /// Depends on the environment and the terminal.
    case auto
    /// No colour.
    case never
    /// Colour, as many as the terminal is known to have and at least 16, also into a pipe.
    case always
    /// The 16 colours of the terminal.
    case ansi16 = "16"
    /// The 256 colours of xterm.
    case indexed256 = "256"
    /// 24-bit colours.
    case truecolor
}

extension ColorDepth {
    /// The depth to draw with.
    ///
    /// The first source with a decision wins: the person's choice, `FORCE_COLOR`, `NO_COLOR`, `CLICOLOR_FORCE`, then
    /// whether the output is a terminal, and the values of `COLORTERM` and `TERM`. `FORCE_COLOR` has the levels of the
    /// programs that introduced it: 0 or `false` is no colour, 2 is 256, 3 is 24 bits, any other value at least 16.
    /// `NO_COLOR` and `CLICOLOR_FORCE` are as described at no-color.org and bixense.com/clicolors: empty means absent,
    /// and so does a `CLICOLOR_FORCE` of 0.
    /// - Parameters:
    ///   - choice: The value of the `--color` flag.
    ///   - environment: The environment variables of the process.
    ///   - isTerminal: Whether the output is a terminal.
    public init(choice: ColorChoice = .auto, environment: [String: String], isTerminal: Bool) {
        let capability = Self.capability(environment)
        let forced = max(capability, .ansi16)
        switch choice {
        case .never: self = .mono
        case .always: self = forced
        case .ansi16: self = .ansi16
        case .indexed256: self = .indexed256
        case .truecolor: self = .truecolor
        case .auto:
            if let level = environment["FORCE_COLOR"], !level.isEmpty {
                self = Self.forced(level: level, atLeast: forced)
            } else if let refusal = environment["NO_COLOR"], !refusal.isEmpty {
                self = .mono
            } else if let force = environment["CLICOLOR_FORCE"], !force.isEmpty, force != "0" {
                self = forced
            } else {
                self = isTerminal ? capability : .mono
            }
        }
    }

    private static func forced(level: String, atLeast forced: ColorDepth) -> ColorDepth {
        switch level {
        case "0", "false": .mono
        case "2": .indexed256
        case "3": .truecolor
        default: forced
        }
    }

    /// The depth according to the terminal's variables.
    private static func capability(_ environment: [String: String]) -> ColorDepth {
        let terminal = environment["TERM"] ?? ""
        let announced = (environment["COLORTERM"] ?? "").lowercased()
        if terminal.isEmpty || terminal == "dumb" { return .mono }
        if announced == "truecolor" || announced == "24bit" { return .truecolor }
        // These are known to show 24 bits although sudo and ssh strip COLORTERM from their environment.
        let known = ["xterm-kitty", "xterm-ghostty", "foot", "alacritty", "wezterm"]
        if terminal.hasSuffix("-direct") || known.contains(terminal) { return .truecolor }
        return terminal.contains("256color") ? .indexed256 : .ansi16
    }
}
