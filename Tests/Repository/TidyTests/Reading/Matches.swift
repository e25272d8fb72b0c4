import Foundation

/// What the regular expression finds, with the line of each find, counted from 1.
func matches(of pattern: String, in text: String) -> [(text: String, line: Int)] {
    var found: [(text: String, line: Int)] = []
    var line = 1
    var start = text.startIndex
    while let range = text.range(of: pattern, options: .regularExpression, range: start..<text.endIndex) {
        line += text[start..<range.lowerBound].utf8.count { $0 == UInt8(ascii: "\n") }
        found.append((String(text[range]), line))
        start = range.upperBound
    }
    return found
}
