/// Turns buffers into the bytes that show them on a terminal, only what changed since the buffer before.
///
/// The cells that changed are sent in the order of their places or of their styles, whichever is shorter. Each frame is wrapped in synchronized output (DECSET 2026), so that a terminal that knows it never shows half
/// of one; others ignore it. The terminal is expected not to wrap at the right edge (DECAWM off).
public struct Renderer: Sendable {
    /// How many colours the terminal shows; a change takes effect with the next full frame.
    public let depth: ColorDepth
    private var shown: CellBuffer?

    /// Creates a renderer of which the first frame is a full one.
    public init(depth: ColorDepth) {
        self.depth = depth
    }

    /// Forgets what the terminal shows, so that the next frame is a full one.
    public mutating func invalidate() {
        shown = nil
    }

    /// The bytes that turn the buffer before into this one; none if they look the same.
    ///
    /// After a change of size, and after ``invalidate()``, the bytes clear the screen first.
    public mutating func frame(_ buffer: CellBuffer) -> [UInt8] {
        let isFull = shown?.size != buffer.size
        let before = isFull ? CellBuffer(buffer.size) : shown ?? CellBuffer(buffer.size)
        shown = buffer
        // By place it is shorter where text changes, by style where colours do.
        var (byPlace, byStyle) = (FrameWriter(depth: depth), StyleRuns())
        for y in 0..<buffer.size.rows {
            byPlace.write(row: y, of: buffer, over: before, runs: &byStyle)
        }
        byPlace.finish()
        let styled = byStyle.bytes()
        let bytes = styled.count < byPlace.bytes.count ? styled : byPlace.bytes
        if !isFull, bytes.isEmpty { return [] }
        let clear = isFull ? "\u{1B}[0m\u{1B}[2J" : ""
        return Array("\u{1B}[?2026h\(clear)".utf8) + bytes + Array("\u{1B}[?2026l".utf8)
    }

    /// The buffer as lines of text with colours, for a pipe or a scrolling terminal: no cursor movement.
    public func lines(_ buffer: CellBuffer) -> String {
        var text = ""
        for y in 0..<buffer.size.rows {
            var style = TerminalStyle.plain
            for x in 0..<buffer.size.columns where buffer[x, y].width > 0 {
                var next = TerminalStyle(buffer[x, y].style, depth: depth)
                if buffer[x, y].character == " " { next = style.forBlank(next) }
                text += style.sequence(to: next)
                style = next
                text.append(buffer[x, y].character)
            }
            text += style == .plain ? "\n" : "\u{1B}[0m\n"
        }
        return text
    }
}

/// Collects the bytes of one frame and knows where they leave the terminal's cursor and style.
private struct FrameWriter {
    let depth: ColorDepth
    private(set) var bytes: [UInt8] = []
    private var style = TerminalStyle.plain
    /// Where the cursor stands; nil when terminals might disagree about it.
    private var cursor: (x: Int, y: Int)?

    init(depth: ColorDepth) {
        self.depth = depth
    }

    /// Leaves the terminal in its plain style.
    mutating func finish() {
        bytes += style.sequence(to: .plain).utf8
        style = .plain
    }

    /// Writes what changed in a row, and collects it for the order by style.
    mutating func write(row y: Int, of buffer: CellBuffer, over before: CellBuffer, runs: inout StyleRuns) {
        for x in 0..<buffer.size.columns {
            let cell = buffer[x, y]
            guard cell.width > 0, differs(x, y, buffer, before) else { continue }
            move(toX: x, y: y, in: buffer)
            append(cell)
            // Terminals do not agree on the width of every wide or composed character: the next cell starts
            // with an absolute move, so that a disagreement cannot shift the row.
            let isCertain =
                cell.width == 1 && cell.character.unicodeScalars.count == 1 && x + 1 < buffer.size.columns
            cursor = isCertain ? (x + 1, y) : nil
            runs.append(cell, x: x, y: y, style: TerminalStyle(cell.style, depth: depth), isCertain: isCertain)
        }
    }

    /// Whether a terminal that shows `before` would show something else than `buffer` in a cell.
    private func differs(_ x: Int, _ y: Int, _ buffer: CellBuffer, _ before: CellBuffer) -> Bool {
        let (new, old) = (buffer[x, y], before[x, y])
        if new == old { return new.width == 2 && before[x + 1, y].width != 0 }
        if new.width != old.width || new.character != old.character { return true }
        let (next, before) = (TerminalStyle(new.style, depth: depth), TerminalStyle(old.style, depth: depth))
        return new.character == " " ? !next.isAsBlank(before) : next != before
    }

    private mutating func append(_ cell: Cell) {
        var next = TerminalStyle(cell.style, depth: depth)
        if cell.character == " " { next = style.forBlank(next) }
        bytes += style.sequence(to: next).utf8
        style = next
        bytes += String(cell.character).utf8
    }

    /// Moves the cursor by the shortest of: nothing, writing the few unchanged cells between again, a jump.
    private mutating func move(toX x: Int, y: Int, in buffer: CellBuffer) {
        if let cursor, cursor.y == y {
            if cursor.x == x { return }
            let between = (cursor.x..<x).map { buffer[$0, y] }
            let isCheap =
                between.count <= 3
                && between.allSatisfy {
                    $0.character.isASCII && $0.width == 1 && TerminalStyle($0.style, depth: depth) == style
                }
            bytes += isCheap ? between.flatMap { String($0.character).utf8 } : Array("\u{1B}[\(x - cursor.x)C".utf8)
        } else {
            bytes += "\u{1B}[\(y + 1);\(x + 1)H".utf8
        }
    }
}
