import PoolModel

/// A drawn screen, and what its places mean to the mouse.
struct Picture: Sendable {
    var buffer: CellBuffer
    /// Later ones lie above earlier ones.
    private(set) var targets: [(rect: Rect, target: Target)] = []

    init(_ size: Size, background: AdaptiveColor) {
        buffer = CellBuffer(size, background: background)
    }

    mutating func mark(_ rect: Rect, _ target: Target) { targets.append((rect, target)) }

    /// What lies at a place, the topmost first.
    func targets(x: Int, y: Int) -> [Target] {
        targets.reversed().filter { $0.rect.contains(x: x, y: y) }.map(\.target)
    }

    /// A dialog hides what is below it from the mouse.
    mutating func clearTargets() { targets = [] }
}

/// What a place of the screen means.
enum Target: Equatable, Sendable {
    case tab(ConsoleTab)
    case panel(PanelID)
    case row(PanelID, RowID)
    case banner
    case range(ChartRange)
    case plot
    case device(offset: Int)
    /// An option of a dialog.
    case option(Int)
    /// A hint in a line of keys.
    case key(Key)
    case dialog
}

extension Rect {
    func contains(x: Int, y: Int) -> Bool { x >= self.x && x < endX && y >= self.y && y < endY }
}
