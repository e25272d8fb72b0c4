extension SourceUnit {
    /// The unit that a device or a person names, in any case and in the spellings that devices use: `°F`, `F`, `degC`,
    /// `ppm`, `mg/l`, `mV`.
    ///
    /// Nil for a text that names no unit of a quantity of the water, and for an empty one.
    public init?(symbol: some StringProtocol) {
        let word = String(symbol.prefix(32).filter { !$0.isWhitespace }).lowercased()
        guard let unit = Self.spellings[word] else { return nil }
        self = unit
    }

    private static let spellings: [String: SourceUnit] = [
        "°c": .celsius, "℃": .celsius, "c": .celsius, "celsius": .celsius, "degc": .celsius, "ºc": .celsius,
        "degreecelsius": .celsius, "degreescelsius": .celsius, "deg_c": .celsius, "°celsius": .celsius,
        "°f": .fahrenheit, "℉": .fahrenheit, "f": .fahrenheit, "fahrenheit": .fahrenheit, "degf": .fahrenheit,
        "ºf": .fahrenheit, "deg_f": .fahrenheit, "degreesfahrenheit": .fahrenheit,
        "k": .kelvin, "°k": .kelvin, "kelvin": .kelvin, "ph": .ph,
        "mg/l": .milligramsPerLitre, "ppm": .milligramsPerLitre, "mgl": .milligramsPerLitre,
        "mg·l⁻¹": .milligramsPerLitre,
        "mv": .millivolts, "millivolt": .millivolts, "millivolts": .millivolts,
        "v": .volts, "volt": .volts, "volts": .volts,
    ]
}
