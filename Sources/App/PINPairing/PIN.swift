import Text

/// A PIN of six digits.
package struct PIN: Hashable, Sendable {
    /// A text that is no PIN.
    package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        /// The sentence; it does not show the text, which may be a secret with one digit too many.
        package let description: String
    }

    let digits: String

    /// Reads a PIN.
    ///
    /// - Throws: ``Problem``, such as `the PIN has 5 digits: give 6`.
    package init(_ text: String) throws(Problem) {
        guard text.utf8.allSatisfy(NumberGrammar.isDigit) else {
            throw Problem(description: "the PIN has other characters than digits: give 6 digits")
        }
        guard text.utf8.count == 6 else { throw Problem(description: "the PIN has \(text.utf8.count) digits: give 6") }
        digits = text
    }
}
