/// A cell as a terminal shows it.
struct StyledCell: Hashable, Sendable {
    var text: Character = " "
    var ink: RGB?
    var paper: RGB?
    var isBold = false
    var isDim = false
    var isReversed = false
    var isUnderlined = false

    /// The default colours of a terminal.
    static let defaultInk = RGB(hex: 0xF2F6FA)
    static let defaultPaper = RGB(hex: 0x0B111B)

    /// The colours to draw with.
    var colors: (ink: RGB, paper: RGB) {
        let paper = paper ?? Self.defaultPaper
        var ink = ink ?? Self.defaultInk
        if isDim { ink = ink.mixed(with: paper, share: 0.5) }
        return isReversed ? (paper, ink) : (ink, paper)
    }
}

/// The screen of a terminal, read from text with the sequences of ECMA-48 that set colours and weights (SGR).
struct StyledScreen: Equatable, Sendable {
    let columns: Int
    /// The cells, row by row.
    let rows: [[StyledCell]]

    /// Reads lines as `tmux capture-pane -e -p` writes them.
    ///
    /// Shorter lines continue in the colour of their last cell; sequences that set no style are ignored.
    init(lines: [String], columns: Int, rows count: Int) {
        self.columns = columns
        var style = StyledCell()
        var rows = lines.prefix(count).map { line -> [StyledCell] in
            var cells = Self.cells(of: line, &style)
            var rest = cells.last ?? StyledCell()
            rest.text = " "
            while cells.count < columns { cells.append(rest) }
            return Array(cells.prefix(columns))
        }
        while rows.count < count { rows.append(Array(repeating: StyledCell(), count: columns)) }
        self.rows = rows
    }

    private static func cells(of line: String, _ style: inout StyledCell) -> [StyledCell] {
        var cells: [StyledCell] = []
        var rest = line.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            guard scalar == "\u{1B}" else {
                style.text = Character(scalar)
                cells.append(style)
                continue
            }
            guard rest.first == "[" else { continue }
            let body = rest.dropFirst().prefix { !("@"..."~").contains($0) }
            rest = rest[body.endIndex...]
            guard rest.popFirst() == "m" else { continue }
            apply(String(body).split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }, to: &style)
        }
        return cells
    }

    private static func apply(_ codes: [Int], to style: inout StyledCell) {
        var codes = codes[...]
        while let code = codes.popFirst() {
            switch code {
            case 0: style = StyledCell()
            case 1: style.isBold = true
            case 2: style.isDim = true
            case 4: style.isUnderlined = true
            case 7: style.isReversed = true
            case 22: (style.isBold, style.isDim) = (false, false)
            case 24: style.isUnderlined = false
            case 27: style.isReversed = false
            case 30...37: style.ink = palette[code - 30]
            case 38: style.ink = color(&codes)
            case 39: style.ink = nil
            case 40...47: style.paper = palette[code - 40]
            case 48: style.paper = color(&codes)
            case 49: style.paper = nil
            case 90...97: style.ink = palette[code - 82]
            case 100...107: style.paper = palette[code - 92]
            default: break
            }
        }
    }

    /// The colour that follows 38 or 48.
    private static func color(_ codes: inout ArraySlice<Int>) -> RGB? {
        switch codes.popFirst() {
        case 2:
            let parts = codes.prefix(3).map { UInt8(clamping: $0) }
            codes = codes.dropFirst(3)
            return parts.count == 3 ? RGB(parts[0], parts[1], parts[2]) : nil
        case 5: return codes.popFirst().map { indexed($0) }
        default: return nil
        }
    }

    private static let palette: [RGB] = [
        0x000000, 0xCD3131, 0x0DBC79, 0xE5E510, 0x2472C8, 0xBC3FBC, 0x11A8CD, 0xE5E5E5, 0x666666, 0xF14C4C, 0x23D18B,
        0xF5F543, 0x3B8EEA, 0xD670D6, 0x29B8DB, 0xFFFFFF,
    ].map { RGB(hex: $0) }

    /// One of xterm's 256 colours: 16 with names, a cube of 6 × 6 × 6, and 24 greys.
    private static func indexed(_ number: Int) -> RGB {
        guard (16...255).contains(number) else { return palette[min(max(number, 0), 15)] }
        guard number < 232 else {
            let grey = UInt8(8 + (number - 232) * 10)
            return RGB(grey, grey, grey)
        }
        func level(_ step: Int) -> UInt8 { step == 0 ? 0 : UInt8(55 + step * 40) }
        let place = number - 16
        return RGB(level(place / 36), level(place / 6 % 6), level(place % 6))
    }

    /// The picture of the screen.
    func painted() -> Picture {
        var painter = CellPainter(
            picture: Picture(
                width: columns * CellPainter.width, height: rows.count * CellPainter.height,
                color: StyledCell.defaultPaper))
        for (row, cells) in rows.enumerated() {
            for (column, cell) in cells.enumerated() { painter.draw(cell, column: column, row: row) }
        }
        return painter.picture
    }
}
