/// The language of the texts about alerts, calibration, advice and forecasts.
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

    /// A value of a quantity with its unit, and one decimal more than the screens show.
    package func value(_ value: Double, of quantity: Quantity) -> String {
        let text = number(quantity.shownValue(value), decimals: quantity.decimals + 1)
        return quantity.unit.isEmpty ? text : "\(text) \(quantity.unit)"
    }

    /// A difference of two values of a quantity with its unit, and one decimal more than the screens show.
    package func difference(_ value: Double, of quantity: Quantity) -> String {
        let text = number(quantity.shownDifference(value), decimals: quantity.decimals + 1)
        return quantity.unit.isEmpty ? text : "\(text) \(quantity.unit)"
    }

    /// A volume in cubic metres with one decimal, and its unit.
    func volume(_ cubicMetres: Double) -> String {
        let text = DisplayUnits.current.text(volume: cubicMetres, decimals: 1)
        return pick(text, text.replacing(".", with: ","))
    }

    /// The name of a quantity inside a sentence, in French after `de`.
    func name(of quantity: Quantity) -> String { pick(quantity.facts.nameInSentence) }

    /// The text of a row in this language.
    func pick(_ words: QuantityFacts.Words) -> String { pick(words.english, words.french) }
}
