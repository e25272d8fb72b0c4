import PoolModel

/// The position of a page on a screen: a frame in place of the large face, or the whole of a small screen.
struct MenuFrame {
    /// The area of the page, with its frame if it has one.
    let place: Rect
    let hasFrame: Bool

    /// The size of a page in a frame.
    private static let framedSize = Size(columns: 60, rows: 22)
    private static let wideSize = Size(columns: 110, rows: 30)

    init(screen: Size, isWide: Bool = false) {
        hasFrame = screen.contains(Size(columns: 40, rows: 12))
        let most = isWide ? Self.wideSize : Self.framedSize
        let columns = min(screen.columns, hasFrame ? most.columns : 1000)
        let rows = min(screen.rows, hasFrame ? most.rows : 1000)
        place = Rect(
            x: (screen.columns - columns) / 2, y: (screen.rows - rows) / 2, columns: columns, rows: rows)
    }

    /// The area without the frame.
    var inner: Rect { hasFrame ? place.inset(columns: 2, rows: 1) : place }
    /// The rows for hints at the bottom; none if the page has too few rows.
    var hintRows: Int { inner.size.rows >= 6 ? 1 : 0 }

    /// The rows between the title and the remark.
    var body: Rect {
        let free = inner.size.rows - 1 - hintRows - (inner.size.rows >= 4 ? 1 : 0)
        let gap = inner.size.rows >= 10 ? 1 : 0
        return Rect(x: inner.x, y: inner.y + 1 + gap, columns: inner.size.columns, rows: max(0, free - gap))
    }
}

/// Draws the front page.
struct MenuView {
    private let facts: WatchFacts
    private let menus: WatchMenus
    private let level: MenuLevel
    private let sheet: MenuContent
    private let screen: Size
    private let frame: MenuFrame
    /// The rows as lines of the screen; long rows have several lines.
    private let lines: [Line]
    private let first: Int

    /// A line of the screen.
    private struct Line {
        var row: MenuRow
        /// The selectable row that it belongs to; nil for none.
        var choice: Int?
    }

    init(_ menus: WatchMenus, _ facts: WatchFacts, screen: Size) {
        self.facts = facts
        self.menus = menus
        self.screen = screen
        level = menus.levels.last ?? MenuLevel(TopPage())
        sheet = MenuContent(menus, facts)
        frame = MenuFrame(screen: screen, isWide: level.page is HistoryPage)
        lines = Self.lines(sheet.rows, columns: frame.body.size.columns)
        first = Self.first(lines, level, rows: frame.body.size.rows)
    }

    /// The selectable row at a line of the screen; nil for none.
    func choice(atRow y: Int) -> Int? {
        let index = first + y - frame.body.y
        guard y >= frame.body.y, y < frame.body.endY, lines.indices.contains(index) else { return nil }
        return lines[index].choice
    }

    /// The key of the hint at a place; nil for none.
    func key(x: Int, y: Int) -> Key? {
        guard frame.hintRows > 0, y == frame.inner.endY - 1 else { return nil }
        return shownHints.first { (start, hint) in x >= start && x < start + hint.columns }
            .flatMap { Key(label: $1.keys) }
    }

    // MARK: - Layout

    /// The hints that fit completely, each with its first column.
    private var shownHints: [(x: Int, hint: KeyBinding)] {
        var x = frame.inner.x
        var hints: [(x: Int, hint: KeyBinding)] = []
        for hint in sheet.hints {
            guard x + hint.columns <= frame.inner.endX else { break }
            hints.append((x, hint))
            x += hint.columns + 2
        }
        return hints
    }

    /// Breaks rows that are too long: the trailing text goes to a separate line; rows that are not selectable are
    /// wrapped.
    private static func lines(_ rows: [MenuRow], columns: Int) -> [Line] {
        var lines: [Line] = []
        var choices = 0
        for row in rows {
            var choice: Int?
            if row.isChoice {
                choice = choices
                choices += 1
            }
            let width = columns - 3 - row.indent
            let room = width - (row.trailing.isEmpty ? 0 : row.trailing.displayWidth + 2)
            if row.text.displayWidth <= room || columns < 20 {
                lines.append(Line(row: row, choice: choice))
                continue
            }
            let wrapped = row.text.wrapped(columns: width, lines: 4)
            for (index, text) in wrapped.enumerated() {
                var part = row
                part.text = text
                part.trailing = ""
                if index > 0 { part.sign = nil }
                lines.append(Line(row: part, choice: choice))
            }
            if !row.trailing.isEmpty {
                var rest = row
                rest.text = ""
                rest.sign = nil
                lines.append(Line(row: rest, choice: choice))
            }
        }
        return lines
    }

    /// The first shown line, chosen so that the selected one is visible.
    private static func first(_ lines: [Line], _ level: MenuLevel, rows: Int) -> Int {
        let most = max(0, lines.count - max(1, rows))
        let choices = lines.compactMap(\.choice).max() ?? -1
        guard choices >= 0 else { return min(most, level.offset) }
        let selected = min(level.selection, choices)
        let last = lines.lastIndex { $0.choice == selected } ?? 0
        return min(most, max(0, last + 2 - rows))
    }

    // MARK: - Drawing

    func draw(look: ResolvedTheme) -> CellBuffer {
        let theme = look.theme
        var buffer = CellBuffer(screen, background: theme.background)
        if frame.hasFrame { buffer.outline(frame.place, style: Style(theme.line), glyphs: look.outline) }
        drawTitle(on: &buffer, look: look)
        if let page = level.page as? HistoryPage {
            drawChart(page, on: &buffer, look: look)
        } else {
            drawLines(on: &buffer, look: look)
        }
        drawBottom(on: &buffer, look: look)
        return look.finished(buffer)
    }

    private func drawTitle(on buffer: inout CellBuffer, look: ResolvedTheme) {
        let inner = frame.inner
        let note = sheet.note.isEmpty ? facts.glance.clock.sanitized : sheet.note
        let room = inner.size.columns - note.displayWidth - 2
        buffer.write(
            sheet.title.fitted(columns: max(room, min(12, inner.size.columns))), x: inner.x, y: inner.y,
            style: Style(look.theme.text, .bold))
        guard room >= 8 else { return }
        buffer.write(
            note, x: inner.x, y: inner.y, columns: inner.size.columns, alignment: .trailing,
            style: Style(look.theme.secondaryText))
    }

    private func drawLines(on buffer: inout CellBuffer, look: ResolvedTheme) {
        let body = frame.body
        let choices = lines.compactMap(\.choice).max() ?? -1
        let selected = choices < 0 ? nil : min(level.selection, choices)
        for (index, line) in lines.dropFirst(first).prefix(body.size.rows).enumerated() {
            let isSelected = line.choice != nil && line.choice == selected
            draw(line.row, isSelected: isSelected, on: &buffer, y: body.y + index, look: look)
        }
        let hidden = lines.count - first - body.size.rows
        if hidden > 0, body.size.rows > 1, frame.hasFrame {
            buffer.write(
                " \(hidden) more ", x: frame.place.x, y: frame.place.endY - 1, columns: frame.place.size.columns - 3,
                alignment: .trailing, style: Style(look.theme.tertiaryText))
        }
    }

    private func draw(_ row: MenuRow, isSelected: Bool, on buffer: inout CellBuffer, y: Int, look: ResolvedTheme) {
        let (body, theme) = (frame.body, look.theme)
        let ground: AdaptiveColor? = isSelected && look.capabilities.depth >= .indexed256 ? theme.panel : nil
        if let ground {
            buffer.fill(
                Rect(x: body.x, y: y, columns: body.size.columns, rows: 1), style: Style(theme.text, on: ground))
        }
        if isSelected {
            buffer.put(look.isASCII ? ">" : "▌", x: body.x, y: y, style: Style(theme.accent, on: ground, .bold))
        }
        if let sign = row.sign {
            buffer.put(
                sign.glyph.glyph(look), x: body.x + 1, y: y, style: Style(look.ink(sign.tone), on: ground, .bold))
        }
        let hasSign = row.sign != nil || row.isChoice
        let x = body.x + (hasSign ? 3 : 1) + row.indent
        let trailing = row.trailing.fitted(columns: max(0, body.endX - x - 1))
        let room = body.endX - x - (trailing.isEmpty ? 0 : trailing.displayWidth + 1)
        buffer.write(
            row.text.fitted(columns: max(0, room)), x: x, y: y,
            style: Style(look.ink(row.tone), on: ground, row.tone == .title || isSelected ? .bold : []))
        guard !trailing.isEmpty || row.cursor != nil else { return }
        let end = body.endX - (row.cursor == nil ? 0 : 1)
        let start = max(x, end - trailing.displayWidth)
        buffer.write(trailing, x: start, y: y, style: Style(look.ink(row.trailingTone), on: ground))
        if let cursor = row.cursor { drawCursor(cursor, of: row.trailing, start: start, on: &buffer, y: y, look: look) }
    }

    /// Draws the cursor.
    private func drawCursor(
        _ cursor: Int, of text: String, start: Int, on buffer: inout CellBuffer, y: Int, look: ResolvedTheme
    ) {
        let x = start + String(text.prefix(cursor)).displayWidth
        let under = cursor < text.count ? text[text.index(text.startIndex, offsetBy: cursor)] : " "
        buffer.put(under, x: min(x, frame.body.endX - 1), y: y, style: Style(look.theme.accent, .reverse))
    }

    private func drawChart(_ page: HistoryPage, on buffer: inout CellBuffer, look: ResolvedTheme) {
        let body = frame.body
        let state = page.state(facts)
        // Before the first data, an empty chart is drawn if no query is under way, since there is nothing to wait for.
        var series = state?.series
        if series == nil, let state, !state.isAsking {
            series = TimeSeries(
                quantity: page.quantity, first: state.query.from, last: state.query.through, points: [])
        }
        chart(of: page, series).draw(on: &buffer, in: body, look: look)
    }

    private func chart(of page: HistoryPage, _ series: TimeSeries?) -> Chart {
        let device = facts.configuration.device(page.deviceID)
        let isShown = facts.glance.deviceID == page.deviceID
        return Chart(
            series: series, quantity: page.quantity,
            limits: device?.limits(for: page.quantity) ?? page.quantity.facts.limits, navigator: page.navigator,
            now: facts.now, utcOffsetSeconds: facts.utcOffsetSeconds,
            gauge: isShown ? facts.glance.gauges.first { $0.quantity == page.quantity } : nil)
    }

    /// Draws the remark, or the permanent text of the page, and the keys below.
    private func drawBottom(on buffer: inout CellBuffer, look: ResolvedTheme) {
        let (inner, theme) = (frame.inner, look.theme)
        guard inner.size.rows >= 4 else { return }
        let y = inner.endY - 1 - frame.hintRows
        if let remark = menus.remark(facts) {
            let ink = remark.tone == .calm ? theme.accent : theme.ink(.warning)
            buffer.write(
                remark.text.fitted(columns: inner.size.columns), x: inner.x, y: y, style: Style(ink))
        } else if let page = level.page as? HistoryPage {
            let chart = chart(of: page, page.state(facts)?.series)
            let said = page.freshness(facts)
            buffer.write(
                (chart.reading() ?? said.text).fitted(columns: inner.size.columns), x: inner.x, y: y,
                style: Style(said.isProblem ? theme.ink(.warning) : theme.secondaryText))
        }
        guard frame.hintRows > 0 else { return }
        for (x, hint) in shownHints {
            let end = buffer.write(hint.keys, x: x, y: inner.endY - 1, style: Style(theme.accent, .bold))
            buffer.write(hint.action, x: end + 1, y: inner.endY - 1, style: Style(theme.tertiaryText))
        }
    }
}

extension KeyBinding {
    /// The columns of the key and what it does.
    fileprivate var columns: Int { keys.displayWidth + 1 + action.displayWidth }
}

extension ResolvedTheme {
    /// The ink of a tone.
    func ink(_ tone: MenuRow.Tone) -> AdaptiveColor {
        switch tone {
        case .plain: theme.text
        case .quiet: theme.secondaryText
        case .title: theme.tertiaryText
        case .accent: theme.accent
        case .status(let status): theme.ink(status)
        case .stale: theme.legibleTint(.warning, 0.75)
        }
    }
}
