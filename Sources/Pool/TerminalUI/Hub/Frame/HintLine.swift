/// Keys with what they do, side by side; a click on one is the key.
struct HintLine {
    private let hints: [KeyHint]
    private let look: ResolvedTheme

    init(_ hints: [KeyHint], look: ResolvedTheme) {
        self.hints = hints
        self.look = look
    }

    var isEmpty: Bool { hints.isEmpty }

    /// Draws as many hints as fit completely.
    func draw(on picture: inout Picture, x: Int, y: Int, columns: Int) {
        var at = x
        for hint in hints {
            let labelEnd = at + hint.label.displayWidth
            let end = labelEnd + 1 + hint.action.displayWidth
            guard end <= x + columns else { break }
            picture.buffer.write(hint.label, x: at, y: y, style: look.keyStyle)
            picture.buffer.write(" \(hint.action)", x: labelEnd, y: y, style: look.faint)
            mark(hint.keys.first, at..<(hint.showsPair ? labelEnd - 1 : end), y: y, on: &picture)
            if hint.showsPair {
                mark(hint.keys.last, labelEnd - 1..<labelEnd, y: y, on: &picture)
                mark(hint.keys.first, labelEnd..<end, y: y, on: &picture)
            }
            at = end + 2
        }
    }

    private func mark(_ key: Key?, _ columns: Range<Int>, y: Int, on picture: inout Picture) {
        guard let key else { return }
        picture.mark(Rect(x: columns.lowerBound, y: y, columns: columns.count, rows: 1), .key(key))
    }
}

extension KeyHint {
    /// Whether the label shows two keys, such as `+ -`, the last one in its last column.
    fileprivate var showsPair: Bool { keys.count == 2 && label.filter { $0 != " " }.count == 2 }
}
