/// Numbers as text for people.
package enum NumberNotation {
    /// The shortest digits, without a needless `.0`.
    package static func text(_ number: Double) -> String {
        let text = "\(number)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
