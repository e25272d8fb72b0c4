package import Terminal
import Text

extension TextRows {
    /// Draws a picture into the rows that are free: two points a cell, one above the other.
    ///
    /// - Parameters:
    ///   - shape: The proportions of the picture.
    ///   - make: Makes the picture in a size.
    package mutating func picture(_ shape: PictureSize, _ make: (PictureSize) -> Raster) {
        guard !look.isMono, !look.isASCII else {
            return say("this terminal shows no pictures: use one with colours", look.style(.warning))
        }
        let rows = free
        // A cell is twice as high as it is wide.
        let height = min(rows * 2, buffer.size.columns * shape.height / shape.width)
        let size = PictureSize(
            width: height * shape.width / shape.height, height: height / 2 * 2)
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
}
