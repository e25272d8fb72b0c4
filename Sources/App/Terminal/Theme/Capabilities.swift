/// What a terminal can show.
public struct Capabilities: Hashable, Sendable {
    /// The finest characters that a terminal draws well, from fine to coarse.
    public enum Glyphs: String, CaseIterable, Sendable {
        /// Quadrant and eighth blocks in two colours a cell; needs 256 colours at least.
        case mosaic
        /// Braille dots.
        case braille
        /// Only printable ASCII.
        case ascii
    }

    /// The number of colours.
    public let depth: ColorDepth
    /// The characters that rings and bars are made of.
    public let glyphs: Glyphs
    /// Whether faces would be useless, so that plain sentences should be written instead.
    public let needsPlainText: Bool
    /// Whether a cleared screen gets the present background colour.
    public let erasesWithColor: Bool

    /// Creates capabilities.
    ///
    /// The glyphs are the finest that the depth allows, or coarser ones if they are selected; `isASCII` wins.
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

    /// Determines the capabilities from the options and variables of the process.
    ///
    /// Plain text is needed if the output is no terminal, or if `TERM` is `dumb` or absent. The console of the Linux
    /// kernel has a font without braille and gets ASCII. GNU screen clears without a colour; tmux, which may have the
    /// same `TERM`, clears with one and is recognised by its variable.
    /// - Parameters:
    ///   - choice: The value of the `--color` flag.
    ///   - glyphs: The value of the `--glyphs` flag; nil for the finest.
    ///   - isASCII: The value of the `--ascii` flag.
    ///   - environment: The environment variables of the process.
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
