import RidesModel
package import Text

/// A view in words, as a watch and a command print it; the first line is what people look for first.
package enum RidesText {
    /// The lines of a view.
    ///
    /// - Parameters:
    ///   - view: What a person is shown.
    ///   - now: The time, for ages.
    ///   - currency: The code of the currency.
    /// - Returns: At least one line.
    package static func lines(_ view: RidesView, at now: Timestamp, currency: String = "CDF") -> [String] {
        var lines: [String] = []
        if let driving = view.driving {
            let place = driving.fix.map { Self.words($0, at: now) } ?? "unknown"
            lines.append("\(view.person) \(words(driving.statut)), position \(place)")
            if driving.estSuspecte { lines.append("the last fix is too far away, and is not used") }
            for offer in driving.offres {
                let left = max(0, offer.expire.milliseconds(since: now) / 1000)
                lines.append(
                    "offer \(offer.course): \(offer.distanceMetres) m away, \(price(offer.montant, currency)), \(left) s left"
                )
            }
        }
        guard let ride = view.ride else { return lines + (view.driving == nil ? ["no ride"] : []) }
        var words: [String] = []
        if let eta = ride.etaSeconds { words.append("≈ \((eta + 59) / 60) min") }
        if let driver = ride.driver {
            words += [driver.plaque, driver.nom]
            if let fix = driver.fix { words.append("position " + Self.words(fix, at: now)) }
        }
        words.append("ride \(ride.course.id) \(Self.words(ride))")
        words.append(price(ride.course.montant_estime, currency))
        return [words.joined(separator: ", ")] + lines
    }

    /// The age of a place.
    package static func words(_ fix: RidesView.Fix, at now: Timestamp) -> String {
        guard let mesuree = fix.mesuree else { return "unknown" }
        let seconds = max(0, now.milliseconds(since: mesuree) / 1000)
        switch fix.age(at: now) {
        case .fresh: return "\(seconds) s old"
        case .grey: return "\(seconds) s old, grey"
        case .unknown: return "unknown for \(seconds / 60) min"
        }
    }

    /// Where a ride stands.
    package static func words(_ ride: RidesView.Ride) -> String {
        switch ride.course.statut {
        case .demande: "seeks a driver"
        case .accepte:
            switch ride.phase {
            case .enRoute, nil: "accepted, on the way"
            case .arrive: "the driver waits"
            case .aBord: "on board"
            }
        case .annule: "cancelled" + (ride.annulation.map { " (\($0))" } ?? "")
        case .completed: "completed"
        }
    }

    /// An event in a line.
    package static func line(_ event: RideEvent, currency: String = "CDF") -> String {
        let detail = event.montant.map { " " + price($0, currency) } ?? event.texte.map { " (\($0))" } ?? ""
        return "ride \(event.course): \(event.genre.rawValue)\(detail)"
    }

    private static func words(_ statut: Chauffeur.Statut) -> String {
        switch statut {
        case .disponible: "available"
        case .en_course: "on a ride"
        case .hors_ligne: "off duty"
        }
    }

    private static func price(_ amount: Montant, _ currency: String) -> String {
        amount.formate(langue: .en, devise: currency)
    }
}
