import PoolControl
import PoolModel

/// Draws the whole screen: the panels, the dialog above them, and the toast.
struct ConsoleView {
    let context: ScreenContext
    let panels: HubPanels
    let dialog: (any HubDialog)?
    let toast: Toast?

    private var look: ResolvedTheme { context.look }
    private var size: Size { context.size }
    private var navigation: ConsoleNavigation { context.navigation }

    /// The screen with what its places mean.
    func picture() -> Picture {
        var picture = Picture(size, background: look.panelsGround)
        guard size.columns > 0, size.rows > 0 else { return picture }
        switch context.layout.kind {
        case .wide: drawWide(on: &picture)
        case .phone: drawPhone(on: &picture)
        case .small: drawSmall(on: &picture)
        }
        if let dialog {
            // A dialog hides what is below it from the mouse.
            picture.clearTargets()
            dialog.draw(in: context, on: &picture)
        }
        drawToast(on: &picture)
        return picture
    }

    private func panelFrame(_ panel: ConsoleLayout.Panel) -> PanelFrame {
        PanelFrame(context: context, panel: panels[panel.id], rect: panel.rect)
    }

    // MARK: Layouts

    private func drawWide(on picture: inout Picture) {
        ConsoleHeader(context: context).draw(on: &picture.buffer)
        for panel in context.layout.panels { panelFrame(panel).drawBox(number: number(of: panel.id), on: &picture) }
        let y = size.rows - 1
        HintLine(footerHints, look: look).draw(on: &picture, x: 1, y: y, columns: size.columns - 15)
        let overall = OverallStatus(context)
        let word = "\(overall.glyph) \(overall.word) "
        picture.buffer.write(
            word, x: 0, y: y, columns: size.columns, alignment: .trailing, style: look.style(overall.status))
    }

    private func drawPhone(on picture: inout Picture) {
        let frame = context.layout.frame
        let status = OverallStatus(context).status
        let edge = status == .normal || status == .offline ? look.theme.line : look.theme.ink(status)
        picture.buffer.outline(frame, style: Style(edge), glyphs: look.outline)
        let notch = Rect(x: frame.x + frame.size.columns / 2 - 5, y: frame.y, columns: 10, rows: 1)
        picture.buffer.write(
            look.isASCII ? " ======== " : " ▂▂▂▂▂▂▂▂ ", x: notch.x, y: notch.y, style: Style(look.theme.track))
        let (x, columns, y) = (frame.x + 2, frame.size.columns - 4, frame.y + 1)
        let clock = context.clock(context.hub.now).minute
        picture.buffer.write(clock, x: x, y: y, style: look.strong)
        picture.buffer.write("PoolSensors", x: x, y: y, columns: columns, alignment: .center, style: look.quiet)
        let watches = ConsoleHeader(context: context).watches
        picture.buffer.write(
            watches.text, x: x, y: y, columns: columns, alignment: .trailing, style: watches.style)
        for panel in context.layout.panels { panelFrame(panel).drawSection(on: &picture) }
        drawTabs(x: x, y: frame.endY - 2, columns: columns, on: &picture)
    }

    private func drawSmall(on picture: inout Picture) {
        let overall = OverallStatus(context)
        if size.rows >= 2 {
            let clock =
                size.columns >= 30 ? context.clock(context.hub.now).minute : ""
            let (assessment, isNamed) = context.assessment
            // An open alert of any device counts, and a sentence that does not fit is shortened.
            let leading = [
                TextRun("\(overall.glyph) \(overall.word) ", look.style(overall.status)),
                TextRun(assessment.sentence(in: .english, isNamed: isNamed).sanitized, look.style(assessment)),
            ]
            PanelLine(leading, trailing: [TextRun(clock, look.strong)])
                .draw(on: &picture.buffer, x: 0, y: 0, columns: size.columns)
        }
        for panel in context.layout.panels {
            if panel.rect.size.rows >= 4 {
                panelFrame(panel).drawSection(on: &picture)
            } else {
                panelFrame(panel).drawBare(on: &picture)
            }
        }
        if size.rows >= 6 { drawTabs(x: 0, y: size.rows - 1, columns: size.columns, on: &picture) }
    }

    /// The number under which a panel is reached in the wide layout.
    private func number(of panel: PanelID) -> Int? {
        guard navigation.tab == .dashboard, navigation.expanded == nil else { return nil }
        return ConsoleTab.dashboard.panels(isWide: true).firstIndex(of: panel).map { $0 + 1 }
    }

    /// The keys at the bottom of the wide layout.
    private var footerHints: [KeyHint] {
        let moves = [KeyHint("tab", "focus"), KeyHint(look.isASCII ? "up/dn" : "↑↓", "select")]
        // The last ones are left out where there is no room.
        let end = [
            KeyHint("?", "help"), KeyHint("q", context.settings.quits.hint), KeyHint("y", "copy"),
            KeyHint("t", "theme"),
        ]
        if navigation.expanded != nil || navigation.tab != .dashboard {
            return [KeyHint("esc", "back")] + moves + [KeyHint("F1-F5", "tabs"), KeyHint("a", "ack")] + end
        }
        return moves + [
            KeyHint("1-6", "panel"), KeyHint("7", "hub"), KeyHint("enter", "open"), KeyHint("a", "ack"),
        ] + end + [KeyHint("v", "phone"), KeyHint("p", "pause")]
    }

    private func drawTabs(x: Int, y: Int, columns: Int, on picture: inout Picture) {
        let titles = ConsoleTab.all.map(\.title)
        let whole = titles.reduce(0) { $0 + $1.count } + titles.count - 1 + 2
        let isShort = whole > columns
        let widths = titles.map { isShort ? min(4, $0.count) : $0.count }
        let gap = isShort ? 1 : max(1, min(3, (columns - 2 - widths.reduce(0, +)) / (titles.count - 1)))
        var at = x
        for (tab, width) in zip(ConsoleTab.all, widths) {
            guard at + width <= x + columns else { break }
            let isOpen = tab == navigation.tab && navigation.expanded == nil
            let style = isOpen ? Style(look.theme.ink(.normal), [.bold, .underline]) : look.faint
            picture.buffer.write(String(tab.title.prefix(width)), x: at, y: y, style: style)
            picture.mark(Rect(x: at, y: y, columns: width, rows: 1), .tab(tab))
            at += width + gap
        }
        if at - gap < x + columns - 1 {
            picture.buffer.write("?", x: x + columns - 1, y: y, style: look.keyStyle)
            picture.mark(Rect(x: x + columns - 1, y: y, columns: 1, rows: 1), .key(.character("?")))
        }
    }

    private func drawToast(on picture: inout Picture) {
        guard let toast, size.rows > 0 else { return }
        let style: Style
        switch toast.kind {
        case .done: style = look.banner(.normal)
        case .refused: style = look.banner(.warning)
        case .note: style = Style(look.theme.text, on: look.panelGround, look.panelGround == nil ? .reverse : .bold)
        }
        let frame = context.layout.frame
        let columns = max(0, context.layout.kind == .phone ? frame.size.columns - 2 : min(frame.size.columns, 100))
        let x = frame.x + (frame.size.columns - columns) / 2
        let lines = toast.text.sanitized.wrapped(
            columns: max(1, columns - 2), lines: min(4, max(1, frame.size.rows / 3)))
        let bottom = max(0, frame.endY - (context.layout.kind == .phone ? 3 : size.rows >= 3 ? 2 : 1))
        for (index, line) in lines.enumerated() {
            let y = bottom - lines.count + 1 + index
            picture.buffer.fill(Rect(x: x, y: y, columns: columns, rows: 1), style: style)
            picture.buffer.write(line, x: x + 1, y: y, style: style, limit: columns - 1)
        }
    }
}
