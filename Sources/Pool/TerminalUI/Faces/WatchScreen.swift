public import PoolModel

/// The screen of a watch: the selected face, or the largest one that fits the terminal.
///
/// The picture depends only on the glance, the properties, the capabilities and the size; the cached rings only save
/// time.
public struct WatchScreen: Sendable {
    /// The colours.
    public var theme: Theme
    /// What the terminal can show.
    public let capabilities: Capabilities
    /// Which face to show; if it does not fit, the next smaller one is shown.
    public var layout = WatchLayout.automatic
    /// The quantity of which the large face shows the last day; nil for the worst.
    public var quantity: Quantity?
    /// A temporary text in place of the notice line, such as the answer to a key; nil for none.
    public var message: String?
    private var rings = RingCache()
    /// The gauges of the last picture, in order.
    private var quantities = Quantity.allCases
    /// The rows of the assessment in the last picture.
    private var assessmentRows = 0

    /// Creates a screen.
    public init(theme: Theme = Theme(), capabilities: Capabilities) {
        self.theme = theme
        self.capabilities = capabilities
    }

    /// The size in which everything fits.
    public static let preferredSize = LargeFace.bezelSize

    private var look: ResolvedTheme { ResolvedTheme(theme: theme, capabilities: capabilities) }

    /// Draws a glance into a buffer of a size: the face in the middle.
    public mutating func draw(_ glance: Glance, size: Size) -> CellBuffer {
        let look = look
        quantities = glance.faceGauges(atMost: 4).map(\.quantity)
        assessmentRows = LargeFace.assessmentRows(glance, look: look)
        let words = message?.sanitized.nonEmpty
        let face: CellBuffer
        switch layout.fitting(size) {
        case .automatic, .large:
            face = LargeFace.draw(
                glance, look: look, picked: quantity, message: words, hasBezel: size.contains(LargeFace.bezelSize),
                rings: &rings)
        case .compact: face = CompactFace.draw(glance, look: look, size: size, message: words)
        case .inline where layout == .inline || size.rows == 1:
            return look.finished(InlineFace.draw(glance, look: look, size: size, message: words))
        case .inline: face = SummaryFace.draw(glance, look: look, size: size, message: words)
        }
        var buffer = CellBuffer(size, background: theme.background)
        let (x, y) = Self.origin(of: face.size, in: size)
        buffer.overlay(face, x: x, y: y)
        return look.finished(buffer)
    }

    private static func origin(of face: Size, in size: Size) -> (x: Int, y: Int) {
        ((size.columns - face.columns) / 2, (size.rows - face.rows) / 2)
    }
}

/// A part of a face that a mouse can point at.
public enum WatchPlace: Hashable, Sendable {
    /// The first line.
    case header
    /// The gauge of a quantity.
    case gauge(Quantity)
    /// The history of the picked quantity.
    case history
    /// The notice line, with the banner of an alert.
    case notice
}

extension WatchScreen {
    /// The part of the last drawn face at a cell of a terminal of a given size; nil beside the face, and on faces that have no
    /// such parts.
    public func place(x: Int, y: Int, size: Size) -> WatchPlace? {
        switch layout.fitting(size) {
        case .automatic, .large:
            let hasBezel = size.contains(LargeFace.bezelSize)
            let origin = Self.origin(of: hasBezel ? LargeFace.bezelSize : LargeFace.glassSize, in: size)
            let edge = hasBezel ? 1 : 0
            return LargeFace.place(
                x: x - origin.x - edge, y: y - origin.y - edge, assessmentRows: assessmentRows, quantities: quantities)
        case .compact:
            let face = CompactFace.size(in: size)
            let origin = Self.origin(of: face, in: size)
            return CompactFace.place(
                x: x - origin.x, y: y - origin.y, size: face, hasAssessment: assessmentRows > 0, quantities: quantities)
        case .inline: return nil
        }
    }
}
