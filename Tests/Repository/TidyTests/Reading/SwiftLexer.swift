/// Splits Swift source into tokens and prose, so that a rule about code never fires on a comment or a string.
///
/// It is total: any text gives tokens. It knows nested comments, raw and multi-line strings, interpolation (which is
/// code again), raw identifiers and regex literals. A bare regex literal is told from a division by what stands before.
struct SwiftLexer {
    private(set) var tokens: [SwiftToken] = []
    private(set) var prose: [SwiftProse] = []

    private let bytes: [UInt8]
    private var position = 0
    private var line = 1
    private var lineHasContent = false
    private var endOfLastToken = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
        lexCode(untilClosingParenthesis: false)
    }

    /// Reads code up to the end, or up to the parenthesis that closes an interpolation.
    private mutating func lexCode(untilClosingParenthesis: Bool) {
        var depth = 0
        while let byte = peek() {
            if byte == .newline {
                advanceOverNewline()
            } else if byte.isBlank {
                position += 1
            } else if byte == .slash, peek(1) == .slash {
                lexLineComment()
            } else if byte == .slash, peek(1) == .star {
                lexBlockComment()
            } else if let hashes = openingHashes(before: .quote) {
                lexString(hashes: hashes)
            } else if let length = regexLength() {
                skipRegex(length: length)
            } else if byte == .backtick {
                lexRawIdentifier()
            } else if byte.isWord {
                lexWord()
            } else {
                if byte == .openParenthesis { depth += 1 }
                if byte == .closeParenthesis {
                    if untilClosingParenthesis, depth == 0 { return }
                    depth -= 1
                }
                append(from: position, count: 1)
            }
        }
    }

    private mutating func lexWord() {
        var end = position
        while end < bytes.count, bytes[end].isWord { end += 1 }
        append(from: position, count: end - position)
    }

    private mutating func lexRawIdentifier() {
        var end = position + 1
        while end < bytes.count, bytes[end] != .backtick, bytes[end] != .newline { end += 1 }
        if end < bytes.count, bytes[end] == .backtick { end += 1 }
        append(from: position, count: end - position)
    }

    private mutating func lexLineComment() {
        let start = position
        while position < bytes.count, bytes[position] != .newline { position += 1 }
        note(.comment, from: start, to: position, startsLine: !lineHasContent)
        lineHasContent = true
    }

    private mutating func lexBlockComment() {
        var depth = 0
        var start = position
        var startsLine = !lineHasContent
        repeat {
            if peek() == .slash, peek(1) == .star {
                depth += 1
                position += 2
            } else if peek() == .star, peek(1) == .slash {
                depth -= 1
                position += 2
            } else if peek() == .newline {
                note(.comment, from: start, to: position, startsLine: startsLine)
                advanceOverNewline()
                start = position
                startsLine = true
            } else {
                position += 1
            }
        } while depth > 0 && position < bytes.count
        note(.comment, from: start, to: min(position, bytes.count), startsLine: startsLine)
        lineHasContent = true
    }

    /// Reads a string literal whose delimiters carry this many hashes.
    private mutating func lexString(hashes: Int) {
        position += hashes
        let isMultiline = peek(1) == .quote && peek(2) == .quote
        position += isMultiline ? 3 : 1
        lineHasContent = true
        var start = position
        while let byte = peek() {
            if byte == .newline {
                note(.string, from: start, to: position, startsLine: false)
                // An unfinished single-line literal ends here, so that one slip does not swallow the file.
                guard isMultiline else { return }
                advanceOverNewline()
                start = position
            } else if byte == .backslash, followedByHashes(hashes, at: position + 1) {
                let escaped = position + 1 + hashes
                guard escaped < bytes.count, bytes[escaped] == .openParenthesis else {
                    // A backslash at a line's end joins lines; the newline is still counted.
                    position = escaped < bytes.count && bytes[escaped] == .newline ? escaped : escaped + 1
                    continue
                }
                note(.string, from: start, to: position, startsLine: false)
                position = escaped + 1
                lexCode(untilClosingParenthesis: true)
                position += 1
                start = position
            } else if closesString(isMultiline: isMultiline, hashes: hashes) {
                note(.string, from: start, to: position, startsLine: false)
                position += (isMultiline ? 3 : 1) + hashes
                return
            } else {
                position += 1
            }
        }
    }

    private func closesString(isMultiline: Bool, hashes: Int) -> Bool {
        guard peek() == .quote else { return false }
        guard isMultiline else { return followedByHashes(hashes, at: position + 1) }
        return peek(1) == .quote && peek(2) == .quote && followedByHashes(hashes, at: position + 3)
    }

    private mutating func append(from start: Int, count: Int) {
        let text = String(decoding: bytes[start..<start + count], as: UTF8.self)
        let followsBlank = start != endOfLastToken
        tokens.append(
            SwiftToken(text: text, line: line, startsLine: !lineHasContent, followsBlank: followsBlank))
        lineHasContent = true
        position = start + count
        endOfLastToken = position
    }

    private mutating func note(_ kind: SwiftProse.Kind, from start: Int, to end: Int, startsLine: Bool) {
        guard start < end else { return }
        let text = String(decoding: bytes[start..<end], as: UTF8.self)
        prose.append(SwiftProse(kind: kind, text: text, line: line, startsLine: startsLine, place: tokens.count))
    }

    private mutating func advanceOverNewline() {
        position += 1
        line += 1
        lineHasContent = false
    }

    private func peek(_ offset: Int = 0) -> UInt8? {
        position + offset < bytes.count ? bytes[position + offset] : nil
    }
}

extension SwiftLexer {
    /// The number of hashes that stand here before the given byte, or `nil` if it does not follow.
    private func openingHashes(before byte: UInt8) -> Int? {
        var end = position
        while end < bytes.count, bytes[end] == .hash { end += 1 }
        return end < bytes.count && bytes[end] == byte ? end - position : nil
    }

    private func followedByHashes(_ count: Int, at start: Int) -> Bool {
        start + count <= bytes.count && bytes[start..<start + count].allSatisfy { $0 == .hash }
    }

    /// The length of the regex literal that starts here, or `nil` if none does.
    private func regexLength() -> Int? {
        guard let hashes = openingHashes(before: .slash) else { return nil }
        let body = position + hashes + 1
        guard body < bytes.count else { return nil }
        if hashes == 0, endsOperand || bytes[body].isBlank || bytes[body] == .newline { return nil }
        var end = body
        while end < bytes.count, bytes[end] != .newline || hashes > 0 {
            if bytes[end] == .slash, followedByHashes(hashes, at: end + 1) { return end + 1 + hashes - position }
            end += bytes[end] == .backslash ? 2 : 1
        }
        return nil
    }

    /// Whether the last token ends an operand, after which a slash divides.
    private var endsOperand: Bool {
        guard let last = tokens.last else { return false }
        let startsOperand: Set = ["return", "in", "case", "try", "await", "else", "where"]
        return (last.isWord && !startsOperand.contains(last.text)) || [")", "]", "}", "?", "!"].contains(last.text)
    }

    private mutating func skipRegex(length: Int) {
        let end = min(position + length, bytes.count)
        lineHasContent = true
        while position < end {
            if bytes[position] == .newline { advanceOverNewline() } else { position += 1 }
        }
    }
}

extension UInt8 {
    fileprivate static let newline = UInt8(ascii: "\n")
    fileprivate static let slash = UInt8(ascii: "/")
    fileprivate static let star = UInt8(ascii: "*")
    fileprivate static let hash = UInt8(ascii: "#")
    fileprivate static let quote = UInt8(ascii: "\"")
    fileprivate static let backslash = UInt8(ascii: "\\")
    fileprivate static let backtick = UInt8(ascii: "`")
    fileprivate static let openParenthesis = UInt8(ascii: "(")
    fileprivate static let closeParenthesis = UInt8(ascii: ")")

    fileprivate var isBlank: Bool {
        self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") || self == UInt8(ascii: "\r")
    }

    /// Letters, digits, the underscore, and every byte of a character beyond ASCII.
    fileprivate var isWord: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...0xFF: true
        default: false
        }
    }
}
