/// The language of texts for people.
public enum TextLanguage: String, CaseIterable, Codable, Sendable {
    /// English, with a decimal point.
    case english
    /// French, with a decimal comma.
    case french

    /// The code of the language by ISO 639.
    package var code: String { pick("en", "fr") }

    /// The text in this language.
    package func pick(_ english: String, _ french: String) -> String {
        switch self {
        case .english: english
        case .french: french
        }
    }

    /// A number with this many decimals, 0…6, rounded half away from zero; for people only.
    package func number(_ value: Double, decimals: Int) -> String {
        let text = NumberFormat.fixed(value, decimals: decimals)
        return pick(text, text.replacing(".", with: ","))
    }
}
