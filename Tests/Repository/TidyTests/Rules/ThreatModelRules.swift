/// Claims of the threat model that nothing shows: rows without a test that exists, and limits that the code does not have.
///
/// In a table whose last heading is `test`, each row names tests in backticks in its last cell. Under the heading `in the code`
/// stand a file of `Sources`, without its extension, and a text that it contains.
///
/// - Parameters:
///   - path: The page's path.
///   - text: The page as written.
///   - testNames: The name of every test function, without backticks.
///   - sources: The files under `Sources`.
/// - Returns: The violations, row by row; one if the page has no row at all.
func threatModelViolations(
    path: String, text: String, testNames: Set<String>, sources: [(path: String, text: String)]
) -> [Violation] {
    var headings: [String] = []
    var rowCount = 0
    var found: [Violation] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        guard line.hasPrefix("| ") else {
            if !line.hasPrefix("|") { headings = [] }
            continue
        }
        let cells = line.split(separator: "|").map(String.init)
        guard !headings.isEmpty else {
            headings = cells.map { $0.filter { $0 != " " } }
            continue
        }
        guard headings.last == "test" else { continue }
        rowCount += 1
        let tests = code(in: cells.last ?? "")
        let faults =
            (tests.isEmpty ? ["names no test"] : [])
            + tests.filter { !testNames.contains($0) }.map { "names the test `\($0)`, which does not exist" }
            + (headings.firstIndex(of: "inthecode").map { limitFaults(of: code(in: cells[$0]), sources) } ?? [])
        found += faults.map { Violation(path: path, line: index + 1, message: "the row \($0)") }
    }
    return rowCount == 0 ? [Violation(path: path, line: 1, message: "the page has no row with a test")] : found
}

/// What is wrong with the place of a limit in the code: a file, and a text in it.
private func limitFaults(of place: [String], _ sources: [(path: String, text: String)]) -> [String] {
    guard place.count == 2 else { return ["does not say where its limit is in the code"] }
    let files = sources.filter { $0.path.hasSuffix("/\(place[0]).swift") }
    let isThere = files.contains { $0.text.contains(place[1]) }
    return isThere ? [] : ["has a limit that is not in the code: `\(place[1])` in \(place[0]).swift"]
}

/// What stands between backticks.
private func code(in text: String) -> [String] {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
}
