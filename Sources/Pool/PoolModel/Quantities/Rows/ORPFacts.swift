extension QuantityFacts {
    static let orp = QuantityFacts(
        key: "orp", aliases: ["redox"], number: 3, firstVersion: 1,
        name: Words("ORP", "Redox"), nameInSentence: Words("ORP", "potentiel redox"), isFeminine: false,
        gaugeLabel: "ORP", compactName: "ORP", shortName: "ORP",
        isUsual: true, isOfWater: true, tellsPool: true, isOnFaces: true,
        units: [Unit(.millivolts), Unit(.volts, multiplier: 1000)],
        displayUnits: [],
        alwaysHasUnit: true, decimals: 0,
        // An electrode that is unplugged, dry or shorted reads about 0.
        plausibleRange: -1500...1500, possibleRange: -500...1200, usualRange: 100...1000,
        faults: [Fault(.unplugged, -10...10), Fault(.silent, -999...(-999))],
        limits: Limits(criticalLow: 500, low: 600, high: 800, criticalHigh: 900),
        hysteresis: 15, plausibleJump: 200, leastChange: 10, fastChange: 40,
        dangerousSides: [.low, .high], actionIfLow: .checkPHAndChlorine, actionIfHigh: .stopDosing,
        calibrationBounds: CalibrationBounds(
            slopes: 0.5...2, anchor: 470, correctionMax: 300, spanMin: 30, spanRecommended: 100, stableSpan: 4),
        calibrationMethods: [.zeroPoint, .twoPoint, .regression, .manual],
        calibrationGuide: guide, electrode: .redox,
        calibrationDays: CalibrationDays(28),
        isAdvised: false, adviceTolerance: 100, adviceAgreement: 100, drift: nil,
        deviceClass: "voltage", isNamedByDeviceClass: false,
        words: DetectionWords(
            names: [
                "orp", "redox", "redoks", "oxidation", "oxydo", "oxido", "redoxpotential", "redoxpotenzial",
                "redoxpotentiaal", "redoxspannung", "redoxspanning", "redoxspanning", "redoxspaending", "redoxwert",
                "redoxwaarde", "redoxvarde", "redoxvaerdi", "oxydoreduction", "oxidoreduccion", "oxidorreducao",
                "ossidoriduzione", "орп", "редокс", "氧化还原",
            ], splitNames: [["red", "ox"]],
            shortNames: ["rx", "mv"],
            withUnit: ["orpmv": .millivolts, "redoxmv": .millivolts, "orpv": .volts, "redoxv": .volts],
            traps: percents, guessedUnits: [.volts], infersUnit: false, flatKeys: ["orp"]),
        doubt: Doubt(
            credible: -1500...1500, nothing: (-20.0).nextUp...20.0.nextDown, hasNoFaults: true, liquidTolerance: 15),
        need: .disinfection, disinfectedMin: 650)

    private static let guide = CalibrationGuide(
        CalibrationGuide.Course(
            Words(
                "Clean the probe, rinse it, and put it into the first redox solution, such as 650 mV.",
                "Nettoyez la sonde, rincez-la et plongez-la dans la première solution redox, par exemple 650 mV."),
            Words(
                "Rinse the probe and put it into the second redox solution, such as 750 mV.",
                "Rincez la sonde et plongez-la dans la deuxième solution redox, par exemple 750 mV."),
            Words(
                "Rinse the probe and put it into another redox solution; its value is on the bottle.",
                "Rincez la sonde et plongez-la dans une autre solution redox ; sa valeur figure sur le flacon."),
            references: [.value(650), .value(750), .value(468)]),
        others: [
            .zeroPoint: CalibrationGuide.Course(
                Words(
                    "Clean the probe, rinse it, and put it into a redox solution; its value is on the bottle.",
                    "Nettoyez la sonde, rincez-la et plongez-la dans une solution redox ; sa valeur figure sur le flacon."
                ),
                references: [.value(468)])
        ],
        measuring: Words(
            "Leave the probe in the solution; ORP settles slowly, often in 5 to 20 minutes.",
            "Laissez la sonde dans la solution ; le redox se stabilise lentement, souvent en 5 à 20 minutes."))
}
