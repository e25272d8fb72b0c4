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
        plausibleRange: 0...14, possibleRange: 1...13, usualRange: 4...10,
        faults: [Fault(.unplugged, 0...1.0.nextDown), Fault(.unplugged, 13.0.nextUp...14)],
        limits: Limits(criticalLow: 6.5, low: 6.8, high: 7.6, criticalHigh: 8.0),
        hysteresis: 0.05, plausibleJump: 0.8, leastChange: 0.05, fastChange: 0.2,
        dangerousSides: [.low, .high], actionIfLow: .raisePH, actionIfHigh: .lowerPH,
        calibrationBounds: CalibrationBounds(
            slopes: 0.5...2, anchor: 7, correctionMax: 2, spanMin: 0.5, spanRecommended: 2, stableSpan: 0.02),
        calibrationMethods: [.twoPoint, .zeroPoint, .regression, .manual],
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
            traps: otherUnits, guessedUnits: [], infersUnit: false, flatKeys: ["ph"]))
}
