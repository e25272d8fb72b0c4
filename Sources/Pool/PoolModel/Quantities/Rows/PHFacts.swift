extension QuantityFacts {
    // The span of 2 for the calibration is that of a community pH node which grades anything below it "weak".
    static let ph = QuantityFacts(
        key: "ph", aliases: [], number: 1, firstVersion: 1,
        name: Words("pH", "pH"), nameInSentence: Words("pH", "pH"), isFeminine: false,
        gaugeLabel: "pH", compactName: "pH", shortName: "pH",
        isUsual: true, isOfWater: true, tellsPool: true, isOnFaces: true,
        units: [Unit(.ph)],
        displayUnits: [],
        alwaysHasUnit: false, decimals: 2,
        // An electrode that is unplugged, dry or shorted reads 0 or 14; 7.00 is a value like others.
        plausibleRange: 0...14, possibleRange: 1...13, usualRange: 4...10,
        faults: [Fault(.unplugged, 0...1.0.nextDown), Fault(.unplugged, 13.0.nextUp...14)],
        limits: Limits(criticalLow: 6.5, low: 6.8, high: 7.6, criticalHigh: 8.0),
        hysteresis: 0.05, plausibleJump: 0.8, leastChange: 0.05, fastChange: 0.2,
        dangerousSides: [.low, .high], actionIfLow: .raisePH, actionIfHigh: .lowerPH,
        calibrationBounds: CalibrationBounds(
            slopes: 0.5...2, anchor: 7, correctionMax: 2, spanMin: 0.5, spanRecommended: 2, stableSpan: 0.02),
        calibrationMethods: [.twoPoint, .zeroPoint, .regression, .manual],
        calibrationGuide: guide, electrode: .ph,
        calibrationDays: CalibrationDays(point: 7, line: 30, manual: 28),
        isAdvised: true, adviceTolerance: 0.3, adviceAgreement: 0.3, drift: Drift(isLogarithmic: false, jumpMin: 0.04),
        deviceClass: "ph", isNamedByDeviceClass: true,
        words: DetectionWords(
            names: [
                "ph", "acidity", "zuurgraad", "acidite", "acidez", "acidita", "odczyn", "kyselost", "surhetsgrad",
                "surhedsgrad", "酸碱度",
            ],
            shortNames: [],
            withUnit: [:],
            traps: otherUnits, guessedUnits: [], infersUnit: false, flatKeys: ["ph"]),
        doubt: Doubt(credible: 4...10, liquidTolerance: 0.1), need: .acidity, disinfectedMin: nil)

    private static let guide = CalibrationGuide(
        CalibrationGuide.Course(
            neutral,
            Words(
                "Rinse the probe with pure water, dab it dry, and put it into the buffer of pH 10 (or pH 4).",
                "Rincez la sonde à l'eau pure, épongez-la et plongez-la dans le tampon pH 10 (ou pH 4)."),
            references: [.buffer(.neutral), .buffer(.alkaline)]),
        others: [
            .regression: CalibrationGuide.Course(
                neutral,
                Words(
                    "Rinse the probe with pure water, dab it dry, and put it into the next buffer.",
                    "Rincez la sonde à l'eau pure, épongez-la et plongez-la dans le tampon suivant."),
                references: [.buffer(.neutral), .buffer(.acid), .buffer(.alkaline)])
        ],
        measuring: Words(
            "Leave the probe in the buffer, stir gently, and wait one or two minutes until the value is stable.",
            "Laissez la sonde dans le tampon, remuez doucement et attendez une ou deux minutes la stabilisation."))

    private static let neutral = Words(
        "Rinse the probe with pure water, dab it dry, and put it into the buffer of pH 7.",
        "Rincez la sonde à l'eau pure, épongez-la et plongez-la dans le tampon pH 7.")
}
