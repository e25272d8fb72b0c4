/// Texts about quantities.
extension TextLanguage {
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
    package func volume(_ cubicMetres: Double) -> String {
        let text = DisplayUnits.current.text(volume: cubicMetres, decimals: 1)
        return pick(text, text.replacing(".", with: ","))
    }

    /// The name of a quantity inside a sentence, in French after `de`.
    package func name(of quantity: Quantity) -> String { pick(quantity.facts.nameInSentence) }

    /// The text of a row in this language.
    package func pick(_ words: QuantityFacts.Words) -> String { pick(words.english, words.french) }
}
