/// The colours and the attributes of a cell.
public struct Style: Hashable, Sendable {
    /// The ways in which a terminal can emphasise text, apart from colour.
    public struct Attributes: OptionSet, Hashable, Sendable {
        /// The bits of the set.
        public let rawValue: UInt8

        /// Creates a set from its bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Heavier strokes.
        public static let bold = Attributes(rawValue: 1)
        /// A line below the text.
        public static let underline = Attributes(rawValue: 2)
        /// Foreground and background exchanged.
        public static let reverse = Attributes(rawValue: 4)
    }

    /// The colour of the glyph.
    public var foreground: AdaptiveColor
    /// The colour behind the glyph; nil keeps the background that the cell already has.
    public var background: AdaptiveColor?
    /// The attributes.
    public var attributes: Attributes

    /// Creates a style.
    public init(
        _ foreground: AdaptiveColor = .terminalDefault, on background: AdaptiveColor? = nil,
        _ attributes: Attributes = []
    ) {
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
    }
}
