import Foundation

/// Marks of unfinished work, in any text of the repository.
func leftoverViolations(path: String, text: String) -> [Violation] {
    // Put together here, so that this file does not hold what it forbids.
    let marks = ["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"]
    return violations(path: path, text: text, pattern: "\\b(\(marks.joined(separator: "|")))\\b") {
        "`\($0)`: finish it, or leave it out"
    }
}

/// Paths of one person's machine and hosts of package registries: neither exists elsewhere.
func machineViolations(path: String, text: String) -> [Violation] {
    let homes = ["home", "Users", "root", "work", "farm", "opt/swift"].joined(separator: "|")
    let hosts = ["deb.debian", "security.debian", "archive.ubuntu", "pypi", "npmjs", "rubygems"].map {
        NSRegularExpression.escapedPattern(for: $0)
    }
    return violations(path: path, text: text, pattern: "(?<![\\w.~/-])/(\(homes))(?=[/-])") {
        "`\($0)` is a path of one machine"
    }
        + violations(path: path, text: text, pattern: "\\b(\(hosts.joined(separator: "|")))\\.(org|com)\\b") {
            "`\($0)` is the host of a registry: leave it to the package tool's configuration"
        }
}

/// A phrase that no text for people holds, and what to write instead.
struct Phrase {
    var pattern: String
    var replacement: String

    /// The phrases of a file with a pattern, ` -> ` and a replacement in each line; a line with `#` is a comment.
    static func list(in text: String) -> [Phrase] {
        text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { line in
            line.firstRange(of: " -> ").map {
                Phrase(pattern: String(line[..<$0.lowerBound]), replacement: String(line[$0.upperBound...]))
            }
        }
    }
}

/// The forbidden phrases in a page, or in the string literals of a source.
func phraseViolations(path: String, text: String, phrases: [Phrase]) -> [Violation] {
    phrases.flatMap { phrase in
        violations(path: path, text: text, pattern: "(?i)" + phrase.pattern) {
            "`\($0)`: write \(phrase.replacement)"
        }
    }
}

/// The forbidden phrases in what a shipped source prints.
///
/// Not in simulations: the hashes of recorded runs include their texts.
func phraseViolations(in source: SwiftSource, phrases: [Phrase]) -> [Violation] {
    guard source.path.hasPrefix("Sources/"), source.target != "SyncSimulation" else { return [] }
    return source.prose.filter { $0.kind == .string }.flatMap { prose in
        phraseViolations(path: source.path, text: prose.text, phrases: phrases).map {
            Violation(path: $0.path, line: prose.line, message: $0.message)
        }
    }
}

/// Files and folders at the top of the repository for which the house has no place.
func topLevelViolations(names: Set<String>) -> [Violation] {
    names.subtracting(House.topLevel).filter { !$0.hasPrefix(".") }.sorted().map {
        Violation(path: $0, line: 1, message: "the top of the repository has no place for `\($0)`")
    }
}

private func violations(
    path: String, text: String, pattern: String, message: (String) -> String
) -> [Violation] {
    matches(of: pattern, in: text).map { Violation(path: path, line: $0.line, message: message($0.text)) }
}
