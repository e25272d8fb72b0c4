/// Turns buffers into the bytes that show them on a terminal, only what changed since the buffer before.
///
/// The cells that changed are sent in the order of their places or of their styles, whichever is shorter; where nearly all
/// of them did, the screen is cleared to its commonest ground first, if that is shorter still. Each frame is wrapped in
/// synchronized output (DECSET 2026), so that a terminal that knows it never shows half of one; others ignore it. The
/// terminal is expected not to wrap at the right edge (DECAWM off).
public struct Renderer: Sendable {
    /// How many colours the terminal shows; a change takes effect with the next full frame.
    public let depth: ColorDepth
    private var shown: CellBuffer?

    /// Whether clearing leaves the ground in the colour that is set ("bce"); nearly all terminals do.
    private let erasesWithColor: Bool

    /// Creates a renderer of which the first frame is a full one.
    public init(depth: ColorDepth, erasesWithColor: Bool = true) {
        self.depth = depth
        self.erasesWithColor = erasesWithColor
    }

    /// Forgets what the terminal shows, so that the next frame is a full one.
    public mutating func invalidate() {
        shown = nil
    }

    /// Differences longer than this are compared with a frame drawn anew.
    private static let longDifference = 2048

    private static let beginning = Array("\u{1B}[?2026h".utf8)
    private static let end = Array("\u{1B}[?2026l".utf8)

    /// Whether the last frame showed all of its buffer; else the next frame shows further rows of the one it gets.
    public private(set) var isComplete = true

    /// The bytes that turn the buffer before into this one; none if they look the same.
    ///
    /// After a change of size, and after ``invalidate()``, the bytes clear the screen first. A frame that would be longer
    /// than the limit shows as many rows from the top as have room, but at least one that changed; see ``isComplete``.
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

    /// As many rows from the top as have room.
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
        // A row that is too long by itself is shown all the same.
        if next.bytes.isEmpty { next = part(most) }
        (shown, isComplete) = (next.buffer, next.buffer == buffer)
        return next.bytes
    }

    /// The cells that differ, from a terminal in its plain style to one.
    private func difference(from before: CellBuffer, to buffer: CellBuffer) -> [UInt8] {
        // By place it is shorter where text changes, by style where colours do.
        var (byPlace, byStyle) = (FrameWriter(depth: depth), StyleRuns())
        for y in 0..<buffer.size.rows {
            byPlace.write(row: y, of: buffer, over: before, runs: &byStyle)
        }
        byPlace.finish()
        let styled = byStyle.bytes()
        return styled.count < byPlace.bytes.count ? styled : byPlace.bytes
    }

    /// The bytes that clear the screen to the commonest ground of a buffer, and what is shown then.
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
        // Of several the first one in the buffer would do; the plain one is the shortest.
        let most = counts.values.max() ?? 0
        return counts[.terminalDefault] == most
            ? .terminalDefault : buffer.firstGround { counts[$0] == most } ?? .terminalDefault
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

extension CellBuffer {
    /// The ground of the first cell for which something holds.
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
