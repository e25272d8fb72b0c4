extension PoolAssessment {
    /// The sentence, such as `Do not swim: chlorine 0.20 mg/L.`.
    ///
    /// - Parameters:
    ///   - language: The language.
    ///   - isNamed: Whether to say which pool it is about, because there are several.
    /// - Returns: One sentence.
    public func sentence(in language: TextLanguage, isNamed: Bool = false) -> String {
        let text = words(in: language)
        // The sentence about a dose has the name anyway.
        if case .add = finding { return text }
        return isNamed && !name.isEmpty ? language.pick("\(name): ", "\(name) : ") + text : text
    }

    private func words(in language: TextLanguage) -> String {
        func pick(_ english: String, _ french: String) -> String { language.pick(english, french) }
        func list(_ readings: [Reading]) -> String { readings.map { language.words(for: $0) }.joined(separator: ", ") }
        switch finding {
        case .critical(let readings, let isPassing):
            return isPassing
                ? pick(
                    "Do not swim yet: \(list(readings)), not steady yet.",
                    "Ne vous baignez pas encore : \(list(readings)), pas encore stable.")
                : pick("Do not swim: \(list(readings)).", "Ne vous baignez pas : \(list(readings)).")
        case .unlistedAlert(.critical):
            return pick("Do not swim: look at the alerts.", "Ne vous baignez pas : consultez les alertes.")
        case .unlistedAlert(.warning): return pick("Look at the alerts.", "Consultez les alertes.")
        case .wasCritical(let reading, let seconds):
            let value = language.words(for: reading)
            let (was, ago) = (language.words(for: reading, verb: "was"), seconds.map(language.age) ?? "")
            return seconds == nil
                ? pick("Do not swim: last known \(value).", "Ne vous baignez pas : dernière mesure connue, \(value).")
                : pick("Do not swim: \(was) \(ago) ago.", "Ne vous baignez pas : \(value) il y a \(ago).")
        case .add(let portion):
            let amount = language.amount(portion)
            let product = portion.product.householdName(in: language)
            return pick(
                "Add \(amount) of \(product) to \(name), then measure.",
                "Ajoutez \(amount) \(language.of(product)) dans \(name), puis mesurez.")
        case .letAct(let product, let seconds):
            return pick(
                "Wait \(language.wait(seconds)), then measure: \(product.householdName(in: language)) was added.",
                "Attendez \(language.wait(seconds)), puis mesurez : ajout récent (\(product.householdName(in: language)))."
            )
        case .outOfRange(let readings): return language.outOfRange(readings) + "."
        case .faulty(let quantity?):
            return pick(
                "The \(language.inSentence(quantity)) probe gives impossible values: check it.",
                "La sonde de \(language.inSentence(quantity)) donne des valeurs impossibles : vérifiez-la.")
        case .faulty(nil):
            return pick("The probe's messages cannot be read.", "Les messages de la sonde sont illisibles.")
        case .disagreement(let quantity):
            return pick(
                "The probes disagree on \(language.inSentence(quantity)): measure by hand.",
                "Les sondes ne concordent pas (\(language.inSentence(quantity))) : mesurez à la main.")
        case .unsettled(let quantity):
            return pick(
                "The \(language.inSentence(quantity)) is not steady: wait, then look again.",
                "\(language.the(quantity)) n'est pas stable : attendez, puis regardez de nouveau.")
        case .noLink(let link): return language.words(for: link)
        case .noHub: return pick("The hub does not answer.", "Le hub ne répond pas.")
        case .noDevice: return pick("No probe is set up yet.", "Aucune sonde n'est configurée.")
        case .noReading: return pick("No reading has come yet.", "Aucune mesure reçue.")
        case .ageUnknown: return pick("The age of the readings is unknown.", "L'âge des mesures est inconnu.")
        case .silent(let seconds, let probes):
            let span = language.age(seconds)
            return probes == 1
                ? pick("The probe has been silent for \(span).", "La sonde est silencieuse depuis \(span).")
                : pick("The probes have been silent for \(span).", "Les sondes sont silencieuses depuis \(span).")
        case .old(let quantity, let seconds?):
            return pick(
                "The \(language.inSentence(quantity)) is \(language.age(seconds)) old.",
                "\(language.the(quantity)) date de \(language.age(seconds)).")
        case .old(let quantity, nil):
            return pick(
                "The age of the \(language.inSentence(quantity)) is unknown.",
                "L'âge de la dernière mesure est inconnu (\(language.inSentence(quantity))).")
        case .noValue(let quantity):
            return pick(
                "No usable \(language.inSentence(quantity)) has come yet.",
                "Aucune valeur utilisable reçue (\(language.inSentence(quantity))).")
        case .alert(let alert): return language.words(for: alert)
        case .recovering(let reading):
            return pick(
                "\(language.start(reading)) is only just back in its range.",
                "\(language.start(reading)) : tout juste de retour dans sa plage.")
        case .notMeasured(let quantities): return language.notMeasured(quantities)
        case .dosed(let product, let seconds):
            return pick(
                "Wait \(language.wait(seconds)) before you swim: \(product.householdName(in: language)) was added.",
                "Attendez \(language.wait(seconds)) avant de vous baigner : ajout récent ("
                    + "\(product.householdName(in: language))).")
        case .dosesUnknown:
            return pick(
                "All is in range, but what was added is not known here.",
                "Tout est dans la plage, mais les ajouts ne sont pas connus ici.")
        case .swim(nil): return pick("You can swim.", "Vous pouvez vous baigner.")
        case .swim(let reading?):
            let remark = language.remark(reading)
            return pick("You can swim; \(remark).", "Vous pouvez vous baigner ; \(remark).")
        }
    }
}

extension DoseProduct {
    /// The name on the packet, if every packet with that name holds this; the chemical name otherwise.
    fileprivate func householdName(in language: TextLanguage) -> String {
        switch self {
        case .sodiumBisulfate: language.pick("pH minus", "pH moins")
        case .sodiumCarbonate: language.pick("pH plus", "pH plus")
        default: name(in: language)
        }
    }
}

extension TextLanguage {
    /// A value with its name inside a sentence, such as `chlorine 0.20 mg/L`.
    fileprivate func words(for reading: PoolAssessment.Reading, verb: String? = nil) -> String {
        [inSentence(reading.quantity), verb, shown(reading.value, reading.quantity)].compactMap(\.self)
            .joined(separator: " ")
    }

    /// A value with its name at the beginning of a sentence.
    fileprivate func start(_ reading: PoolAssessment.Reading) -> String {
        "\(label(of: reading.quantity)) \(shown(reading.value, reading.quantity))"
    }

    /// The short name of a quantity inside a sentence.
    fileprivate func inSentence(_ quantity: Quantity) -> String {
        let label = label(of: quantity)
        return label.dropFirst().contains(where: \.isUppercase) ? label : label.lowercased()
    }

    /// The name of a quantity with its article, at the beginning of a sentence.
    fileprivate func the(_ quantity: Quantity) -> String {
        pick("The ", quantity.facts.isFeminine ? "La " : "Le ") + inSentence(quantity)
    }

    /// A noun after "of": French elides before a vowel, and before the silent h of "hypochlorite".
    fileprivate func of(_ noun: String) -> String {
        guard let first = noun.first else { return noun }
        return "aeéiouh".contains(first) ? "d'\(noun)" : "de \(noun)"
    }

    /// An age in its largest whole unit from minutes on: a sentence that changes every second is a nuisance.
    fileprivate func age(_ seconds: Int) -> String {
        guard seconds >= 60 else { return pick("less than 1 min", "moins de 1 min") }
        let unit = seconds < 3600 ? 60 : seconds < 172_800 ? 3600 : 86_400
        return duration(Int64(seconds / unit * unit) * 1000)
    }

    /// A time to wait in whole minutes or hours, rather longer than shorter.
    fileprivate func wait(_ seconds: Int) -> String {
        let unit = seconds <= 3600 ? 60 : 3600
        return duration(Int64(max(1, (seconds + unit - 1) / unit) * unit) * 1000)
    }

    /// The amount of a portion, in two digits: the lower end, because one measures again before adding more.
    fileprivate func amount(_ portion: Advice.Portion) -> String {
        var unit = 1.0
        while portion.least >= 100 * unit { unit *= 10 }
        let text = Dose.text(max(0.1, (portion.least / unit).rounded(.down) * unit), portion.unit)
        return pick(text, text.replacing(".", with: ","))
    }

    fileprivate func outOfRange(_ readings: [PoolAssessment.Reading]) -> String {
        let parts = readings.enumerated().map { index, reading -> String in
            if reading.quantity == .temperature { return remark(reading) }
            let value = index == 0 ? start(reading) : words(for: reading)
            let side = reading.deviation.map { too($0, reading.quantity) } ?? ""
            return pick("\(value) is \(side)", "\(value) : \(side)")
        }
        let text = parts.joined(separator: ", ")
        return text.first.map { readings[0].quantity == .ph ? text : $0.uppercased() + text.dropFirst() } ?? text
    }

    /// What is worth knowing of a value that is no reason not to swim, as a clause.
    fileprivate func remark(_ reading: PoolAssessment.Reading) -> String {
        guard let side = reading.deviation else { return words(for: reading) }
        if reading.quantity == .temperature {
            let value = shown(reading.value, .temperature)
            return side == .low
                ? pick("the water is cold, \(value)", "l'eau est froide, \(value)")
                : pick("the water is warm, \(value)", "l'eau est chaude, \(value)")
        }
        let too = too(side, reading.quantity)
        return pick("\(words(for: reading)) is \(too)", "\(words(for: reading)) : \(too)")
    }

    fileprivate func notMeasured(_ quantities: [Quantity]) -> String {
        let names = quantities.map { pick(inSentence($0), ($0.facts.isFeminine ? "la " : "le ") + inSentence($0)) }
        let list = names.dropLast().joined(separator: ", ")
        let all = list.isEmpty ? names[0] : list + pick(" and ", " et ") + names[names.count - 1]
        let isFeminine = quantities.allSatisfy(\.facts.isFeminine)
        let french =
            quantities.count == 1
            ? "n'est pas mesuré\(isFeminine ? "e" : "")" : "ne sont pas mesuré\(isFeminine ? "e" : "")s"
        let text = all + pick(quantities.count == 1 ? " is not measured." : " are not measured.", " \(french).")
        // "pH" begins a sentence as it is.
        return quantities[0] == .ph && self == .english ? text : text.prefix(1).uppercased() + text.dropFirst()
    }

    /// Without the names of servers and of the hub, which not everybody may see.
    fileprivate func words(for alert: AlertState.Alert) -> String {
        switch alert.key {
        case .connection:
            pick("The connection to the probe's server is lost.", "La connexion au serveur de la sonde est perdue.")
        case .hub: pick("The hub cannot store readings.", "Le hub ne peut pas enregistrer les mesures.")
        case .value, .missing, .fault, .test: alert.namedPhrase(in: self) + "."
        }
    }

    fileprivate func words(for link: LinkState) -> String {
        switch link {
        case .unpaired:
            pick("This watch is not paired with a hub.", "Cette montre n'est associée à aucun hub.")
        case .connecting: pick("Waiting for the hub.", "En attente du hub.")
        case .linked: pick("The hub answers.", "Le hub répond.")
        case .lost(let seconds):
            pick("No link to the hub for \(age(seconds)).", "Pas de liaison avec le hub depuis \(age(seconds)).")
        case .refused: pick("The hub refuses this watch.", "Le hub refuse cette montre.")
        }
    }
}
