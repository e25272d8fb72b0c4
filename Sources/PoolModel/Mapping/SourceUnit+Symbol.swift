extension SourceUnit {
    /// The unit that a device or a person names, in any case: `°F`, `F`, `fahrenheit`, `ppm`, `mV`.
    public init?(symbol: some StringProtocol) {
        let folded = symbol.trimmedOfBlanks.lowercased()
        guard let unit = Self.allCases.first(where: { $0.symbols.contains(folded) }) else { return nil }
        self = unit
    }

    /// The names of the unit in lower case, the one for commands first.
    var symbols: [String] {
        switch self {
        case .celsius: ["°c", "c", "℃", "ºc", "celsius", "degc"]
        case .fahrenheit: ["°f", "f", "℉", "ºf", "fahrenheit", "degf"]
        case .kelvin: ["k", "°k", "kelvin"]
        case .ph: ["ph"]
        case .milligramsPerLitre: ["mg/l", "ppm"]
        case .millivolts: ["mv", "millivolt", "millivolts"]
        case .volts: ["v", "volt", "volts"]
        }
    }
}
