extension QuantityFacts {
    static let chlorine = QuantityFacts(
        key: "chlorine", aliases: ["cl"], number: 2, firstVersion: 1,
        name: Words("Chlorine", "Chlore"), nameInSentence: Words("free chlorine", "chlore libre"), isFeminine: false,
        gaugeLabel: "CHLORINE", compactName: "Cl", shortName: "Cl",
        isUsual: true, isOfWater: true, tellsPool: true, isOnFaces: true,
        units: [Unit(.milligramsPerLitre)],
        displayUnits: [],
        alwaysHasUnit: false, decimals: 2,
        plausibleRange: 0...40, possibleRange: -0.1...40, usualRange: 0...20,
        faults: [],
        limits: Limits(criticalLow: 0.5, low: 1, high: 3, criticalHigh: 5),
        hysteresis: 0.1, plausibleJump: 2, leastChange: 0.1, fastChange: 0.4,
        dangerousSides: [.low, .high], actionIfLow: .addChlorine, actionIfHigh: .stopChlorine,
        calibrationBounds: CalibrationBounds(
            slopes: 0.1...10, anchor: 0, correctionMax: 5, spanMin: 0.3, spanRecommended: 1, stableSpan: 0.05),
        calibrationMethods: [.scale, .zeroPoint, .twoPoint, .regression, .manual], calibrationDays: CalibrationDays(14),
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
            flatKeys: ["chlorine", "cl", "free_chlorine"]))

    /// Words for chlorine that is not free, or not in the water yet.
    private static let notFree: Set<String> = [
        "total", "combined", "bound", "gesamt", "gesamtes", "gebunden", "gebundenes", "totaal", "gebonden", "combine",
        "totale", "combinado", "combinato", "calkowity", "zwiazany", "celkovy", "vazany", "bunden", "bundet", "totalt",
        "production", "produktion", "productie", "produzione", "produccion", "producao", "produkcja", "output",
        "generator", "cell", "zelle", "cellule", "celda", "cella", "chlorinator", "electrolysis", "elektrolyse",
        "electrolyse", "hydrolysis", "rate", "boost", "shock",
    ]
}
