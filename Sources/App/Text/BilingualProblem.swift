/// Why something is refused: a sentence that names the thing, the value and the way out, in both languages of the page.
package struct BilingualProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of refusal it is.
    package enum Kind: String, Hashable, Codable, Sendable {
        /// A value, or a file, that cannot be taken.
        case unfit
        /// It has too many bytes.
        case tooLarge
        /// What was named does not exist.
        case missing
        /// It may not be, as things stand.
        case refused
        /// The disk or the store failed.
        case failed
    }

    /// The kind.
    package let kind: Kind
    /// The sentence in English, without a full stop.
    package let description: String
    /// The sentence in French.
    package let french: String

    /// Creates a problem with its sentences.
    package init(_ kind: Kind, _ english: String, _ french: String) {
        self.kind = kind
        description = english
        self.french = french
    }

    /// The sentence in a language.
    package func text(in language: TextLanguage) -> String { language.pick(description, french) }
}
