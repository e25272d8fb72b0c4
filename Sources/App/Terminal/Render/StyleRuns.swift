/// The cells of a frame that must be sent, sorted by style instead of by position.
///
/// A jump needs 8 bytes and a change of two 24-bit colours 38, and a face has few colours that occur everywhere. So a
/// frame that paints one colour after the other is often half as long.
struct StyleRuns {
    private struct Run {
        var x: Int
        var y: Int
        var text: String
        /// The column after the run; nil if it may differ between terminals.
        var endX: Int?
    }

    /// A style with its runs; blanks may have any ink.
    private struct Group {
        var style: TerminalStyle
        var runs: [Run]
    }

    private var groups: [Group] = []
    private var indices: [TerminalStyle: Int] = [:]
    private var current: (run: Run, style: TerminalStyle, isBlank: Bool)?

    /// Adds a cell; cells must come row by row from left to right.
    mutating func append(_ cell: Cell, x: Int, y: Int, style: TerminalStyle, isCertain: Bool) {
        let isBlank = cell.character == " " && TerminalStyle.plain.forBlank(style).attributes == style.attributes
        if var open = current, open.run.y == y, open.run.endX == x, fits(style, isBlank, after: open) {
            open.run.text.append(cell.character)
            open.run.endX = isCertain ? x + cell.width : nil
            // Blanks get the ink of the cell that follows them.
            if open.isBlank, !isBlank { (open.style, open.isBlank) = (style, false) }
            current = open
            return
        }
        close()
        let run = Run(x: x, y: y, text: String(cell.character), endX: isCertain ? x + cell.width : nil)
        current = (run, isBlank ? TerminalStyle.plain.forBlank(style) : style, isBlank)
    }

    private func fits(
        _ style: TerminalStyle, _ isBlank: Bool, after open: (run: Run, style: TerminalStyle, isBlank: Bool)
    ) -> Bool {
        if isBlank { return open.style.isAsBlank(open.style.forBlank(style)) }
        return open.style == style || open.isBlank && style.isAsBlank(open.style)
    }

    private mutating func close() {
        guard let open = current else { return }
        current = nil
        if let index = indices[open.style] {
            groups[index].runs.append(open.run)
        } else {
            indices[open.style] = groups.count
            groups.append(Group(style: open.style, runs: [open.run]))
        }
    }

    /// The bytes that paint all cells; the terminal is in its plain style before and after.
    mutating func bytes() -> [UInt8] {
        close()
        var bytes: [UInt8] = []
        var style = TerminalStyle.plain
        var place: (x: Int, y: Int)?
        for group in orderedGroups() {
            bytes += style.sequence(to: group.style).utf8
            style = group.style
            for run in group.runs {
                bytes += Self.move(from: place, to: (run.x, run.y)).utf8
                bytes += run.text.utf8
                place = run.endX.map { ($0, run.y) }
            }
        }
        return bytes + style.sequence(to: .plain).utf8
    }

    /// The groups, each followed by one that needs the fewest new colours: first those on the same background.
    private func orderedGroups() -> [Group] {
        func cost(from one: TerminalStyle, to other: TerminalStyle) -> Int {
            (one.background == other.background ? 0 : 20) + (one.foreground == other.foreground ? 0 : 19)
                + (one.attributes == other.attributes ? 0 : 3)
        }
        var rest = groups
        var ordered: [Group] = []
        var style = TerminalStyle.plain
        while let next = rest.indices.min(by: {
            cost(from: style, to: rest[$0].style) < cost(from: style, to: rest[$1].style)
        }) {
            style = rest[next].style
            ordered.append(rest.remove(at: next))
        }
        return ordered
    }

    /// The shortest bytes that move the cursor to a position: a jump, or steps from its present position.
    private static func move(from place: (x: Int, y: Int)?, to target: (x: Int, y: Int)) -> String {
        let jump = "\u{1B}[\(target.y + 1);\(target.x + 1)H"
        guard let place, target.y >= place.y else { return jump }
        func steps(_ count: Int, _ final: String) -> String {
            count == 0 ? "" : count == 1 ? "\u{1B}[\(final)" : "\u{1B}[\(count)\(final)"
        }
        let (right, left) = (max(0, target.x - place.x), max(0, place.x - target.x))
        let sideways = left == 1 ? "\u{8}" : steps(right, "C") + steps(left, "D")
        let walk = steps(target.y - place.y, "B") + sideways
        return walk.utf8.count < jump.utf8.count ? walk : jump
    }
}
