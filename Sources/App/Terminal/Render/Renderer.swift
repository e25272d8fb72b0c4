/// Turns buffers into bytes for a terminal, which contain only the changes since the last buffer.
///
/// Changed cells are sent in the order of their positions or of their styles, whichever is shorter. If nearly all cells
/// changed, the screen is first cleared to its most common background, if that is shorter still. Each frame is wrapped
/// in synchronized output (DECSET 2026), so that a terminal with that feature never shows half of a frame; others
/// ignore it. The terminal is expected not to wrap at the right edge (DECAWM off).
public struct Renderer: Sendable {
    /// How many colours the terminal shows; a change takes effect with the next full frame.
    public let depth: ColorDepth
    private var shown: CellBuffer?

    /// Whether clearing uses the present background colour ("bce"); nearly all terminals do that.
    private let erasesWithColor: Bool

    /// Creates a renderer whose first frame is a full one.
    public init(depth: ColorDepth, erasesWithColor: Bool = true) {
        self.depth = depth
        self.erasesWithColor = erasesWithColor
    }

    /// Forgets what the terminal shows, so that the next frame is a full one.
    public mutating func invalidate() {
        shown = nil
    }

    /// Differences longer than this are compared with a full frame.
    private static let longDifference = 2048

    private static let beginning = Array("\u{1B}[?2026h".utf8)
    private static let end = Array("\u{1B}[?2026l".utf8)

    /// Whether the last frame showed its whole buffer; otherwise the next frame shows further rows of the buffer that
    /// it gets.
    public private(set) var isComplete = true

    /// The bytes that turn the last buffer into this one; none if both look the same.
    ///
    /// After a change of size, and after ``invalidate()``, the bytes clear the screen first. A frame that would be
    /// longer than the limit shows as many rows from the top as fit, but at least one that changed; see ``isComplete``.
    public mutating func frame(_ buffer: CellBuffer, limit: Int? = nil) -> [UInt8] {
        isComplete = true
        var (base, clear) = (shown?.size == buffer.size ? shown : nil, [UInt8]())
        var bytes = base.map { difference(from: $0, to: buffer) }
        shown = buffer
        if let bytes, bytes.isEmpty { return [] }
        if bytes.map({ $0.count > Self.longDifference }) ?? true {
            let (sequence, cleared) = clearing(for: buffer)
            let anew = difference(from: cleared, to: buffer)
            if bytes.map({ sequence.count + anew.count < $0.count }) ?? true {
                (base, clear, bytes) = (cleared, sequence, anew)
            }
        }
        var content = bytes ?? []
        let room = limit.map { $0 - Self.beginning.count - clear.count - Self.end.count } ?? .max
        if content.count > room, let base { content = rows(of: buffer, over: base, room: room) }
        return Self.beginning + clear + content + Self.end
    }

    /// Draws as many rows from the top as fit.
    private mutating func rows(of buffer: CellBuffer, over base: CellBuffer, room: Int) -> [UInt8] {
        func part(_ rows: Int) -> (buffer: CellBuffer, bytes: [UInt8]) {
            var part = base
            part.copy(rows: 0..<rows, from: buffer)
            return (part, difference(from: base, to: part))
        }
        // The longest part that fits, and the shortest that does not: the row between is the last one.
        var (least, most) = (0, buffer.size.rows)
        while most - least > 1 {
            let middle = (least + most) / 2
            if part(middle).bytes.count <= room { least = middle } else { most = middle }
        }
        var next = part(least)
        // A single row that is longer than the limit is shown nevertheless.
        if next.bytes.isEmpty { next = part(most) }
        (shown, isComplete) = (next.buffer, next.buffer == buffer)
        return next.bytes
    }

    /// The bytes for the cells that differ; the terminal is in its plain style before and after.
    private func difference(from before: CellBuffer, to buffer: CellBuffer) -> [UInt8] {
        // The order by position is shorter if text changes, the order by style if colours change.
        var (byPlace, byStyle) = (FrameWriter(depth: depth), StyleRuns())
        for y in 0..<buffer.size.rows {
            byPlace.write(row: y, of: buffer, over: before, runs: &byStyle)
        }
        byPlace.finish()
        let styled = byStyle.bytes()
        return styled.count < byPlace.bytes.count ? styled : byPlace.bytes
    }

    /// The bytes that clear the screen to the most common background of a buffer, and the buffer that is shown then.
    private func clearing(for buffer: CellBuffer) -> (bytes: [UInt8], shown: CellBuffer) {
        let ground = erasesWithColor ? commonestGround(of: buffer) : .terminalDefault
        let cleared = TerminalStyle(Style(.terminalDefault, on: ground), depth: depth)
        let color = TerminalStyle.plain.sequence(to: cleared)
        let clear = "\u{1B}[0m\(color)\u{1B}[2J" + (color.isEmpty ? "" : "\u{1B}[0m")
        return (Array(clear.utf8), CellBuffer(buffer.size, background: ground))
    }

    private func commonestGround(of buffer: CellBuffer) -> AdaptiveColor {
        var counts: [AdaptiveColor: Int] = [:]
        for y in 0..<buffer.size.rows {
            for x in 0..<buffer.size.columns {
                counts[buffer[x, y].style.background ?? .terminalDefault, default: 0] += 1
            }
        }
        // If several are equally common, any of them would do; the plain one needs the fewest bytes.
        let most = counts.values.max() ?? 0
        return counts[.terminalDefault] == most
            ? .terminalDefault : buffer.firstGround { counts[$0] == most } ?? .terminalDefault
    }
}

extension CellBuffer {
    /// The background of the first cell that meets a condition.
    fileprivate func firstGround(where holds: (AdaptiveColor) -> Bool) -> AdaptiveColor? {
        for y in 0..<size.rows {
            for x in 0..<size.columns {
                let ground = self[x, y].style.background ?? .terminalDefault
                if holds(ground) { return ground }
            }
        }
        return nil
    }
}

/// Collects the bytes of one frame, and tracks the terminal's cursor and style.
private struct FrameWriter {
    let depth: ColorDepth
    package private(set) var bytes: [UInt8] = []
    private var style = TerminalStyle.plain
    /// The position of the cursor; nil if it may differ between terminals.
    private var cursor: (x: Int, y: Int)?

    init(depth: ColorDepth) {
        self.depth = depth
    }

    /// Returns the terminal to its plain style.
    mutating func finish() {
        bytes += style.sequence(to: .plain).utf8
        style = .plain
    }

    /// Writes the changes in a row, and collects them for the order by style.
    mutating func write(row y: Int, of buffer: CellBuffer, over before: CellBuffer, runs: inout StyleRuns) {
        for x in 0..<buffer.size.columns {
            let cell = buffer[x, y]
            guard cell.width > 0, differs(x, y, buffer, before) else { continue }
            move(toX: x, y: y, in: buffer)
            append(cell)
            // The width of some wide or composed characters differs between terminals: the next cell starts with an
            // absolute move, so that a difference cannot shift the row.
            let isCertain =
                cell.width == 1 && cell.character.unicodeScalars.count == 1 && x + 1 < buffer.size.columns
            cursor = isCertain ? (x + 1, y) : nil
            runs.append(cell, x: x, y: y, style: TerminalStyle(cell.style, depth: depth), isCertain: isCertain)
        }
    }

    /// Whether a cell looks different in `before` and `buffer` on this terminal.
    private func differs(_ x: Int, _ y: Int, _ buffer: CellBuffer, _ before: CellBuffer) -> Bool {
        let (new, old) = (buffer[x, y], before[x, y])
        if new == old { return false }
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

    /// Moves the cursor by the shortest of: nothing, writing the few unchanged cells in between, a jump.
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
