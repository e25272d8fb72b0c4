import ArgumentParser

/// Reads a word as one of several cases.
package enum Choice {
    /// Reads a word.
    ///
    /// - Throws: `ValidationError` with the list of words.
    package static func read<Case: RawRepresentable & CaseIterable>(_ text: String) throws -> Case
    where Case.RawValue == String {
        guard let found = Case(rawValue: text.lowercased()) else {
            throw ValidationError("\(text) is not one of \(words(Case.self))")
        }
        return found
    }

    /// The list of words.
    package static func words<Case: RawRepresentable & CaseIterable>(_: Case.Type) -> String
    where Case.RawValue == String {
        Case.allCases.map(\.rawValue).joined(separator: ", ")
    }
}
