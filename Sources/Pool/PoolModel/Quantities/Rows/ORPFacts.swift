extension QuantityFacts {
    static let orp = QuantityFacts(
        key: "orp", aliases: ["redox"], number: 3, firstVersion: 1,
        name: Words("ORP", "Redox"), nameInSentence: Words("ORP", "potentiel redox"), isFeminine: false,
        gaugeLabel: "ORP", compactName: "ORP", shortName: "ORP",
        isUsual: true, isOfWater: true, tellsPool: true, isOnFaces: true,
        units: [Unit(.millivolts), Unit(.volts, multiplier: 1000)],
        displayUnits: [],
        alwaysHasUnit: true, decimals: 0,
        plausibleRange: -1500...1500, possibleRange: -500...1200, usualRange: 100...1000,
        faults: [Fault(.unplugged, -10...10), Fault(.silent, -999...(-999))],
        limits: Limits(criticalLow: 500, low: 600, high: 800, criticalHigh: 900),
        hysteresis: 15, plausibleJump: 200, leastChange: 10, fastChange: 40,
        dangerousSides: [.low, .high], actionIfLow: .checkPHAndChlorine, actionIfHigh: .stopDosing,
        calibrationBounds: CalibrationBounds(
            slopes: 0.5...2, anchor: 470, correctionMax: 300, spanMin: 30, spanRecommended: 100, stableSpan: 4),
        calibrationMethods: [.zeroPoint, .twoPoint, .regression, .manual], calibrationDays: CalibrationDays(28),
        isAdvised: false, adviceTolerance: 100, adviceAgreement: 100, drift: nil,
        deviceClass: "voltage", isNamedByDeviceClass: false,
        words: DetectionWords(
            names: [
                "orp", "redox", "redoks", "oxidation", "oxydo", "oxido", "redoxpotential", "redoxpotenzial",
                "redoxpotentiaal", "redoxspannung", "redoxspanning", "redoxspanning", "redoxspaending", "redoxwert",
                "redoxwaarde", "redoxvarde", "redoxvaerdi", "oxydoreduction", "oxidoreduccion", "oxidorreducao",
                "ossidoriduzione", "орп", "редокс", "氧化还原",
            ],
            shortNames: ["rx", "mv"],
            withUnit: ["orpmv": .millivolts, "redoxmv": .millivolts, "orpv": .volts, "redoxv": .volts],
            traps: percents, guessedUnits: [.volts], infersUnit: false, flatKeys: ["orp"]))
}
