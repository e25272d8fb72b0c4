import PoolModel

/// The meaning of the name of a value: of a key, a topic level, or a name for people.
enum NameReading: Equatable {
    /// The name of a quantity of the water; the unit is nil if the name has none.
    case quantity(Quantity, unit: SourceUnit?)
    /// The name of something that looks like a quantity of the water and is not one, with the word that says so.
    case trap(word: String)
    /// A name without a meaning of its own, for example `value`, `pool` or `sensor`: the names around it decide.
    case neutral
    /// The name of something else.
    case other

    init(_ name: some StringProtocol) {
        let words = NameWords(name).words
        guard let match = Self.quantity(in: words) else {
            if let word = words.first(where: QuantityWords.traps.contains) {
                self = .trap(word: word)
            } else {
                self = words.allSatisfy(Self.isNeutral) ? .neutral : .other
            }
            return
        }
        let ownTraps = match.quantity.facts.words.traps
        let isTrap: (String) -> Bool = { QuantityWords.traps.contains($0) || ownTraps.contains($0) }
        if let word = words.first(where: { isTrap($0) && !match.words.contains($0) }) ?? Self.span(in: words) {
            self = .trap(word: word)
        } else {
            self = .quantity(match.quantity, unit: match.unit ?? Self.unit(in: words, of: match.quantity))
        }
    }

    /// The hours or days in a name of what was, or of a mean: `ph_24h`.
    private static func span(in words: [String]) -> String? {
        zip(words, words.dropFirst()).first { ["h", "d"].contains($1) && $0.allSatisfy(\.isNumber) }.map { $0 + $1 }
    }

    private struct Match {
        var quantity: Quantity
        var unit: SourceUnit?
        var words: [String]
    }

    /// The first quantity, in the order of `Quantity`, that one of the words names.
    private static func quantity(in words: [String]) -> Match? {
        for quantity in Quantity.allCases {
            for word in words {
                if let meaning = QuantityWords.meanings[word], meaning.quantity == quantity {
                    return Match(quantity: quantity, unit: meaning.unit, words: [word])
                }
            }
        }
        // "tC" and "tF" are two words each; no other pair with a single letter is read.
        switch words {
        case ["t", "c"]: return Match(quantity: .temperature, unit: .celsius, words: words)
        case ["t", "f"]: return Match(quantity: .temperature, unit: .fahrenheit, words: words)
        // "t_water", "tPool".
        case _
        where words.contains("t") && words.contains(where: QuantityWords.places.contains)
            && words.allSatisfy(isNeutral):
            return Match(quantity: .temperature, unit: nil, words: ["t"])
        default: break
        }
        for quantity in Quantity.allCases {
            for name in quantity.facts.words.splitNames where name.allSatisfy(words.contains) {
                return Match(quantity: quantity, unit: nil, words: name)
            }
        }
        return nil
    }

    private static func unit(in words: [String], of quantity: Quantity) -> SourceUnit? {
        let unit = words.lazy.compactMap { QuantityWords.unitWords[$0] }.first(where: quantity.has)
        // "redoxMilliVolts" is three words.
        return unit == .volts && words.contains("milli") ? .millivolts : unit
    }

    private static func isNeutral(_ word: String) -> Bool {
        QuantityWords.neutral.contains(word) || QuantityWords.places.contains(word)
            || word.allSatisfy(\.isNumber) || QuantityWords.gluedNeutral.contains(word)
    }
}
