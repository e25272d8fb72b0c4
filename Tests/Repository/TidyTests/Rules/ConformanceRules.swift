/// One row of the conformance tables: `| number | what | state | where shown |`.
struct ConformanceRow: Equatable {
    var number: String
    var state: String
    /// Where it is shown, or why not yet.
    var evidence: String
    /// The line, counted from 1.
    var line: Int
}

/// The promises that the conformance page answers for, and how it may answer.
enum Conformance {
    static let path = "Docs/CONFORMANCE.md"
    static let states: Set = ["works", "partly", "not yet", "not applicable"]
    /// What a command that shows a promise begins with.
    static let commands = ["poolsensors ", "synclab ", "imt "]
    /// What the path of a script begins with; a row may name one beside a test or a command.
    static let scripts = ".ci/"

    /// Every number that has a row, in the order of the page.
    static let numbers: [String] = [
        ("P", 118), ("L", 15), ("V", 21), ("X", 23), ("R", 164), ("T", 48), ("C", 44), ("IMT", 39),
    ]
    .flatMap {
        letter, count in
        (1...count).map { "\(letter)\($0)" }
    }

    /// The rows of the page: each line that is a table row of four cells with a number in the first.
    static func rows(of text: String) -> [ConformanceRow] {
        text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { index, line in
            guard line.hasPrefix("|") else { return nil }
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().map(trimmed)
            guard let number = cells.first, isNumber(number) else { return nil }
            return ConformanceRow(
                number: number, state: cells.count > 2 ? cells[2] : "",
                evidence: cells.dropFirst(3).filter { !$0.isEmpty }.joined(separator: " | "), line: index + 1)
        }
    }

    private static func isNumber(_ cell: String) -> Bool {
        let digits = cell.drop { $0.isLetter }
        guard ["P", "L", "V", "X", "R", "T", "C", "IMT"].contains(String(cell.dropLast(digits.count))) else {
            return false
        }
        return !digits.isEmpty && digits.allSatisfy(\.isNumber)
    }

    private static func trimmed(_ cell: Substring) -> String {
        String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}

/// Numbers without a row or with two, unknown states, and claims that nothing in the repository shows.
///
/// In a row that claims `works` or `partly`, everything between backticks in the last cell is a test that exists, a command or a
/// script, and one of them at least is a test or a command.
///
/// - Parameters:
///   - text: The conformance page.
///   - testNames: The name of every test function, without backticks.
/// - Returns: The violations, first the numbers without a row, then row by row.
func conformanceViolations(in text: String, testNames: Set<String>) -> [Violation] {
    let rows = Conformance.rows(of: text)
    let linesByNumber = Dictionary(grouping: rows, by: \.number).mapValues { $0.map(\.line) }
    let missing = Conformance.numbers.filter { linesByNumber[$0] == nil }.map {
        Violation(path: Conformance.path, line: 1, message: "\($0) has no row")
    }
    let repeated = linesByNumber.filter { $0.value.count > 1 }.sorted { $0.key < $1.key }.map { number, lines in
        Violation(path: Conformance.path, line: lines[1], message: "\(number) has \(lines.count) rows")
    }
    return missing + repeated + rows.flatMap { rowViolations($0, testNames: testNames) }
}

private func rowViolations(_ row: ConformanceRow, testNames: Set<String>) -> [Violation] {
    func violation(_ message: String) -> Violation {
        Violation(path: Conformance.path, line: row.line, message: "\(row.number) \(message)")
    }
    guard Conformance.numbers.contains(row.number) else { return [violation("is a number that does not exist")] }
    guard Conformance.states.contains(row.state) else { return [violation("has the unknown state `\(row.state)`")] }
    guard !row.evidence.isEmpty else { return [violation("says neither where it is shown nor why not yet")] }
    guard row.state == "works" || row.state == "partly" else { return [] }
    let named = row.evidence.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
    func shows(_ name: String) -> Bool {
        testNames.contains(name) || Conformance.commands.contains { name.hasPrefix($0) }
    }
    let unknown = named.filter { !shows($0) && !$0.hasPrefix(Conformance.scripts) }
    guard unknown.isEmpty else {
        return unknown.map { violation("names `\($0)`, which is neither a test nor a command") }
    }
    return named.contains(where: shows) ? [] : [violation("claims `\(row.state)`, but names no test and no command")]
}

extension SwiftSource {
    /// The names of the functions marked `@Test`, raw identifiers without their backticks.
    var testNames: [String] {
        places(of: "@Test").compactMap { place in
            guard let keyword = tokens[place...].firstIndex(where: { $0.text == "func" }) else { return nil }
            let name = text(at: keyword + 1)
            return name.hasPrefix("`") ? String(name.dropFirst().dropLast()) : name
        }
    }
}
