/// A part of a foreign text that is safe to put into a message: quoted, short, on one line.
///
/// Control, format and other invisible characters appear as `\u{…}`, so that they do not affect a terminal.
package struct Excerpt: CustomStringConvertible {
    package let description: String

    package init(_ text: some StringProtocol, scalarCountMax: Int = 60) {
        var shown = "\""
        for scalar in text.unicodeScalars.prefix(scalarCountMax) {
            if Self.isVisible(scalar) {
                shown.unicodeScalars.append(scalar)
            } else {
                shown += "\\u{\(String(scalar.value, radix: 16))}"
            }
        }
        // Checking for one more scalar is cheap; counting all of a long text is not.
        let isCut = text.unicodeScalars.dropFirst(scalarCountMax).first != nil
        description = shown + (isCut ? "…\"" : "\"")
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}

extension StringProtocol {
    /// The first 64 code points: enough for a person to recognise a foreign text.
    ///
    /// Code points are counted, because one character can consist of any number of them.
    package var shortened: String { String(String.UnicodeScalarView(unicodeScalars.prefix(64))) }
}
