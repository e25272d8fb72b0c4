extension String {
    /// The text in at most this many lines, broken between words; the last line ends with an ellipsis if there
    /// is more.
    ///
    /// Blanks at the beginning indent all lines. A word that is longer than a line is cut.
    package func wrapped(columns: Int, lines limit: Int) -> [String] {
        let indentation = String(repeating: " ", count: min(max(0, columns / 2), prefix { $0 == " " }.count))
        let free = columns - indentation.count
        var lines: [String] = []
        var rest = drop { $0 == " " }
        while lines.count + 1 < limit, let end = rest.lineEnd(columns: free) {
            lines.append(indentation + rest[..<end])
            rest = rest[end...].drop { $0 == " " }
        }
        lines.append(indentation + String(rest).fitted(columns: free))
        return lines
    }
}

extension Substring {
    /// The end of the first line of a text that is too long for these columns; nil if all of it fits, or nothing.
    fileprivate func lineEnd(columns: Int) -> Index? {
        var used = 0
        var lastBlank: Index?
        for index in indices {
            if self[index] == " ", index == startIndex || self[self.index(before: index)] != " " { lastBlank = index }
            used += Terminal.displayWidth(self[index])
            if used > columns { return lastBlank ?? (index > startIndex ? index : nil) }
        }
        return nil
    }
}
