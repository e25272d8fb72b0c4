package import ImtModel
package import Terminal
import Text

/// Rows of text, and a picture in half blocks below them.
package struct Canvas {
    private let look: ResolvedTheme
    private var buffer: CellBuffer
    private var row = 0

    package init(_ size: Size, _ look: ResolvedTheme) {
        self.look = look
        buffer = CellBuffer(size)
    }

    /// Writes the next row; the mark before the text stays as it is.
    mutating func put(_ text: String, _ status: Status, mark: String = "") {
        guard row < buffer.size.rows else { return }
        buffer.write(
            (mark + text.sanitized).fitted(columns: buffer.size.columns), x: 0, y: row,
            style: look.style(status, isBold: status != .offline))
        row += 1
    }

    /// Writes the last row.
    mutating func foot(_ text: String) {
        row = max(row, buffer.size.rows - 1)
        put(text, .offline)
    }

    /// Draws a picture into the rows that are left but the last: two points a cell, one above the other.
    ///
    /// - Parameter make: Makes the picture in a size.
    package mutating func picture(_ make: (PictureSize) -> Raster) {
        guard !look.isMono, !look.isASCII else {
            return put("this terminal shows no pictures: use one with colours", .warning)
        }
        let rows = buffer.size.rows - row - 1
        // A cell is twice as high as it is wide.
        let height = min(rows * 2, buffer.size.columns * CompareFrame.size.height / CompareFrame.size.width)
        let size = PictureSize(
            width: height * CompareFrame.size.width / CompareFrame.size.height, height: height / 2 * 2)
        guard size.width > 0, size.height > 0 else { return }
        let raster = make(size)
        for y in 0..<raster.size.height / 2 {
            for x in 0..<min(raster.size.width, buffer.size.columns) {
                buffer.put(
                    "▀", x: x, y: row + y, style: Style(Self.ink(raster, x, y * 2), on: Self.ink(raster, x, y * 2 + 1)))
            }
        }
        row += raster.size.height / 2
    }

    private static func ink(_ raster: Raster, _ x: Int, _ y: Int) -> AdaptiveColor {
        let place = (y * raster.size.width + x) * 3
        let color = RGB(red: raster.bytes[place], green: raster.bytes[place + 1], blue: raster.bytes[place + 2])
        return AdaptiveColor(rgb: color, ansi: ansi(color))
    }

    /// The nearest of the 16 colours, as most terminals have them.
    private static func ansi(_ color: RGB) -> UInt8 {
        let parts = [color.red, color.green, color.blue]
        let top = parts.max() ?? 0
        let spread = top - (parts.min() ?? 0)
        if spread < 48 { return top < 64 ? 0 : top < 128 ? 8 : top < 208 ? 7 : 15 }
        let bits = parts.enumerated().reduce(UInt8(0)) { $1.element > top / 2 ? $0 | 1 << UInt8($1.offset) : $0 }
        return top > 191 ? bits + 8 : bits
    }

    package var finished: CellBuffer { look.finished(buffer) }
}
