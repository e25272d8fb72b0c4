extension QuantityFacts {
    static let temperature = QuantityFacts(
        key: "temperature", aliases: ["temp"], number: 0, firstVersion: 1,
        name: Words("Temperature", "Température"), nameInSentence: Words("temperature", "température"),
        isFeminine: true,
        gaugeLabel: "TEMP", compactName: "Temp", shortName: "",
        isUsual: true, isOfWater: true, tellsPool: false, isOnFaces: true,
        units: [Unit(.celsius), Unit(.fahrenheit, zero: 32, multiplier: 5, divisor: 9), Unit(.kelvin, zero: 273.15)],
        displayUnits: [
            DisplayUnit(word: "fahrenheit", unit: .fahrenheit, decimals: 1),
            DisplayUnit(word: "celsius", unit: .celsius, decimals: 1),
        ],
        alwaysHasUnit: false, decimals: 1,
        // 85 is a DS18B20 that has just started, −127 one that does not answer.
        plausibleRange: -5...60, possibleRange: -5...60, usualRange: 1...45,
        faults: [Fault(.starting, 84.95...85.05), Fault(.silent, -127.05...(-126.95))],
        limits: Limits(criticalLow: 15, low: 20, high: 30, criticalHigh: 35),
        hysteresis: 0.5, plausibleJump: 5, leastChange: 0.2, fastChange: 1,
        // Cold water alone is no danger to those who choose to be in it.
        dangerousSides: [.high], actionIfLow: .checkHeatingAndFrost, actionIfHigh: .checkHeatingAndPump,
        calibrationBounds: CalibrationBounds(
            slopes: 0.5...2, anchor: 25, correctionMax: 10, spanMin: 5, spanRecommended: 15, stableSpan: 0.2),
        calibrationMethods: [.zeroPoint, .twoPoint, .regression, .manual],
        calibrationGuide: guide, electrode: nil,
        calibrationDays: CalibrationDays(365),
        isAdvised: true, adviceTolerance: 5, adviceAgreement: 3, drift: nil,
        deviceClass: "temperature", isNamedByDeviceClass: true,
        words: DetectionWords(
            names: [
                "temperature", "temp", "temps", "tmp", "temperatur", "temperaturen", "temperatuur", "temperatura",
                "temperatury", "teplota", "teploty", "temperatuuri", "lampotila", "sicaklik", "rtd", "ezortd",
                "температура",
                "水温",
                "温度",
            ],
            shortNames: ["t", "tw", "wt"],
            withUnit: [
                "tempc": .celsius, "tempf": .fahrenheit, "tempk": .kelvin, "temperaturec": .celsius,
                "temperaturef": .fahrenheit,
            ],
            traps: notWater, guessedUnits: [.fahrenheit], infersUnit: false, flatKeys: ["temperature", "temp"]),
        doubt: Doubt(credible: -5...60, nothing: 0...0, hasNoFaults: true, hasNoCodes: true), need: nil,
        disinfectedMin: nil)

    /// Words for things whose temperature is not that of the water.
    private static let notWater: Set<String> = [
        "air", "outside", "outdoor", "outdoors", "ambient", "external", "coolant", "intake", "engine", "solar", "roof",
        "collector", "panel", "chip", "cpu",
        "internal", "enclosure", "room", "indoor", "dew", "dewpoint", "processor",
        "luft", "aussen", "dach", "kollektor", "lufttemperatur", "aussentemperatur", "umgebung",
        "umgebungstemperatur", "innentemperatur", "raumtemperatur", "lucht", "luchttemperatuur", "buiten",
        "buitentemperatuur", "omgeving", "omgevingstemperatuur", "binnen", "dak", "zonnepaneel", "zonnecollector",
        "exterieur", "exterieure", "dehors", "ambiant", "ambiante", "toit", "panneau", "solaire", "capteur",
        "exterior", "externa", "externo", "fuera", "fora", "aire", "ar", "ambiente", "colector", "tejado",
        "esterna", "esterno", "fuori", "aria", "pannello", "collettore", "solare", "telhado",
        "powietrze", "powietrza", "zewnetrzna", "zewnetrzne", "zewnatrz", "otoczenia", "otoczenie", "dachu",
        "kolektor", "kolektora", "sloneczny", "vzduch", "vzduchu", "venkovni", "venku", "okoli", "strecha", "solarni",
        "utomhus", "ute", "utetemperatur", "utetemp", "lufttemp", "solfangare", "omgivning", "inomhus",
        "udenfor", "ude", "udetemperatur", "udendors", "solfanger", "omgivelser", "indendors",
        "heatpump", "heater", "boiler", "freeze", "frost", "box", "case", "housing", "gehause", "gehaeuse", "boitier",
        "coffret", "caja", "scatola", "caixa", "skrzynka", "skrin", "kast", "cabinet", "schrank", "board", "pcb",
        "mcu", "electronics", "elektronik", "motor", "inverter", "switch", "relay", "light", "plug", "exhaust",
        "compressor", "evaporator", "condenser", "warmepumpe", "waermepumpe", "warmtepomp", "varmepump",
        "varmepumpe", "outdoortemp", "indoortemp", "boxtemp", "cputemp", "roomtemp", "boardtemp", "weather", "wetter",
        "fridge", "freezer", "outsidetemp", "airtemp", "solartemp", "soltemp",
    ]

    private static let guide = CalibrationGuide(
        CalibrationGuide.Course(
            Words(
                "Put the probe into a mixture of crushed ice and water: 0 °C.",
                "Plongez la sonde dans un mélange de glace pilée et d'eau : 0 °C."),
            Words(
                "Put the probe into water of about 25 °C beside a thermometer that you trust, and read it.",
                "Plongez la sonde dans de l'eau à environ 25 °C à côté d'un thermomètre fiable et lisez-le."),
            Words(
                "Put the probe into water of another temperature beside the thermometer, and read it.",
                "Plongez la sonde dans de l'eau à une autre température à côté du thermomètre et lisez-le."),
            references: [.value(0), .value(25), .value(40)]),
        measuring: Words(
            "Leave the probe in the water, stir now and then, and wait until the value is stable.",
            "Laissez la sonde dans l'eau, remuez de temps en temps et attendez que la valeur se stabilise."))
}
