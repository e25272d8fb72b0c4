/// Rows under headings, each column as wide as its widest cell.
struct TextTable {
    private let headings: [String]
    private var rows: [[String]] = []

    /// Creates a table without rows.
    init(_ headings: String...) {
        self.headings = headings
    }

    /// Adds a row; one cell for each heading.
    mutating func add(_ cells: String...) {
        precondition(cells.count == headings.count, "\(cells.count) cells for \(headings.count) headings")
        rows.append(cells.map { $0.isEmpty ? "–" : PlainText.oneLine($0) })
    }

    /// The lines, without blanks at their ends.
    var lines: [String] {
        let all = [headings] + rows
        let widths = headings.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { row in
            var line = ""
            for (cell, width) in zip(row, widths) {
                line += cell + String(repeating: " ", count: width - cell.count + 2)
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}

/// Foreign text for a terminal.
enum PlainText {
    /// The text on one line, with a replacement for whatever a terminal could obey.
    static func oneLine(_ text: String) -> String {
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
