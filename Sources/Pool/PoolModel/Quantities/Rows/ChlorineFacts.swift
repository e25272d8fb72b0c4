extension QuantityFacts {
    static let chlorine = QuantityFacts(
        key: "chlorine", aliases: ["cl"], number: 2, firstVersion: 1,
        name: Words("Chlorine", "Chlore"), nameInSentence: Words("free chlorine", "chlore libre"), isFeminine: false,
        gaugeLabel: "CHLORINE", compactName: "Cl", shortName: "Cl",
        isUsual: true, isOfWater: true, tellsPool: true, isOnFaces: true,
        units: [Unit(.milligramsPerLitre)],
        displayUnits: [],
        alwaysHasUnit: false, decimals: 2,
        // What is below 0 is the noise of a probe and counts as 0.
        plausibleRange: 0...40, possibleRange: -0.1...40, usualRange: 0...20,
        faults: [],
        limits: Limits(criticalLow: 0.5, low: 1, high: 3, criticalHigh: 5),
        hysteresis: 0.1, plausibleJump: 2, leastChange: 0.1, fastChange: 0.4,
        dangerousSides: [.low, .high], actionIfLow: .addChlorine, actionIfHigh: .stopChlorine,
        calibrationBounds: CalibrationBounds(
            slopes: 0.1...10, anchor: 0, correctionMax: 5, spanMin: 0.3, spanRecommended: 1, stableSpan: 0.05),
        calibrationMethods: [.scale, .zeroPoint, .twoPoint, .regression, .manual],
        calibrationGuide: guide, electrode: nil,
        calibrationDays: CalibrationDays(14),
        isAdvised: true, adviceTolerance: 1, adviceAgreement: 1, drift: Drift(isLogarithmic: true, jumpMin: 0.06),
        // Home Assistant has no class for it.
        deviceClass: nil, isNamedByDeviceClass: true,
        words: DetectionWords(
            names: [
                "chlorine", "chlor", "chlors", "chlore", "chlorin", "cloro", "chloor", "klor", "kloor", "kloori",
                "klorin",
                "chloru", "хлор", "cl", "cl2", "fcl", "fc", "fac", "freechlorine", "freechlor", "freecl", "chlorgehalt",
                "chloorgehalte", "klorhalt", "klorindhold", "clorolibre", "clorolibero", "clorolivre", "chlorelibre",
                "vrijchloor", "freieschlor", "fritklor", "frittklor", "wolnychlor", "volnychlor", "余氯", "残留塩素", "塩素",
            ],
            shortNames: [],
            withUnit: ["clmgl": .milligramsPerLitre, "clppm": .milligramsPerLitre],
            traps: notFree.union(otherUnits), guessedUnits: [], infersUnit: false,
            flatKeys: ["chlorine", "cl", "free_chlorine"]),
        // Water may have no chlorine, but more often there is no probe.
        doubt: Doubt(credible: 0...40, nothing: 0...0, hasNoFaults: true, hasNoWholesBesideOthers: true),
        need: .disinfection, disinfectedMin: nil)

    /// Words for chlorine that is not free, or not in the water yet.
    private static let notFree: Set<String> = [
        "total", "combined", "bound", "gesamt", "gesamtes", "gebunden", "gebundenes", "totaal", "gebonden", "combine",
        "totale", "combinado", "combinato", "calkowity", "zwiazany", "celkovy", "vazany", "bunden", "bundet", "totalt",
        "production", "produktion", "productie", "produzione", "produccion", "producao", "produkcja", "output",
        "generator", "cell", "zelle", "cellule", "celda", "cella", "chlorinator", "electrolysis", "elektrolyse",
        "electrolyse", "hydrolysis", "rate", "boost", "shock",
    ]

    private static let guide = CalibrationGuide(
        CalibrationGuide.Course(
            Words(
                "With about 1 mg/L in the water, take a sample at the probe and measure it with a DPD photometer.",
                "Avec environ 1 mg/L dans l'eau, prélevez près de la sonde et mesurez au photomètre DPD."),
            Words(
                "With about 3 mg/L in the water, take a sample at the probe and measure it with the photometer.",
                "Avec environ 3 mg/L dans l'eau, prélevez près de la sonde et mesurez au photomètre."),
            Words(
                "With another amount of chlorine in the water, take a sample and measure it with the photometer.",
                "Avec une autre teneur en chlore, prélevez et mesurez au photomètre.")),
        others: [
            .zeroPoint: CalibrationGuide.Course(
                Words(
                    "Put the probe into water without any chlorine: 0 mg/L.",
                    "Plongez la sonde dans de l'eau sans chlore : 0 mg/L."),
                references: [.value(0)])
        ],
        measuring: Words(
            "Keep the flow at the probe steady and wait until the value is stable.",
            "Gardez un débit constant à la sonde et attendez que la valeur se stabilise."))
}
