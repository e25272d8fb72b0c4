extension QuantityFacts {
    static let salinity = QuantityFacts(
        key: "salinity", aliases: ["salt"], number: 4, firstVersion: 3,
        name: Words("Salinity", "Salinité"), nameInSentence: Words("salinity", "salinité"), isFeminine: true,
        gaugeLabel: "SALT", compactName: "Salt", shortName: "Salt",
        isUsual: false, isOfWater: true, tellsPool: false, isOnFaces: true,
        units: [Unit(.gramsPerLitre), Unit(.milligramsPerLitre, divisor: 1000)],
        displayUnits: [
            DisplayUnit(word: "ppm", unit: .milligramsPerLitre, symbol: "ppm", decimals: 0),
            DisplayUnit(word: "g/l", unit: .gramsPerLitre, decimals: 2),
        ],
        alwaysHasUnit: true, decimals: 2,
        // The Dead Sea has 340 g/L, but no pool has more than a sea.
        plausibleRange: 0...60, possibleRange: 0...60, usualRange: 0.3...45, faults: [],
        // Nothing is out of range until somebody has set limits: what is right depends on the chlorinator, and a pool
        // without one has hardly any salt.
        limits: Limits(criticalLow: 0, low: 0, high: 60, criticalHigh: 60),
        hysteresis: 0.1, plausibleJump: 2, leastChange: 0.1, fastChange: 0.5,
        dangerousSides: [], actionIfLow: .addSalt, actionIfHigh: .replaceWater,
        calibrationBounds: CalibrationBounds(
            slopes: 0.3...3, anchor: 3, correctionMax: 3, spanMin: 0.5, spanRecommended: 2, stableSpan: 0.05),
        calibrationMethods: [.scale, .zeroPoint, .twoPoint, .regression, .manual],
        calibrationGuide: .plain, electrode: nil,
        calibrationDays: CalibrationDays(180),
        isAdvised: false, adviceTolerance: 1, adviceAgreement: 1, drift: nil,
        // Home Assistant has no class for it.
        deviceClass: nil, isNamedByDeviceClass: true,
        words: DetectionWords(
            names: [
                "salinity", "salt", "salz", "salzgehalt", "zout", "zoutgehalte", "sel", "salinite", "sal", "salinidad",
                "sale", "salinita", "salinidade", "zasolenie", "salthalt", "saltindhold", "nacl", "tauxsel",
            ],
            shortNames: [], withUnit: ["saltppm": .milligramsPerLitre, "saltgl": .gramsPerLitre],
            traps: voltages.union(percents).union([
                "cell", "zelle", "cellule", "celda", "cella", "generator", "production", "output", "bag", "bags",
            ]),
            guessedUnits: [.milligramsPerLitre], infersUnit: true, flatKeys: ["salinity", "salt"]),
        doubt: Doubt(credible: 0.3...45, hasNoCodes: true), need: nil, disinfectedMin: nil)
}
