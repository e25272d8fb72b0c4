/// Suites that a page names and that do not exist: what stands between backticks and ends in `Tests`.
///
/// - Parameters:
///   - path: The page's path.
///   - text: The page as written.
///   - typeNames: The types that tests declare or extend.
///   - files: Every file of the repository; a name may be that of a file or of a folder under `Tests`, too.
/// - Returns: The violations, in the order of the page.
func suiteNameViolations(path: String, text: String, typeNames: Set<String>, files: [String]) -> [Violation] {
    let known = typeNames.union(files.filter { $0.hasPrefix("Tests/") }.flatMap(names))
    var line = 1
    var found: [Violation] = []
    for (index, piece) in text.split(separator: "`", omittingEmptySubsequences: false).enumerated() {
        if !index.isMultiple(of: 2), piece.hasSuffix("Tests"), !known.contains(String(piece)) {
            found.append(Violation(path: path, line: line, message: "there is no suite and no file `\(piece)`"))
        }
        line += piece.utf8.count { $0 == UInt8(ascii: "\n") }
    }
    return found
}

/// What a page may call a file and the folders above it: each by its name alone, or from the top.
private func names(of path: String) -> [String] {
    let parts = path.split(separator: "/").map { String($0.hasSuffix(".swift") ? $0.dropLast(6) : $0) }
    return parts + parts.indices.map { parts[...$0].joined(separator: "/") }
}

extension SwiftSource {
    /// The names of the types that are declared or extended here.
    var typeNames: [String] {
        ["struct", "class", "enum", "actor", "extension"].flatMap { places(of: $0) }.map { text(at: $0 + 1) }
    }
}
