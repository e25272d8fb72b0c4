import Terminal

/// Rows under headings, each column as wide as its widest cell.
///
/// If the table is wider than the terminal, the widest columns are cut, with an ellipsis for what is missing. Through a
/// pipe they are written in full.
package struct TextTable {
    /// The available width for a table, in columns; nil for no limit.
    @TaskLocal package static var columns: Int?

    private let headings: [String]
    private var rows: [[String]] = []

    /// Creates a table without rows.
    package init(_ headings: String...) { self.init(headings: headings) }

    /// Creates a table without rows.
    package init(headings: [String]) { self.headings = headings }

    /// Adds a row; one cell for each heading.
    package mutating func add(_ cells: String...) { add(cells: cells) }

    /// Adds a row; one cell for each heading.
    package mutating func add(cells: [String]) {
        precondition(cells.count == headings.count, "\(cells.count) cells for \(headings.count) headings")
        rows.append(cells.map { $0.isEmpty ? "–" : PlainText.oneLine($0) })
    }

    /// The lines, without blanks at their ends.
    package var lines: [String] {
        let all = [headings] + rows
        let widths = fitted(headings.indices.map { column in all.map { $0[column].displayWidth }.max() ?? 0 })
        return all.map { row in
            var line = ""
            for (cell, width) in zip(row, widths) {
                let cell = cell.fitted(columns: width)
                line += cell + String(repeating: " ", count: width - cell.displayWidth + 2)
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    /// The widths with which the table fits, but no narrower than the headings need.
    private func fitted(_ widths: [Int]) -> [Int] {
        guard let columns = Self.columns else { return widths }
        let least = zip(headings, widths).map { min($1, max(8, $0.count)) }
        var widths = widths
        var excess = widths.reduce(2 * (widths.count - 1), +) - columns
        while excess > 0,
            let widest = widths.indices.filter({ widths[$0] > least[$0] }).max(by: { widths[$0] < widths[$1] })
        {
            widths[widest] -= 1
            excess -= 1
        }
        return widths
    }
}

/// Foreign text for a terminal.
package enum PlainText {
    /// The text on one line, with its control characters replaced.
    package static func oneLine(_ text: String) -> String {
        var shown = ""
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
                shown.append("\u{FFFD}")
            default:
                shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }
}
