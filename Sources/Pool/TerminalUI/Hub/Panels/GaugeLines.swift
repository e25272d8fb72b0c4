import PoolModel

/// Draws the bar and the last day of a gauge.
struct GaugeLines {
    let gauge: Glance.Gauge
    let look: ResolvedTheme

    /// Draws a bar with the normal band, and the value on it.
    func drawBullet(x: Int, y: Int, columns: Int, on buffer: inout CellBuffer) {
        let scale = GaugeScale(quantity: gauge.quantity, limits: gauge.limits)
        let mark = gauge.mark
        let band = mark.isOff ? look.theme.tint(.offline, 0.5) : look.theme.tint(.normal, 0.52)
        let bar = BulletBar(band: scale.bandFractions, trackStyle: Style(look.theme.track), bandStyle: Style(band))
        bar.draw(
            on: &buffer, x: x, y: y, columns: columns, glyphs: look.isASCII ? .ascii : .lines,
            mark: gauge.shownValue.map { (scale.fraction($0), look.glyph(mark), Style(look.ink(mark), .bold)) })
    }

    /// Draws the last day as a line.
    func drawSpark(in rect: Rect, on buffer: inout CellBuffer) {
        let scale = GaugeScale(quantity: gauge.quantity, limits: gauge.limits)
        guard let line = Sparkline(history: gauge.history, columns: rect.size.columns, scale: scale.range) else {
            return
        }
        let (look, mark, limits) = (look, gauge.mark, gauge.limits)
        if look.isASCII {
            line.drawASCII(on: &buffer, x: rect.x, y: rect.endY - 1) {
                look.historyInk(limits.judge($0).status, mark: mark, isNewest: false)
            }
        } else {
            line.draw(on: &buffer, in: rect, paintsCells: look.paintsCells) {
                look.historyInk(limits.judge($0).status, mark: mark, isNewest: $1)
            }
        }
    }
}
