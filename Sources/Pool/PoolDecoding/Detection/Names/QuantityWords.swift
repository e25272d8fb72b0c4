import PoolModel

/// The words by which devices and people name the quantities of the water, and the words for similar quantities.
///
/// English, German, French, Spanish, Italian, Portuguese, Dutch, the Scandinavian languages, Polish, Czech, Turkish,
/// Russian, Japanese and Chinese, as far as devices use them.
enum QuantityWords {
    /// The words that name a quantity, in lower case.
    static func names(of quantity: Quantity) -> Set<String> {
        switch quantity {
        case .temperature: temperature
        case .ph: ph
        case .chlorine: chlorine
        case .orp: orp
        }
    }

    private static let temperature: Set<String> = [
        "temperature", "temp", "temps", "tmp", "temperatur", "temperatuur", "température", "temperatura", "teplota",
        "temperatuuri", "lämpötila", "sıcaklık", "sicaklik", "температура", "水温", "温度",
    ]
    private static let ph: Set<String> = ["ph", "acidity", "酸碱度"]
    private static let chlorine: Set<String> = [
        "chlorine", "chlor", "chlore", "chlorin", "cloro", "chloor", "klor", "kloor", "kloori", "chlór", "klorin",
        "хлор", "cl", "cl2", "fcl", "fc", "fac", "freechlorine", "freechlor", "freecl", "chlorgehalt", "余氯", "残留塩素",
        "塩素",
    ]
    private static let orp: Set<String> = [
        "orp", "redox", "rédox", "oxidation", "oxydo", "oxido", "redoxpotential", "redoxpotenzial", "redoxwert", "орп",
        "редокс", "氧化还原",
    ]

    /// The words that say that something is about the water, alone or joined to the name of a quantity.
    static let waterWords: Set<String> = {
        let names = Quantity.allCases.flatMap { Self.names(of: $0) }
        return places.union(places.flatMap { place in names.map { place + $0 } })
    }()

    /// Words for things that are not measurements, including everything below them.
    static let ancestorTraps: Set<String> = [
        "min", "max", "set", "setpoint", "setpoints", "sp", "target", "targets", "soll", "sollwerte", "command", "cmd",
        "limit", "limits", "threshold", "thresholds", "alarm", "alarms", "calibration", "config", "settings",
        "forecast", "hydrolysis", "history", "yesterday", "previous", "average", "avg",
    ]

    /// Names that are too short to name a quantity, unless another one is next to them.
    static let shortNames: [String: Quantity] = ["t": .temperature, "tw": .temperature, "rx": .orp, "mv": .orp]

    /// The meaning of single words: names, names joined to a place or to a neutral word, as `watertemperature` and
    /// `phvalue`, and names with their unit.
    static let meanings: [String: (quantity: Quantity, unit: SourceUnit?)] = {
        var meanings: [String: (quantity: Quantity, unit: SourceUnit?)] = [:]
        for quantity in Quantity.allCases {
            for name in names(of: quantity) {
                meanings[name] = (quantity, nil)
                for place in places { meanings[place + name] = (quantity, nil) }
                for tail in tails { meanings[name + tail] = (quantity, nil) }
            }
        }
        for (name, unit) in unitNames { meanings[name] = (unit.quantity, unit) }
        return meanings
    }()

    /// The words that name a quantity and its unit at once.
    private static let unitNames: [String: SourceUnit] = [
        "tempc": .celsius, "tempf": .fahrenheit, "tempk": .kelvin, "temperaturec": .celsius,
        "temperaturef": .fahrenheit, "clmgl": .milligramsPerLitre, "clppm": .milligramsPerLitre,
        "orpmv": .millivolts, "redoxmv": .millivolts, "orpv": .volts,
    ]

    /// The words for units in names.
    static let unitWords: [String: SourceUnit] = [
        "c": .celsius, "celsius": .celsius, "degc": .celsius, "f": .fahrenheit, "fahrenheit": .fahrenheit,
        "degf": .fahrenheit, "kelvin": .kelvin, "mv": .millivolts, "millivolts": .millivolts, "volts": .volts,
        "ppm": .milligramsPerLitre, "mgl": .milligramsPerLitre, "mg": .milligramsPerLitre,
    ]

    /// Words next to which a name is not a measurement of the water, whatever the quantity.
    static let traps: Set<String> = [
        "min", "max", "minimum", "maximum", "low", "high", "lo", "hi", "okmin", "okmax", "set", "setpoint", "setpoints",
        "sp", "target", "goal", "required", "desired", "wanted", "ideal", "nominal", "optimal", "recommended", "soll",
        "sollwert", "consigne", "consigna", "command", "cmd", "limit", "limits",
        "threshold", "thresholds", "alarm", "alarms", "alert", "alerts", "warning", "warninglow", "warninghigh",
        "error", "err", "status", "calibration", "calib", "cal", "offset", "slope", "factor", "hysteresis",
        "hysterese", "delta", "trend", "average", "avg", "mean", "battery", "bat", "batt", "rssi", "snr",
        "linkquality", "signal", "ec", "tds", "conductivity", "salinity", "salt", "enabled", "enable", "mode", "pump",
        "dosing", "dose", "tank", "config", "availability", "timestamp", "date", "count", "runtime", "relay",
        "voltage", "adc", "expiry", "forecast", "yesterday", "previous", "prev", "up", "time", "seconds", "minus",
        "plus", "acid",
        "dosage", "canister", "liquid", "remaining", "consumption", "volume", "flow", "pressure", "humidity", "today",
        "daily", "interval", "reference", "ref", "buffer", "raw", "setting", "settings", "heating", "duration",
        "hours",
    ]

    /// Words next to which a name is not this quantity of the water.
    static func traps(of quantity: Quantity) -> Set<String> {
        switch quantity {
        case .temperature: notWater
        case .chlorine: notFree
        case .ph, .orp: []
        }
    }

    /// Words for free chlorine.
    static let free: Set<String> = ["free", "frei", "freies", "libre", "libero", "livre", "vrij", "fcl", "fac"]

    /// Words for chlorine that is not free, or not in the water yet.
    private static let notFree: Set<String> = [
        "total", "combined", "bound", "gesamt", "gebunden", "production", "output", "generator", "cell",
    ]

    /// Words for things whose temperature is not that of the water.
    static let notWater: Set<String> = [
        "air", "outside", "outdoor", "outdoors", "ambient", "solar", "roof", "collector", "panel", "chip", "cpu",
        "internal", "enclosure", "room", "indoor", "dew", "dewpoint", "processor",
        "luft", "aussen", "außen", "dach", "kollektor", "lufttemperatur", "aussentemperatur", "außentemperatur",
        "exterieur", "extérieur", "exterior", "esterna", "aire", "aria", "buiten", "utomhus", "heatpump", "heater",
        "boiler", "freeze", "frost", "box", "case", "housing", "gehäuse", "gehaeuse", "boitier", "boîtier", "coffret",
        "caja", "scatola", "kast", "cabinet", "schrank", "board", "pcb", "mcu", "electronics", "elektronik", "motor",
        "inverter", "switch", "relay", "light", "plug", "exhaust", "compressor", "evaporator", "condenser", "ambiente",
        "umgebung", "ambiant", "ambiante", "outdoortemp", "indoortemp", "boxtemp", "cputemp", "roomtemp", "boardtemp",
        "weather", "wetter", "fridge", "freezer", "outsidetemp", "airtemp",
        "solartemp",
    ]

    /// Words for the water joined to words without a meaning of their own: `watersensor`.
    static let gluedNeutral = Set(places.flatMap { place in tails.map { place + $0 } })

    /// Words for places that are not the pool, if they name a value itself; such a place may contain a pool.
    static let elsewhere: Set<String> = [
        "garden", "garten", "jardin", "giardino", "soil", "boden", "ground", "garage", "attic", "basement", "keller",
        "cellar", "shed", "house", "haus", "kitchen", "bedroom", "living", "wohnzimmer", "office", "greenhouse", "raum",
        "zimmer", "controller", "module", "core", "esp", "esp32", "esp8266", "gateway",
    ]

    /// Words without a meaning of their own.
    static let neutral: Set<String> = [
        "value", "val", "v", "data", "current", "reading", "readings", "measured", "measurement", "measure",
        "measurements", "latest", "last", "actual", "now", "state", "sensor", "sensors", "probe", "level", "payload",
        "object", "result", "results", "float", "number", "wert", "istwert", "ist", "messwert", "valeur", "valor",
        "waarde", "status", "stat", "tele", "main", "chem", "chemistry", "mqtt", "decoded", "uplink", "message", "get",
        "live", "free", "reported", "reduction", "reduktion", "réduction", "reduccion", "reducción", "potential", "t",
        "c", "ppm",
        "mv", "mg", "l", "mgl", "attributes", "properties", "params",
    ]

    /// Words for the water.
    static let places: Set<String> = [
        "pool", "pools", "water", "wasser", "eau", "agua", "acqua", "água", "spa", "piscine", "piscina", "bassin",
        "basin", "becken", "schwimmbad", "zwembad", "basen", "bazén", "bazen", "havuz", "jacuzzi", "hottub", "tub",
        "whirlpool", "бассейн", "プール", "泳池",
    ]

    /// Words that follow a name without a boundary.
    static let tails: Set<String> = [
        "value", "val", "level", "current", "wert", "sensor", "reading", "measured", "messwert", "state", "data",
    ]
}
