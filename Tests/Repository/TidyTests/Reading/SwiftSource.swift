/// A Swift file as the rules see it.
struct SwiftSource {
    /// The path relative to the repository, such as `Sources/Sync/SyncCore/Wire/Frame.swift`.
    let path: String
    let tokens: [SwiftToken]
    let prose: [SwiftProse]
    let lineCount: Int

    private let placesByText: [String: [Int]]

    init(path: String, text: String) {
        let lexer = SwiftLexer(text)
        self.path = path
        tokens = lexer.tokens
        prose = lexer.prose
        lineCount = text.utf8.count { $0 == UInt8(ascii: "\n") } + (text.isEmpty || text.hasSuffix("\n") ? 0 : 1)
        placesByText = Dictionary(grouping: lexer.tokens.indices) { lexer.tokens[$0].text }
    }

    /// The target's name: the folder on a floor of `Sources` or `Tests`; `nil` for a file outside.
    var target: String? {
        let parts = path.split(separator: "/")
        return parts.count > 3 && (parts[0] == "Sources" || parts[0] == "Tests") ? String(parts[2]) : nil
    }

    var isTest: Bool { path.hasPrefix("Tests/") }

    /// The index of each token at which this piece of code stands.
    ///
    /// A blank in the piece stands for any blanks or none; where it has none, the source has none either, so that
    /// `try!` is not found in `try !isEmpty`.
    func places(of code: String) -> [Int] {
        let wanted = SwiftLexer(code).tokens
        guard let first = wanted.first, let candidates = placesByText[first.text] else { return [] }
        return candidates.filter { start in
            start + wanted.count <= tokens.count
                && wanted.indices.dropFirst().allSatisfy { offset in
                    let token = tokens[start + offset]
                    return token.text == wanted[offset].text && (wanted[offset].followsBlank || !token.followsBlank)
                }
        }
    }

    /// The text of the token at this distance from a place, empty beyond the file's ends.
    func text(at index: Int) -> String {
        tokens.indices.contains(index) ? tokens[index].text : ""
    }

    /// A violation in this file, at the token with this index.
    func violation(at index: Int, _ message: String) -> Violation {
        Violation(path: path, line: tokens[index].line, message: message)
    }
}
