/// Draws a QR code in half blocks.
struct QRPicture {
    let code: QRCode
    let look: ResolvedTheme

    /// The columns, and twice the rows, with the quiet zone.
    var side: Int { code.side + 2 * QRCode.quietZone }

    /// Draws two modules to a cell, dark on light whatever the theme is.
    func draw(x: Int, y: Int, on buffer: inout CellBuffer) {
        let zone = QRCode.quietZone
        let light = AdaptiveColor(rgb: RGB(0xFFFFFF), indexed: 231, ansi: 15)
        let dark = AdaptiveColor(rgb: RGB(0x000000), indexed: 16, ansi: 0)
        func isDark(_ column: Int, _ row: Int) -> Bool {
            row < side && code.isDark(column - zone, row - zone)
        }
        for row in stride(from: 0, to: side, by: 2) {
            for column in 0..<side {
                // Where there is an odd row at the end, the half cell below it is light.
                let (upper, lower) = (isDark(column, row), isDark(column, row + 1))
                let place = (x: x + column, y: y + row / 2)
                if look.isMono {
                    drawMono(upper, lower, place, on: &buffer)
                } else if upper == lower {
                    buffer.put(" ", x: place.x, y: place.y, style: Style(light, on: upper ? dark : light))
                } else {
                    buffer.put(
                        "▀", x: place.x, y: place.y, style: Style(upper ? dark : light, on: lower ? dark : light))
                }
            }
        }
    }

    /// Draws with the terminal's own two colours; the appearance says which of them is dark.
    private func drawMono(_ upper: Bool, _ lower: Bool, _ place: (x: Int, y: Int), on buffer: inout CellBuffer) {
        let inksDark = look.theme.appearance == .light
        let glyph: Character =
            switch (upper == inksDark, lower == inksDark) {
            case (true, true): "█"
            case (true, false): "▀"
            case (false, true): "▄"
            case (false, false): " "
            }
        buffer.put(glyph, x: place.x, y: place.y, style: Style(.terminalDefault, on: .terminalDefault))
    }
}
