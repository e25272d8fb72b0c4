import PoolModel

extension CalibrationWizard {
    /// Handles an answer at the present step.
    mutating func take(
        _ typed: Substring, _ word: CalibrationWord?, at moment: Timestamp
    ) -> CalibrationReply {
        switch step {
        case .method: takeMethod(typed)
        case .bufferTemperature: takeBufferTemperature(typed)
        case .reference: takeReference(typed)
        case .measured: takeMeasured(typed, word, at: moment)
        case .more: takeMore(word, isEmpty: typed.isEmpty)
        case .slope: takeSlope(typed)
        case .offset: takeOffset(typed)
        case .review: takeReview(word, at: moment)
        case .done, .cancelled: .refused("")
        }
    }

    /// The completed comparisons.
    var points: [Calibration.Point] {
        zip(measured, references).map { Calibration.Point(measured: $0, reference: $1) }
    }

    /// The result of the answers, valid from a given time.
    func outcome(at moment: Timestamp, isForced: Bool) throws(CalibrationError) -> CalibrationResult {
        guard let method, method != .manual else {
            return try Calibration.entered(
                slope: slope, offset: offset, for: quantity, validFrom: moment, madeAt: moment, author: author,
                isForced: isForced)
        }
        return try Calibration.computed(
            method, from: points, for: quantity, validFrom: moment, madeAt: moment, author: author,
            isForced: isForced)
    }

    private mutating func takeMethod(_ typed: Substring) -> CalibrationReply {
        let usual = Calibration.Method.usual(for: quantity)
        let index = typed.isEmpty ? 1 : Int(typed)
        let named = usual.first { $0.rawValue.lowercased() == typed.lowercased() }
        let numbered = index.flatMap { usual.indices.contains($0 - 1) ? usual[$0 - 1] : nil }
        guard let chosen = named ?? numbered else {
            return .refused(
                language.pick("Type a number from 1 to \(usual.count).", "Tapez un nombre de 1 à \(usual.count)."))
        }
        method = chosen
        references = []
        measured = []
        step = Self.start(of: chosen, quantity)
        return .accepted
    }

    private mutating func takeBufferTemperature(_ typed: Substring) -> CalibrationReply {
        switch number(typed, of: .temperature, suggestion: 25) {
        case .refusal(let reason): return .refused(reason)
        case .number(let value):
            guard (0...50).contains(value) else {
                return .refused(
                    language.pick(
                        "Buffers are used from 0 to 50 °C: let them come nearer to 25 °C.",
                        "Les tampons s'utilisent de 0 à 50 °C : ramenez-les vers 25 °C."))
            }
            celsius = value
            step = .reference(point: 0)
            return .accepted
        }
    }

    private mutating func takeReference(_ typed: Substring) -> CalibrationReply {
        switch number(typed, of: quantity, suggestion: suggestedReference) {
        case .refusal(let reason): return .refused(reason)
        case .number(let value):
            if let reason = implausible(value) { return .refused(reason) }
            references.append(value)
            // Values from before the probe was in this solution do not count.
            live.restart()
            step = .measured(point: references.count - 1)
            return .accepted
        }
    }

    private mutating func takeMeasured(
        _ typed: Substring, _ word: CalibrationWord?, at moment: Timestamp
    ) -> CalibrationReply {
        if typed.isEmpty || word == .take {
            guard let stable = takeableValue(at: moment) else { return .refused(notStable(at: moment)) }
            return measure(stable)
        }
        switch number(typed, of: quantity, suggestion: nil) {
        case .refusal(let reason): return .refused(reason)
        case .number(let value): return measure(value)
        }
    }

    private mutating func measure(_ value: Double) -> CalibrationReply {
        if let reason = implausible(value) { return .refused(reason) }
        // Reported at once, because the probe is still in the solution: two points cannot have the same measured
        // value.
        if method == .twoPoint, measured.first == value {
            return .refused(CalibrationError.measuredEqual(quantity, value).sentence(in: language))
        }
        measured.append(value)
        let counts = method?.pointCounts ?? 0...0
        if measured.count < counts.lowerBound {
            step = .reference(point: measured.count)
        } else {
            step = measured.count < counts.upperBound ? .more : .review
        }
        return .accepted
    }

    private mutating func takeMore(_ word: CalibrationWord?, isEmpty: Bool) -> CalibrationReply {
        switch word {
        case .yes: step = .reference(point: measured.count)
        case .no: step = .review
        case .back, .cancel, .take, .force, nil:
            guard isEmpty else { return .refused(language.pick("Type yes or no.", "Tapez oui ou non.")) }
            step = .review
        }
        return .accepted
    }

    private mutating func takeSlope(_ typed: Substring) -> CalibrationReply {
        switch plainNumber(typed, suggestion: current?.slope ?? 1) {
        case .refusal(let reason): return .refused(reason)
        case .number(let value):
            guard value > 0 else { return .refused(CalibrationError.slopeNotPositive(value).sentence(in: language)) }
            slope = value
            step = .offset
            return .accepted
        }
    }

    private mutating func takeOffset(_ typed: Substring) -> CalibrationReply {
        switch plainNumber(typed, suggestion: current?.offset ?? 0) {
        case .refusal(let reason): return .refused(reason)
        case .number(let value):
            offset = value
            step = .review
            return .accepted
        }
    }

    private mutating func takeReview(_ word: CalibrationWord?, at moment: Timestamp) -> CalibrationReply {
        switch word {
        case .yes, .force:
            do throws(CalibrationError) {
                result = try outcome(at: moment, isForced: word == .force)
                step = .done
                return .accepted
            } catch {
                return .refused(error.sentence(in: language))
            }
        case .no:
            cancel()
            return .accepted
        case .back, .cancel, .take, nil:
            return .refused(language.pick("Type yes, no or back.", "Tapez oui, non ou retour."))
        }
    }

    private func implausible(_ value: Double) -> String? {
        guard !quantity.plausibleRange.contains(value) else { return nil }
        return CalibrationError.implausible(quantity, value).sentence(in: language)
    }
}
