extension SourceUnit {
    /// The unit with a symbol, without case and in the spellings of devices: `°F`, `F`, `degC`, `ppm`, `mg/l`, `mV`.
    ///
    /// Nil for an empty text, and for a text that is not a unit of a water quantity.
    public init?(symbol: some StringProtocol) {
        let word = String(symbol.prefix(32).filter { !$0.isWhitespace }).lowercased()
        guard let unit = Self.spellings[word] else { return nil }
        self = unit
    }

    private static let spellings: [String: SourceUnit] = [
        "°": .celsius, "°c": .celsius, "℃": .celsius, "c": .celsius, "celsius": .celsius, "degc": .celsius,
        "ºc": .celsius,
        "cel": .celsius, "c°": .celsius, "celcius": .celsius, "grad": .celsius, "gradcelsius": .celsius,
        "degreecelsius": .celsius, "degreescelsius": .celsius, "deg_c": .celsius, "°celsius": .celsius,
        "°f": .fahrenheit, "℉": .fahrenheit, "f": .fahrenheit, "fahrenheit": .fahrenheit, "degf": .fahrenheit,
        "ºf": .fahrenheit, "deg_f": .fahrenheit, "degreesfahrenheit": .fahrenheit,
        "f°": .fahrenheit, "degreefahrenheit": .fahrenheit, "°fahrenheit": .fahrenheit,
        "k": .kelvin, "°k": .kelvin, "kelvin": .kelvin, "ph": .ph, "phunits": .ph,
        "mg/l": .milligramsPerLitre, "ppm": .milligramsPerLitre, "mgl": .milligramsPerLitre,
        "mg·l⁻¹": .milligramsPerLitre, "g/m3": .milligramsPerLitre, "g/m³": .milligramsPerLitre,
        "mv": .millivolts, "millivolt": .millivolts, "millivolts": .millivolts,
        "g/l": .gramsPerLitre, "gl": .gramsPerLitre, "gpl": .gramsPerLitre, "g·l⁻¹": .gramsPerLitre,
        "kg/m3": .gramsPerLitre, "kg/m³": .gramsPerLitre, "ppt": .gramsPerLitre, "‰": .gramsPerLitre,
        "psu": .gramsPerLitre,
        // With the micro sign and with the Greek letter.
        "µs/cm": .microsiemens, "μs/cm": .microsiemens, "us/cm": .microsiemens, "µs": .microsiemens,
        "μs": .microsiemens, "us": .microsiemens, "uscm": .microsiemens, "microsiemens": .microsiemens,
        "ms/cm": .millisiemens, "ms": .millisiemens, "mscm": .millisiemens, "ds/m": .millisiemens,
        "millisiemens": .millisiemens,
        "%": .percent, "percent": .percent, "pct": .percent, "prozent": .percent, "procent": .percent,
        "v": .volts, "volt": .volts, "volts": .volts,
    ]
}
