/// Which face a watch shows.
public enum WatchLayout: String, CaseIterable, Sendable {
    /// The largest one that fits the terminal.
    case automatic = "auto"
    /// Four rings with large numerals, in 44 × 20 cells, or 46 × 22 with a bezel.
    case large
    /// Four bars, in 24 × 10 cells, up to 40 columns wide.
    case compact
    /// One line.
    case inline

    /// The face for a terminal's size: the layout itself if it fits, else the next smaller one.
    ///
    /// Never ``automatic``. The inline face takes any size.
    public func fitting(_ size: Size) -> WatchLayout {
        let allowsLarge = self == .automatic || self == .large
        if allowsLarge, size.contains(LargeFace.glassSize) { return .large }
        return self != .inline && size.contains(CompactFace.minimumSize) ? .compact : .inline
    }

    /// The next layout when a person switches through them.
    public var next: WatchLayout {
        switch self {
        case .automatic: .large
        case .large: .compact
        case .compact: .inline
        case .inline: .automatic
        }
    }
}
