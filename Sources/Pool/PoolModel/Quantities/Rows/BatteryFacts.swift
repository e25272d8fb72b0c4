extension QuantityFacts {
    static let battery = QuantityFacts(
        key: "battery", aliases: ["bat"], number: 6, firstVersion: 3,
        name: Words("Battery", "Batterie"), nameInSentence: Words("battery", "batterie"), isFeminine: true,
        gaugeLabel: "BATTERY", compactName: "Bat", shortName: "Bat",
        isUsual: false, isOfWater: false, tellsPool: false, isOnFaces: false,
        units: [Unit(.percent)],
        displayUnits: [],
        alwaysHasUnit: true, decimals: 0,
        plausibleRange: 0...100, possibleRange: 0...100, usualRange: 10...100, faults: [],
        // A battery is worth a warning, and never critical: nobody is in danger.
        limits: Limits(criticalLow: 0, low: 15, high: 100, criticalHigh: 100),
        hysteresis: 5, plausibleJump: 100, leastChange: 2, fastChange: 10,
        dangerousSides: [], actionIfLow: .changeBattery, actionIfHigh: .checkProbe,
        calibrationBounds: CalibrationBounds(
            slopes: 0.5...2, anchor: 50, correctionMax: 50, spanMin: 10, spanRecommended: 50, stableSpan: 1),
        calibrationMethods: [.manual],
        calibrationGuide: .plain, electrode: nil,
        calibrationDays: CalibrationDays(365),
        isAdvised: false, adviceTolerance: 100, adviceAgreement: 100, drift: nil,
        deviceClass: "battery", isNamedByDeviceClass: true,
        words: DetectionWords(
            names: [
                "battery", "bat", "batt", "akku", "accu", "batterie", "batterij", "pile", "bateria", "batteria", "pila",
                "baterie", "batteri", "batterypercent", "batterypercentage", "batterylevel", "batlevel",
            ],
            shortNames: [], withUnit: ["batterypct": .percent, "batpct": .percent],
            traps: voltages.union(["voltage", "vbat", "low", "state", "charging", "type"]),
            // A bare "battery" may be a voltage: flat messages must say that they mean the charge.
            guessedUnits: [], infersUnit: false, flatKeys: ["battery_level", "battery_percent"]),
        doubt: Doubt(credible: 10...100, hasNoCodes: true), need: nil, disinfectedMin: nil)
}
