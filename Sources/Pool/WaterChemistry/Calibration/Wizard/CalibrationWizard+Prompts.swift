public import PoolModel

extension CalibrationWizard {
    /// The prompt at a given time; the time only determines whether the device's value is too old to be accepted.
    public func prompt(at moment: Timestamp) -> CalibrationPrompt {
        var prompt = CalibrationPrompt(
            title: title, instructions: instructions, question: question, suggestion: suggestion(at: moment),
            words: words(at: moment).map { $0.text(in: language) }, live: nil, preview: nil)
        switch step {
        case .measured: prompt.live = livePrompt(at: moment)
        case .review: review(into: &prompt, at: moment)
        case .done: prompt.preview = result.map(preview)
        case .method, .bufferTemperature, .reference, .more, .slope, .offset, .cancelled: break
        }
        return prompt
    }

    /// The reference that an empty answer means.
    var suggestedReference: Double? {
        method.flatMap {
            quantity.facts.calibrationGuide.reference(of: references.count, by: $0, celsius: celsius)
        }
    }

    private var title: String {
        switch step {
        case .method: language.pick("Method", "Méthode")
        case .bufferTemperature: language.pick("Temperature of the buffers", "Température des tampons")
        case .reference(let point): language.pick("Point \(point + 1): reference", "Point \(point + 1) : référence")
        case .measured(let point): language.pick("Point \(point + 1): measurement", "Point \(point + 1) : mesure")
        case .more: language.pick("More points", "Autres points")
        case .slope: language.pick("Slope", "Pente")
        case .offset: language.pick("Offset", "Décalage")
        case .review: language.pick("Review", "Vérification")
        case .done: language.pick("Done", "Terminé")
        case .cancelled: language.pick("Cancelled", "Annulé")
        }
    }

    private var instructions: String {
        switch step {
        case .method: methods
        case .bufferTemperature:
            language.pick(
                "The value of a buffer depends on its temperature; use fresh buffers, near the water's temperature.",
                "La valeur d'un tampon dépend de sa température ; prenez des tampons neufs, proches de celle de l'eau.")
        case .reference(let point):
            language.pick(quantity.facts.calibrationGuide.preparation(of: point, by: method ?? .twoPoint))
        case .measured: language.pick(quantity.facts.calibrationGuide.measuring)
        case .more:
            language.pick(
                "\(measured.count) comparisons are complete, at most \(Calibration.pointCountMax) are possible.",
                "\(measured.count) comparaisons faites, \(Calibration.pointCountMax) au plus sont possibles.")
        case .slope, .offset:
            language.pick(
                "Corrected value = measured value × slope + offset.",
                "Valeur corrigée = valeur mesurée × pente + décalage.")
        case .review: language.pick("Nothing is saved yet.", "Rien n'est encore enregistré.")
        case .done: language.pick("The calibration is ready.", "L'étalonnage est prêt.")
        case .cancelled: language.pick("Nothing was changed.", "Rien n'a été modifié.")
        }
    }

    private var question: String {
        switch step {
        case .method: language.pick("Which method?", "Quelle méthode ?")
        case .bufferTemperature:
            language.pick(
                "How warm are the buffers, in \(Quantity.temperature.unit)?",
                "Température des tampons, en \(Quantity.temperature.unit) ?")
        case .reference: language.pick("What is the true value?", "Quelle est la valeur vraie ?")
        case .measured:
            language.pick("What does the device show, uncorrected?", "Que montre l'appareil, sans correction ?")
        case .more: language.pick("Another comparison?", "Une autre comparaison ?")
        case .slope: language.pick("Which slope?", "Quelle pente ?")
        case .offset: language.pick("Which offset?", "Quel décalage ?")
        case .review: language.pick("Accept it?", "L'accepter ?")
        case .done, .cancelled: ""
        }
    }

    private func suggestion(at moment: Timestamp) -> String? {
        let digits = quantity.decimals
        return switch step {
        case .method: "1"
        case .bufferTemperature:
            language.number(Quantity.temperature.shownValue(25), decimals: 0)
        case .reference: suggestedReference.map { language.number(quantity.shownValue($0), decimals: digits) }
        case .measured: takeableValue(at: moment).map { language.number(quantity.shownValue($0), decimals: digits + 1) }
        case .more: CalibrationWord.no.text(in: language)
        case .slope: language.number(current?.slope ?? 1, decimals: 5)
        case .offset: language.number(current?.offset ?? 0, decimals: 5)
        case .review, .done, .cancelled: nil
        }
    }

    private func words(at moment: Timestamp) -> [CalibrationWord] {
        if isOver { return [] }
        var words: [CalibrationWord] = step == firstStep ? [] : [.back]
        words.append(.cancel)
        switch step {
        case .measured: return (takeableValue(at: moment) == nil ? [] : [.take]) + words
        case .more: return [.yes, .no] + words
        case .review:
            do throws(CalibrationError) {
                _ = try outcome(at: moment, isForced: false)
                return [.yes, .no] + words
            } catch {
                return (error.isForcible ? [.force] : []) + words
            }
        case .method, .bufferTemperature, .reference, .slope, .offset, .done, .cancelled: return words
        }
    }

    private var methods: String {
        let named = quantity.facts.calibrationMethods.enumerated().map { index, method in
            "\(index + 1) \(name(of: method))"
        }
        return named.joined(separator: "\n")
    }

    private func name(of method: Calibration.Method) -> String {
        switch method {
        case .zeroPoint: language.pick("one point: offset only", "un point : décalage seul")
        case .twoPoint: language.pick("two points: slope and offset", "deux points : pente et décalage")
        case .regression:
            language.pick("3 to 16 points: line of best fit", "3 à 16 points : droite des moindres carrés")
        case .scale: language.pick("one point: slope through zero", "un point : pente passant par zéro")
        case .manual: language.pick("slope and offset as numbers", "pente et décalage saisis")
        }
    }

    private func livePrompt(at moment: Timestamp) -> CalibrationPrompt.Live? {
        guard let raw = live.latest else { return nil }
        let shown = language.value(raw, of: quantity)
        let stable = takeableValue(at: moment)
        let text =
            stable.map {
                language.pick(
                    "The device shows \(shown), stable: take \(language.value($0, of: quantity))?",
                    "L'appareil montre \(shown), stable : prendre \(language.value($0, of: quantity)) ?")
            }
            ?? language.pick(
                "The device shows \(shown). \(notStable(at: moment))",
                "L'appareil montre \(shown). \(notStable(at: moment))")
        return CalibrationPrompt.Live(
            raw: raw, count: live.count, countNeeded: live.countNeeded, stableValue: stable, text: text)
    }
}
