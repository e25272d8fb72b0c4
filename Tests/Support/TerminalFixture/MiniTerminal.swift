package import Terminal

/// A minimal terminal emulator: it receives bytes and models what a real terminal would show.
///
/// It supports cursor movement, SGR, erasing, the two screens, and the modes that the tests need. Everything else is
/// recorded in ``unknown``.
package struct MiniTerminal {
    /// The style of a cell: the parameters of SGR in a fixed order.
    package struct ResolvedTheme: Hashable {
        package var foreground = "39"
        package var background = "49"
        package var isBold = false
        package var isUnderlined = false
        package var isReversed = false

        /// Describes a style.
        package init(
            foreground: String = "39", background: String = "49", isBold: Bool = false, isUnderlined: Bool = false,
            isReversed: Bool = false
        ) {
            self.foreground = foreground
            self.background = background
            self.isBold = isBold
            self.isUnderlined = isUnderlined
            self.isReversed = isReversed
        }
    }

    package struct Cell: Hashable {
        package var character: Character = " "
        package var width = 1
        package var look = ResolvedTheme()
    }

    package private(set) var size: Size
    package private(set) var cells: [Cell]
    package private(set) var modes: Set<Int> = [7, 25]
    package private(set) var unknown: [String] = []
    package private(set) var bytes: [UInt8] = []
    private var hiddenCells: [Cell]
    private var hiddenPlace = (x: 0, y: 0)
    private var x = 0
    private var y = 0
    private var look = ResolvedTheme()
    private var pending: [UInt8] = []

    package init(_ size: Size) {
        self.size = size
        cells = Array(repeating: Cell(), count: size.columns * size.rows)
        hiddenCells = cells
    }

    package var isOnAlternateScreen: Bool { modes.contains(1049) }
    package var isCursorVisible: Bool { modes.contains(25) }
    /// Whether it is in the state that a shell expects: the main screen, a visible cursor, wrapping, and no reporting
    /// except bracketed paste, which shells request themselves.
    package var isGivenBack: Bool { modes.subtracting([2004]) == [7, 25] }

    package var text: String {
        (0..<size.rows).map { row in
            String(cells[row * size.columns..<(row + 1) * size.columns].filter { $0.width > 0 }.map(\.character))
        }.joined(separator: "\n")
    }

    package mutating func resize(_ size: Size) {
        self = { old in
            var new = MiniTerminal(size)
            new.modes = old.modes
            new.bytes = old.bytes
            return new
        }(self)
    }

    package mutating func feed(_ new: some Sequence<UInt8>) {
        for byte in new {
            bytes.append(byte)
            // An escape character aborts the sequence before it, as when a program is killed in the middle of one.
            if byte == 0x1B, pending.starts(with: Array("\u{1B}[".utf8)) { pending = [] }
            pending.append(byte)
            if let first = pending.first, isComplete(pending) {
                if first == 0x1B {
                    obey(pending)
                } else if first < 0x20 || first == 0x7F {
                    control(first)
                } else {
                    write(String(decoding: pending, as: UTF8.self))
                }
                pending = []
            }
        }
    }

    // MARK: Syntax

    private func isComplete(_ bytes: [UInt8]) -> Bool {
        guard let first = bytes.first, let last = bytes.last else { return false }
        if first == 0x1B {
            guard bytes.count > 1 else { return false }
            switch bytes[1] {
            case UInt8(ascii: "["): return bytes.count > 2 && (0x40...0x7E).contains(last)
            case UInt8(ascii: "]"): return last == 0x07 || bytes.suffix(2) == [0x1B, 0x5C]
            case UInt8(ascii: "("): return bytes.count == 3
            default: return true
            }
        }
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1
        return bytes.count == length
    }

    private mutating func obey(_ sequence: [UInt8]) {
        let text = String(decoding: sequence, as: UTF8.self)
        guard text.hasPrefix("\u{1B}["), let final = text.last else {
            if !text.hasPrefix("\u{1B}]") { unknown.append(text) }
            return
        }
        let body = text.dropFirst(2).dropLast()
        let numbers = body.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        let first = max(1, numbers.first ?? 1)
        switch final {
        case "H": moveTo(x: (numbers.count > 1 ? numbers[1] : 1) - 1, y: first - 1)
        case "B": y = min(size.rows - 1, y + first)
        case "C": x = min(size.columns - 1, x + first)
        case "D": x = max(0, x - first)
        case "m": sgr(numbers)
        case "J" where numbers == [2]: erase(0..<cells.count)
        case "J": erase(y * size.columns + x..<cells.count)
        case "K": erase(y * size.columns + x..<(y + 1) * size.columns)
        case "h" where body.first == "?": set(Int(body.dropFirst()) ?? 0, true)
        case "l" where body.first == "?": set(Int(body.dropFirst()) ?? 0, false)
        default: unknown.append(text)
        }
    }

    private mutating func moveTo(x: Int, y: Int) {
        self.x = min(size.columns - 1, max(0, x))
        self.y = min(size.rows - 1, max(0, y))
    }

    private mutating func set(_ mode: Int, _ isOn: Bool) {
        if mode == 1049, isOn != isOnAlternateScreen {
            swap(&cells, &hiddenCells)
            let here = (x, y)
            (x, y) = hiddenPlace
            hiddenPlace = here
            if isOn { cells = blank(cells.count) }
        }
        if isOn { modes.insert(mode) } else { modes.remove(mode) }
    }

    private mutating func control(_ byte: UInt8) {
        switch byte {
        case 0x0D: x = 0
        case 0x0A: lineFeed()
        case 0x08: x = max(0, x - 1)
        case 0x07: break
        default: unknown.append("\(byte)")
        }
    }

    // MARK: Cells

    private func blank(_ count: Int) -> [Cell] { Array(repeating: Cell(), count: count) }

    private mutating func erase(_ range: Range<Int>) {
        // An erased cell has the current background colour ("bce").
        let cell = Cell(look: ResolvedTheme(background: look.background))
        for index in range { cells[index] = cell }
    }

    private mutating func lineFeed() {
        if y < size.rows - 1 {
            y += 1
        } else {
            cells = Array(cells.dropFirst(size.columns)) + blank(size.columns)
        }
    }

    private mutating func write(_ text: String) {
        guard let scalar = text.unicodeScalars.first else { return }
        let character = Character(scalar)
        let width = displayWidth(character)
        if width == 0 {
            // A combining mark joins the character before it.
            let before = y * size.columns + max(0, x - 1)
            let owner = cells[before].width == 0 ? before - 1 : before
            cells[owner].character = Character(String(cells[owner].character) + text)
            return
        }
        guard x + width <= size.columns else { return }
        var shown = look
        if character == " ", !look.isUnderlined, !look.isReversed {
            // The foreground colour of a blank is invisible.
            (shown.foreground, shown.isBold) = (ResolvedTheme().foreground, false)
        }
        put(Cell(character: character, width: width, look: shown), at: x)
        if width == 2 { put(Cell(character: " ", width: 0, look: look), at: x + 1) }
        x += width
        if x == size.columns, modes.contains(7) { (x, _) = (0, lineFeed()) }
    }

    private mutating func put(_ cell: Cell, at column: Int) {
        let index = y * size.columns + column
        if cells[index].width == 2, column + 1 < size.columns { cells[index + 1] = Cell() }
        if cells[index].width == 0, cell.width != 0, column > 0 { cells[index - 1] = Cell() }
        cells[index] = cell
    }

    // MARK: SGR

    private mutating func sgr(_ numbers: [Int]) {
        var rest = numbers[...]
        while let number = rest.popFirst() {
            switch number {
            case 0: look = ResolvedTheme()
            case 1: look.isBold = true
            case 22: look.isBold = false
            case 4: look.isUnderlined = true
            case 24: look.isUnderlined = false
            case 7: look.isReversed = true
            case 27: look.isReversed = false
            case 30...37, 39, 90...97: look.foreground = "\(number)"
            case 40...47, 49, 100...107: look.background = "\(number)"
            case 38, 48:
                let count = rest.first == 2 ? 4 : 2
                let color = "\(number);" + rest.prefix(count).map(String.init).joined(separator: ";")
                rest = rest.dropFirst(count)
                if number == 38 { look.foreground = color } else { look.background = color }
            default: unknown.append("SGR \(number)")
            }
        }
    }
}
