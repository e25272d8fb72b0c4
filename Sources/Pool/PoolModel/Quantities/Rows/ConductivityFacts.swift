extension QuantityFacts {
    static let conductivity = QuantityFacts(
        key: "conductivity", aliases: ["ec"], number: 5, firstVersion: 3,
        name: Words("Conductivity", "Conductivité"), nameInSentence: Words("conductivity", "conductivité"),
        isFeminine: true,
        gaugeLabel: "EC", compactName: "EC", shortName: "EC",
        isUsual: false, isOfWater: true, tellsPool: false, isOnFaces: true,
        // Milligrams per litre are total dissolved solids, by the usual factor of testers for pools: half the
        // conductivity.
        units: [Unit(.microsiemens), Unit(.millisiemens, multiplier: 1000), Unit(.milligramsPerLitre, multiplier: 2)],
        displayUnits: [
            DisplayUnit(word: "ms/cm", unit: .millisiemens, decimals: 2),
            DisplayUnit(word: "us/cm", unit: .microsiemens, decimals: 0),
            DisplayUnit(word: "tds", unit: .milligramsPerLitre, symbol: "ppm", decimals: 0),
        ],
        alwaysHasUnit: true, decimals: 0,
        plausibleRange: 0...200_000, possibleRange: 5...200_000, usualRange: 100...70_000,
        // A probe in air.
        faults: [Fault(.unplugged, -5...4.9)],
        // Nothing is out of range until somebody has set limits: what is right depends on the water and on its salt.
        limits: Limits(criticalLow: 0, low: 0, high: 200_000, criticalHigh: 200_000),
        hysteresis: 50, plausibleJump: 3000, leastChange: 50, fastChange: 300,
        dangerousSides: [], actionIfLow: .checkProbe, actionIfHigh: .replaceWater,
        calibrationBounds: CalibrationBounds(
            slopes: 0.3...3, anchor: 1413, correctionMax: 1000, spanMin: 200, spanRecommended: 5000, stableSpan: 20),
        calibrationMethods: [.scale, .zeroPoint, .twoPoint, .regression, .manual],
        calibrationGuide: .plain, electrode: nil,
        calibrationDays: CalibrationDays(180),
        isAdvised: false, adviceTolerance: 500, adviceAgreement: 500, drift: nil,
        deviceClass: "conductivity", isNamedByDeviceClass: true,
        words: DetectionWords(
            names: [
                "conductivity", "ec", "leitwert", "leitfahigkeit", "leitfaehigkeit", "geleidbaarheid", "conductivite",
                "conductividad", "conducibilita", "conduttivita", "condutividade", "przewodnosc", "vodivost",
                "konduktivitet", "ledningsevne",
            ],
            shortNames: [], withUnit: ["ecus": .microsiemens, "ecms": .millisiemens],
            traps: voltages.union(percents).union(["soil", "boden", "plant"]),
            guessedUnits: [.millisiemens], infersUnit: false, flatKeys: ["conductivity", "ec"]),
        doubt: Doubt(credible: 100...70_000, hasNoCodes: true), need: nil, disinfectedMin: nil)
}
