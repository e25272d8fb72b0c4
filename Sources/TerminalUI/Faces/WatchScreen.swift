public import PoolModel

/// The screen of a watch: the largest face that a terminal has room for.
///
/// What it draws depends on the glance, the theme, the capabilities and the size alone; the rings that it
/// remembers only save time.
public struct WatchScreen: Sendable {
    /// The colours.
    public var theme: Theme
    /// What the terminal can show.
    public let capabilities: Capabilities
    private var rings = RingCache()

    /// Creates a screen.
    public init(theme: Theme = Theme(), capabilities: Capabilities) {
        self.theme = theme
        self.capabilities = capabilities
    }

    /// The size that shows everything.
    public static let preferredSize = LargeFace.bezelSize

    /// Draws a glance into a buffer of a size: the large face in the middle if it has room, else a summary.
    public mutating func draw(_ glance: Glance, size: Size) -> CellBuffer {
        let look = Look(theme: theme, capabilities: capabilities)
        guard size.contains(LargeFace.glassSize) else {
            return look.finished(SummaryFace.draw(glance, look: look, size: size))
        }
        let hasBezel = size.contains(LargeFace.bezelSize)
        let face = LargeFace.draw(glance, look: look, hasBezel: hasBezel, rings: &rings)
        var buffer = CellBuffer(size, background: theme.background)
        buffer.overlay(
            face, x: (size.columns - face.size.columns) / 2, y: (size.rows - face.size.rows) / 2)
        return look.finished(buffer)
    }
}
