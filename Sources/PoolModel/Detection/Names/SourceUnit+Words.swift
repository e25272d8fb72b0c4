extension SourceUnit {
    /// The unit that a text names, in the spellings that devices use: `°C`, `℃`, `degC`, `ppm`, `mg/l`, `mV`, `F`.
    ///
    /// Nil for a text that names no unit of a quantity of the water, and for an empty one.
    static func named(_ text: some StringProtocol) -> SourceUnit? {
        let word = String(text.prefix(32).filter { !$0.isWhitespace })
        switch word {
        case "V": return .volts
        case "K": return .kelvin
        default: return spellings[word.lowercased()]
        }
    }

    private static let spellings: [String: SourceUnit] = [
        "°c": .celsius, "℃": .celsius, "c": .celsius, "celsius": .celsius, "degc": .celsius, "ºc": .celsius,
        "degreecelsius": .celsius, "degreescelsius": .celsius, "deg_c": .celsius, "°celsius": .celsius,
        "°f": .fahrenheit, "℉": .fahrenheit, "f": .fahrenheit, "fahrenheit": .fahrenheit, "degf": .fahrenheit,
        "ºf": .fahrenheit, "deg_f": .fahrenheit, "degreesfahrenheit": .fahrenheit, "kelvin": .kelvin,
        "ph": .ph, "mg/l": .milligramsPerLitre, "ppm": .milligramsPerLitre, "mgl": .milligramsPerLitre,
        "mg·l⁻¹": .milligramsPerLitre, "mv": .millivolts, "millivolt": .millivolts, "millivolts": .millivolts,
        "volt": .volts, "volts": .volts,
    ]
}
