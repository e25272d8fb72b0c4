/// What a terminal can show.
public struct Capabilities: Hashable, Sendable {
    /// The finest characters that a terminal draws well, from fine to coarse.
    public enum Glyphs: String, CaseIterable, Sendable {
        /// Quadrant and eighth blocks in two colours a cell; needs 256 colours at least.
        case mosaic
        /// Braille dots.
        case braille
        /// Nothing but printable ASCII.
        case ascii
    }

    /// The number of colours.
    public let depth: ColorDepth
    /// The characters that rings and bars are made of.
    public let glyphs: Glyphs
    /// Whether faces would be of no use, so that plain sentences should be written instead.
    public let needsPlainText: Bool
    /// Whether a cleared screen has the colour that was set before.
    public let erasesWithColor: Bool

    /// Creates capabilities.
    ///
    /// The glyphs are the finest that the depth allows, or coarser ones if they are wished for; `isASCII` wins.
    public init(
        depth: ColorDepth, glyphs: Glyphs? = nil, isASCII: Bool = false, needsPlainText: Bool = false,
        erasesWithColor: Bool = true
    ) {
        self.depth = depth
        self.erasesWithColor = erasesWithColor
        let finest = depth >= .indexed256 ? Glyphs.mosaic : .braille
        self.glyphs = isASCII ? .ascii : glyphs == .mosaic ? finest : glyphs ?? finest
        self.needsPlainText = needsPlainText
    }

    /// Finds out the capabilities from what the process was started with.
    ///
    /// Plain text is needed where the output is no terminal, and on a terminal that calls itself `dumb` or
    /// nothing. The console of the Linux kernel has a font without braille and gets ASCII. GNU screen clears without a
    /// colour; tmux, which may call itself the same, has one and is known by its variable.
    /// - Parameters:
    ///   - choice: The value of the `--color` flag.
    ///   - glyphs: The value of the `--glyphs` flag, nil for the finest.
    ///   - isASCII: The value of the `--ascii` flag.
    ///   - environment: The variables of the process.
    ///   - isTerminal: Whether the output is a terminal.
    public init(
        choice: ColorChoice = .auto, glyphs: Glyphs? = nil, isASCII: Bool = false, environment: [String: String],
        isTerminal: Bool
    ) {
        let terminal = environment["TERM"] ?? ""
        self.init(
            depth: ColorDepth(choice: choice, environment: environment, isTerminal: isTerminal),
            glyphs: glyphs, isASCII: isASCII || terminal == "linux",
            needsPlainText: !isTerminal || terminal.isEmpty || terminal == "dumb",
            erasesWithColor: !terminal.hasPrefix("screen") || environment["TMUX"] != nil)
    }
}
