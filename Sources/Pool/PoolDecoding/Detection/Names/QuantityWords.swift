import PoolModel

/// The words by which devices and people name the quantities of the water, and what goes with them.
///
/// English, German, Dutch, French, Spanish, Italian, Portuguese, Polish, Czech, Swedish and Danish, and some of Finnish,
/// Norwegian, Turkish, Russian, Japanese and Chinese. All are in lower case and without accents, as ``NameWords`` are.
enum QuantityWords {
    /// The words that say that something is about the water, alone or joined to the name of a quantity.
    static let waterWords: Set<String> = {
        let names = Quantity.allCases.filter(\.facts.isOfWater).flatMap(\.facts.words.names)
        return places.union(places.flatMap { place in names.map { place + $0 } })
    }()

    /// Words for things that are not measurements, including everything below them.
    static let ancestorTraps: Set<String> = limits.union([
        "command", "cmd", "alarm", "alarms", "alarme", "alarmen", "calibration", "config", "settings", "forecast",
        "hydrolysis", "history", "yesterday", "previous", "delta", "average", "avg", "einstellungen", "instellingen",
        "reglages", "ajustes", "impostazioni", "configuracoes", "ustawienia", "nastaveni", "installningar",
        "indstillinger", "kalibrierung", "vorhersage",
    ])

    /// Words for set points, targets and limits, alone or joined to the name of a quantity: `targettemperature`.
    static let limits: Set<String> = {
        let names = Quantity.allCases.flatMap(\.facts.words.names)
        return limitWords.union(["target", "set", "setpoint", "desired"].flatMap { word in names.map { word + $0 } })
    }()

    private static let limitWords: Set<String> = [
        "min", "max", "set", "setpoint", "setpoints", "setpunkt", "sp", "target", "targets", "limit", "limits",
        "threshold", "thresholds", "soll", "sollwert", "sollwerte", "solltemperatur", "zielwert", "ziel", "wunsch",
        "vorgabe", "grenzwert", "grenzwerte", "grenze", "obergrenze", "untergrenze", "schwelle", "doel", "doelwaarde",
        "gewenst", "gewenste", "streefwaarde", "setwaarde", "instelwaarde", "ingesteld", "ingestelde", "grens",
        "grenswaarde", "drempel", "consigne", "consignes", "cible", "objectif", "seuil", "seuils", "limite",
        "limites", "souhaite", "souhaitee", "visee", "consigna", "objetivo", "umbral", "deseada", "deseado",
        "impostata", "impostato", "soglia", "obiettivo", "desiderata", "desiderato", "alvo", "desejada", "desejado",
        "limiar", "zadana", "zadane", "zadany", "docelowa", "docelowe", "docelowy", "nastawa", "prog", "granica",
        "pozadovana", "pozadovane", "pozadovany", "cilova", "cilove", "nastavena", "nastavene", "mez", "borvarde",
        "malvarde", "gransvarde", "grans", "onskad", "installd", "troskel", "malvaerdi", "desired", "bor",
        "graensevaerdi", "graense",
        "onsket", "taerskel", "indstillet",
    ]

    /// Words for things whose temperature is not that of the water.
    static let notOfWater = Quantity.temperature.facts.words.traps

    /// Names that are too short to name a quantity, unless another one is next to them.
    static let shortNames = Dictionary(
        uniqueKeysWithValues: Quantity.allCases.flatMap { quantity in
            quantity.facts.words.shortNames.map { ($0, quantity) }
        })

    /// The meaning of single words: names, names joined to a place or to a neutral word, as `watertemperature`,
    /// `currenttemperature` and `phvalue`, and names with their unit.
    static let meanings: [String: (quantity: Quantity, unit: SourceUnit?)] = {
        var meanings: [String: (quantity: Quantity, unit: SourceUnit?)] = [:]
        for quantity in Quantity.allCases {
            let words = quantity.facts.words
            for name in words.names {
                meanings[name] = (quantity, nil)
                for place in places.union(["current", "actual"]) { meanings[place + name] = (quantity, nil) }
                for tail in tails { meanings[name + tail] = (quantity, nil) }
            }
            for (name, unit) in words.withUnit { meanings[name] = (quantity, unit) }
        }
        return meanings
    }()

    /// The words for units in names.
    static let unitWords: [String: SourceUnit] = [
        "c": .celsius, "celsius": .celsius, "degc": .celsius, "f": .fahrenheit, "fahrenheit": .fahrenheit,
        "degf": .fahrenheit, "kelvin": .kelvin, "mv": .millivolts, "millivolts": .millivolts,
        "millivolt": .millivolts, "volts": .volts, "volt": .volts, "v": .volts,
        "ppm": .milligramsPerLitre, "mgl": .milligramsPerLitre, "mg": .milligramsPerLitre,
        "gl": .gramsPerLitre, "ppt": .gramsPerLitre, "us": .microsiemens, "uscm": .microsiemens, "ms": .millisiemens,
        "mscm": .millisiemens, "percent": .percent, "percentage": .percent, "pct": .percent,
    ]

    /// Words next to which a name is not a measurement of the water, whatever the quantity.
    static let traps: Set<String> = limits.union(lowAndHigh).union(batteries).union([
        "okmin", "okmax", "goal", "required", "wanted", "ideal", "nominal", "optimal", "recommended",
        "command", "cmd", "alarm", "alarms", "alarme", "alarma", "allarme", "alert", "alerts", "warning",
        "warninglow", "warninghigh", "error", "err", "fehler", "erreur", "errore", "erro", "fout", "blad", "chyba",
        "fel", "fejl", "status", "calibration", "calib", "cal", "kalibrierung", "kalibratie", "ijking", "etalonnage",
        "calibrage", "calibracion", "calibrazione", "calibracao", "kalibracja", "kalibrace", "kalibrering", "offset",
        "slope", "factor", "hysteresis", "hysterese", "delta", "trend", "tendenz", "average", "avg", "mean",
        "mittelwert", "durchschnitt", "gemiddelde", "moyenne", "media", "promedio", "srednia", "prumer", "medel",
        "rssi", "snr", "linkquality", "signal", "ec", "tds", "conductivity", "salinity", "salt", "enabled", "enable",
        "mode", "modus", "pump", "pumpe", "pompe", "pomp", "bomba", "pompa", "cerpadlo", "dosing", "dose", "tank",
        "config", "availability", "timestamp", "date", "count", "runtime", "relay", "adc", "expiry",
        "forecast", "vorhersage", "yesterday", "gestern", "previous", "prev", "up", "time", "seconds", "minus", "plus",
        "acid", "dosage", "dosierung", "dosering", "dosificacion", "dosaggio", "dosagem", "dozowanie", "davkovani",
        "canister", "kanister", "liquid", "remaining", "rest", "consumption", "verbrauch", "volume", "flow",
        "pressure", "druck", "humidity", "today", "heute", "daily", "interval", "reference", "ref", "buffer", "raw",
        "setting", "settings", "ok", "okay", "good", "valid", "fault", "dosed", "ml", "index", "score", "rating",
        "color",
        "colour", "bottle", "bidon", "stock", "injected", "injection", "alerte", "defaut", "cycles", "heating",
        "heizung", "duration", "hours", "production", "quality", "version", "power", "sec", "speed", "type", "tablets",
        "tablet", "kg", "ago", "diff", "difference",
    ])

    /// Words for limits and for what is too low or too high.
    private static let lowAndHigh: Set<String> = [
        "minimum", "maximum", "minimal", "maximal", "minimo", "maximo", "massimo", "minimalna", "maksymalna", "low",
        "high", "lo", "hi", "laag", "hoog", "niedrig", "hoch", "bas", "haut", "bajo", "alto", "basso", "baixo",
        "niska", "wysoka", "nizka", "vysoka", "lag", "hog", "lav", "hoj",
    ]

    /// Words for batteries and voltages.
    static let batteries: Set<String> = [
        "battery", "bat", "batt", "akku", "accu", "batterie", "batterij", "pile", "bateria", "batteria", "pila",
        "baterie", "batteri", "vbat", "voltage", "spannung", "spanning", "tension", "tensione", "tensao",
        "napiecie", "napeti", "spanning", "spaending",
    ]

    /// Words for free chlorine.
    static let free: Set<String> = [
        "free", "frei", "freies", "freie", "libre", "libero", "livre", "vrij", "vrije", "wolny", "wolnego", "volny",
        "volneho", "fri", "fritt", "frit", "fcl", "fac",
    ]

    /// Words for the water joined to words without a meaning of their own: `watersensor`.
    static let gluedNeutral = Set(places.flatMap { place in tails.map { place + $0 } })

    /// Words for places that are not the pool, if they name a value itself; such a place may contain a pool.
    static let elsewhere: Set<String> = [
        "garden", "garten", "jardin", "giardino", "soil", "boden", "ground", "garage", "attic", "basement", "keller",
        "cellar", "shed", "house", "haus", "kitchen", "bedroom", "living", "wohnzimmer", "office", "greenhouse", "raum",
        "zimmer", "controller", "module", "core", "esp", "esp32", "esp8266", "gateway", "huis", "tuin", "maison",
        "casa", "jardim", "dom", "dum", "hus", "tradgard", "have", "zahrada", "ogrod", "device", "cell", "return",
        "heat",
        "feels", "rise", "comp", "compensation",
    ]

    /// Words without a meaning of their own.
    static let neutral: Set<String> = [
        "value", "val", "v", "svalue",
        "data", "current", "curr", "cur", "degrees", "degree", "deg", "reading", "readings",
        "measured", "measurement", "measure",
        "measurements", "latest", "last", "actual", "now", "state", "sensor", "sensors", "probe", "level", "payload",
        "object", "result", "results", "float", "number", "wert", "istwert", "ist", "messwert", "valeur", "valor",
        "valore", "waarde", "wartosc", "hodnota", "varde", "vaerdi", "status", "stat", "tele", "main", "chem",
        "chemistry", "mqtt", "decoded", "uplink", "message", "get", "live", "free", "reported", "reduction",
        "reduktion", "reduccion", "potential", "potentiel", "potencial", "potenziale", "potencjal", "t", "c", "ppm",
        "mv", "mg", "l", "mgl", "attributes", "properties", "params", "samples", "sample", "records", "record",
        "batch", "points", "entries", "values", "de", "del", "della", "dell", "di", "do", "da", "des", "der", "van",
        "het", "la", "le", "im", "in", "w", "v", "i", "pv",
    ]

    /// Words for the water.
    static let places: Set<String> = [
        "pool", "pools", "poolen", "poolens", "water", "wasser", "eau", "agua", "acqua", "spa", "piscine", "piscines",
        "piscina", "piscinas", "bassin", "basin", "becken", "schwimmbad", "schwimmbecken", "bad", "bade", "zwembad",
        "zwembadwater", "basen", "basenu", "basenie", "bazen", "bazenu", "bazenova", "woda", "wody", "wodzie", "voda",
        "vody", "vatten", "vattnet", "vattnets", "bassang", "simbassang", "poolvatten", "bassangvatten", "vand",
        "vandet", "poolvand", "svommebassin", "badevand", "poolwasser", "poolwater", "badewasser", "havuz", "jacuzzi",
        "hottub", "tub", "whirlpool", "virivka", "alberca", "pileta", "vasca", "wanna", "бассейн", "プール", "泳池",
    ]

    /// Words that follow a name without a boundary.
    static let tails: Set<String> = [
        "value", "val", "level", "current", "wert", "sensor", "reading", "measured", "messwert", "state", "data",
        "waarde", "varde", "vaerdi",
    ]
}
