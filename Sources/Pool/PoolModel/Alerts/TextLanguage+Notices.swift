extension TextLanguage {
    /// The sentence of the parts of a notice.
    func sentence(_ parts: [NoticePart]) -> String {
        let text = parts.map { sign($0.separator) + words(for: $0.fact) }.joined()
        return parts.last?.fact == .test ? text : text + "."
    }

    private func sign(_ separator: NoticePart.Separator) -> String {
        switch separator {
        case .start: ""
        case .space: " "
        case .colon: pick(": ", " : ")
        case .comma: ", "
        case .semicolon: pick("; ", " ; ")
        }
    }

    /// The name of a quantity at the beginning of a clause.
    package func label(of quantity: Quantity) -> String { pick(quantity.facts.name) }

    /// On which side a value left its limits.
    package func too(_ side: Limits.Deviation, _ quantity: Quantity) -> String {
        let isFeminine = quantity.facts.isFeminine
        return side == .high
            ? pick("too high", isFeminine ? "trop haute" : "trop haut")
            : pick("too low", isFeminine ? "trop basse" : "trop bas")
    }

    /// A value with as many decimals as the screens show, and its unit.
    package func shown(_ value: Double, _ quantity: Quantity) -> String {
        let text = number(quantity.shownValue(value), decimals: quantity.decimals)
        return quantity.unit.isEmpty ? text : "\(text) \(quantity.unit)"
    }

    /// A difference of two values with as many decimals as the screens show, and its unit.
    private func shown(difference: Double, _ quantity: Quantity) -> String {
        let text = number(quantity.shownDifference(difference), decimals: quantity.decimals)
        return quantity.unit.isEmpty ? text : "\(text) \(quantity.unit)"
    }

    /// A duration in its one or two largest units, such as `1 h 5 min`.
    package func duration(_ milliseconds: Int64) -> String {
        let seconds = max(0, milliseconds) / 1000
        if seconds < 60 { return "\(seconds) s" }
        if seconds < 3600 { return "\(seconds / 60) min" }
        if seconds < 172_800 {
            return seconds / 60 % 60 == 0 ? "\(seconds / 3600) h" : "\(seconds / 3600) h \(seconds / 60 % 60) min"
        }
        return "\(seconds / 86_400) \(pick("days", "jours"))"
    }

    /// The words for a fact of a notice; each fact has its own, in each language.
    package func words(for fact: NoticePart.Fact) -> String {
        switch fact {
        case .subject(let name): name
        case .still: pick("still", "toujours")
        case .oldReadingsEnd: pick("old readings end with", "les anciennes mesures se terminent par")
        case .oldReadingsHad: pick("it is over, but old readings had", "c'est fini, mais d'anciennes mesures donnaient")
        case .value(let quantity, let value): "\(label(of: quantity)) \(shown(value, quantity))"
        case .outsideLimits(let quantity):
            pick("\(label(of: quantity)) is outside its limits", "\(label(of: quantity)) hors des limites")
        case .exceeds(let quantity, let distance, let side, let severity, let limit):
            exceeds(quantity, distance, side, severity, limit)
        case .beforeRelease(let quantity, let side, let release):
            side == .high
                ? pick(
                    "still above its release at \(shown(release, quantity))",
                    "encore au-dessus du seuil de fin d'alerte, \(shown(release, quantity))")
                : pick(
                    "still below its release at \(shown(release, quantity))",
                    "encore en dessous du seuil de fin d'alerte, \(shown(release, quantity))")
        case .insideLimit(let quantity, let side, let limit):
            side == .high
                ? pick(
                    "no longer above the limit of \(shown(limit, quantity)), but not far enough below it",
                    "n'est plus au-dessus de la limite de \(shown(limit, quantity)), mais pas assez en dessous")
                : pick(
                    "no longer below the limit of \(shown(limit, quantity)), but not far enough above it",
                    "n'est plus en dessous de la limite de \(shown(limit, quantity)), mais pas assez au-dessus")
        case .unconfirmed:
            pick("in its range again, not confirmed yet", "de nouveau dans sa plage, pas encore confirmé")
        case .backInside(let quantity, let value):
            label(of: quantity) + pick(" is back within its limits", " de retour dans ses limites")
                + (value.map { pick(" at ", " à ") + shown($0, quantity) } ?? "")
        case .crossed(let quantity, let value, let side):
            pick(
                "\(label(of: quantity)) is no longer \(too(side, quantity)), but at \(shown(value, quantity)) it is "
                    + too(side.opposite, quantity),
                "\(label(of: quantity)) n'est plus \(too(side, quantity)), mais \(too(side.opposite, quantity)) à "
                    + shown(value, quantity))
        case .missing(let quantity):
            quantity.map { pick("no \($0.name) values", "aucune valeur (\(label(of: $0)))") }
                ?? pick("no readings", "aucune mesure")
        case .reason(.unavailable): pick("the device says it is away", "l'appareil se dit absent")
        case .reason(.refused): pick("the broker refuses its topics", "le serveur MQTT refuse ses sujets")
        case .reason(.silent): pick("the device is silent", "l'appareil se tait")
        case .restArrives: pick("the rest arrives", "le reste arrive")
        case .arrivesAgain(let quantity):
            quantity.map {
                pick("\($0.name) values arrive again", "les valeurs arrivent de nouveau (\(label(of: $0)))")
            } ?? pick("readings arrive again", "les mesures arrivent de nouveau")
        case .senseless(let quantity):
            quantity.map { pick("the \($0.name) values make no sense", "valeurs absurdes (\(label(of: $0)))") }
                ?? pick("the payloads make no sense", "messages absurdes")
        case .probeReports(let quantity, let value, let fault):
            pick(
                "the \(quantity.nameInSentence) probe reports \(shown(value, quantity)): \(words(for: fault))",
                "la sonde (\(label(of: quantity))) indique \(shown(value, quantity)) : \(words(for: fault))")
        case .sensible(let quantity):
            quantity.map {
                pick("the \($0.name) values make sense again", "valeurs de nouveau plausibles (\(label(of: $0)))")
            } ?? pick("the payloads make sense again", "messages de nouveau lisibles")
        case .disconnected: pick("the connection is lost", "la connexion est perdue")
        case .reconnected: pick("the connection is restored", "la connexion est rétablie")
        case .unstored(let detail):
            pick(
                "nothing can be stored, \(detail ?? "its storage fails")",
                "rien ne peut être enregistré (\(detail ?? "le stockage échoue"))")
        case .stored: pick("readings are stored again", "les mesures sont de nouveau enregistrées")
        case .lasting(let span): pick("for \(duration(span))", "depuis \(duration(span))")
        case .lasted(let span): pick("after \(duration(span))", "après \(duration(span))")
        case .lastedUntil(let span, let before):
            pick(
                "for \(duration(span)) until \(duration(before)) ago",
                "pendant \(duration(span)), jusqu'à il y a \(duration(before))")
        case .within(let span): pick("within the last \(duration(span))", "au cours des dernières \(duration(span))")
        case .keepOut: pick("keep people out of the water", "personne ne doit entrer dans l'eau")
        case .action(let action): words(for: action)
        case .test:
            pick(
                "Test alert: if you can read this, alerts reach you here.",
                "Alerte d'essai : si vous lisez ceci, les alertes vous parviennent ici.")
        }
    }

    private func words(for fault: ProbeFault) -> String {
        switch fault {
        case .impossible: pick("water cannot have that", "l'eau ne peut pas avoir cette valeur")
        case .unplugged: pick("it is probably unplugged, or dry", "elle est sans doute débranchée ou sèche")
        case .starting:
            pick(
                "its sensor has just started, or gets too little power",
                "son capteur vient de démarrer, ou est mal alimenté")
        case .silent: pick("its sensor does not answer", "son capteur ne répond pas")
        case .zero: pick("it probably measures nothing", "elle ne mesure sans doute rien")
        case .scale:
            pick(
                "that is the last value in the other scale, °C or °F, so its unit has probably changed",
                "c'est la dernière valeur dans l'autre échelle, °C ou °F : son unité a sans doute changé")
        }
    }

    private func exceeds(
        _ quantity: Quantity, _ distance: Double, _ side: Limits.Deviation, _ severity: AlertSeverity, _ limit: Double
    ) -> String {
        let least = quantity.decimals == 0 ? 1.0 : quantity.decimals == 1 ? 0.1 : 0.01
        let unit = quantity.unit.isEmpty ? "" : " \(quantity.unit)"
        let smallest = number(least, decimals: quantity.decimals) + unit
        let far =
            quantity.shownDifference(distance) < least / 2
            ? pick("less than \(smallest)", "moins de \(smallest)")
            : shown(difference: distance, quantity)
        let bound = shown(limit, quantity)
        let isCritical = severity == .critical
        return side == .high
            ? pick(
                "\(far) above the \(isCritical ? "critical limit" : "limit") of \(bound)",
                "\(far) au-dessus de la \(isCritical ? "limite critique" : "limite") de \(bound)")
            : pick(
                "\(far) below the \(isCritical ? "critical limit" : "limit") of \(bound)",
                "\(far) en dessous de la \(isCritical ? "limite critique" : "limite") de \(bound)")
    }

    private func words(for action: NoticePart.Action) -> String {
        switch action {
        case .checkHeatingAndFrost:
            pick(
                "check the heating, and protect the pool from frost if it goes on",
                "vérifiez le chauffage, et protégez le bassin du gel si cela continue")
        case .checkHeatingAndPump: pick("check the heating and the pump", "vérifiez le chauffage et la pompe")
        case .raisePH: pick("measure by hand, then raise the pH", "mesurez à la main, puis augmentez le pH")
        case .lowerPH: pick("measure by hand, then lower the pH", "mesurez à la main, puis baissez le pH")
        case .addChlorine: pick("measure by hand, then add chlorine", "mesurez à la main, puis ajoutez du chlore")
        case .stopChlorine:
            pick("stop dosing chlorine and measure by hand", "arrêtez l'ajout de chlore et mesurez à la main")
        case .checkPHAndChlorine: pick("check pH and chlorine by hand", "vérifiez le pH et le chlore à la main")
        case .stopDosing:
            pick("stop dosing and check chlorine by hand", "arrêtez le dosage et vérifiez le chlore à la main")
        case .addSalt:
            pick(
                "add salt, as the chlorinator's manual says", "ajoutez du sel, selon la notice de l'électrolyseur")
        case .replaceWater:
            pick("replace some of the water", "renouvelez une partie de l'eau")
        case .changeBattery: pick("charge or change its battery", "rechargez ou remplacez sa pile")
        case .checkPower: pick("check its power and its network", "vérifiez son alimentation et son réseau")
        case .allowTopics:
            pick("allow the hub's user to read them", "autorisez l'utilisateur du hub à les lire")
        case .checkCable: pick("check the probe and its cable", "vérifiez la sonde et son câble")
        case .checkProbe:
            pick("check the probe, its cable and its mapping", "vérifiez la sonde, son câble et sa configuration")
        case .checkServer: pick("check the server and the network", "vérifiez le serveur et le réseau")
        case .notInHistory:
            pick(
                "what comes is judged all the same, but it is not in the history",
                "ce qui arrive est évalué quand même, mais ne figure pas dans l'historique")
        }
    }
}
