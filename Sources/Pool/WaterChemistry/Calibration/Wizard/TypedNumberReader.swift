import PoolModel

/// A number that a person typed, or why it is not a number.
enum TypedNumber: Hashable {
    case number(Double)
    case refusal(String)
}

/// Reads the numbers that a person types.
struct TypedNumberReader {
    let language: TextLanguage

    /// A value of a quantity, with or without a unit.
    func value(_ typed: Substring, of quantity: Quantity, suggestion: Double?) -> TypedNumber {
        if typed.isEmpty, let suggestion { return .number(suggestion) }
        switch NumberText(typed, of: quantity) {
        case .number(let value): return .number(value)
        // If the water never has values in the thousands, such as 7,120, a comma can only be a decimal separator.
        case .ambiguous where quantity.plausibleRange.upperBound < 1000: return decimals(typed, of: quantity)
        case .ambiguous: return .refusal(ambiguous(typed))
        case .foreignUnit(let unit):
            let own = quantity.unit.isEmpty ? "pH" : quantity.unit
            return .refusal(
                language.pick(
                    "The unit \(Excerpt(unit)) is not the one used here: give the value in \(own).",
                    "L'unité \(Excerpt(unit)) n'est pas celle attendue : donnez la valeur en \(own)."))
        case .nonFinite, .notANumber: return .refusal(notANumber(typed))
        }
    }

    /// A number without a unit.
    func plainNumber(_ typed: Substring, suggestion: Double) -> TypedNumber {
        if typed.isEmpty { return .number(suggestion) }
        // A pH has the same rules as a plain number, except that its unit is not accepted here.
        guard !typed.contains(where: \.isLetter) || typed.lowercased().contains("e") else {
            return .refusal(notANumber(typed))
        }
        switch NumberText(typed, of: .ph) {
        case .number(let value): return .number(value)
        case .ambiguous: return decimals(typed, of: .ph)
        case .foreignUnit, .nonFinite, .notANumber: return .refusal(notANumber(typed))
        }
    }

    private func decimals(_ typed: Substring, of quantity: Quantity) -> TypedNumber {
        let number = typed.prefix { $0.isASCII && ($0.isNumber || "+-,".contains($0)) }
        let plain = String(number.map { $0 == "," ? "." : $0 })
        return Double(plain).map { .number(quantity.typedValue($0)) } ?? .refusal(notANumber(typed))
    }

    private func ambiguous(_ typed: Substring) -> String {
        language.pick(
            "\(Excerpt(typed)) may mean thousands: write the decimals with a point.",
            "\(Excerpt(typed)) peut désigner des milliers : écrivez les décimales avec un point.")
    }

    private func notANumber(_ typed: Substring) -> String {
        typed.isEmpty
            ? language.pick("Type a number, such as 7.01.", "Tapez un nombre, par exemple 7,01.")
            : language.pick(
                "\(Excerpt(typed)) is not a number: type one such as 7.01.",
                "\(Excerpt(typed)) n'est pas un nombre : tapez par exemple 7,01.")
    }
}
