import PoolModel

extension MappingDecoder {
    /// What a source found in a message.
    private enum Finding {
        case number(MappingState.IncompleteValue)
        case nothing
        case unusable(PayloadWarning)
    }

    mutating func takeValues(
        from message: MappedMessage, _ roles: MappingPlan.TopicRoles, _ outcome: inout MappingOutcome,
        _ batch: inout MappingBatch
    ) {
        guard !roles.values.isEmpty else { return }
        var remarks: [PayloadWarning] = []
        var missing: [ValuePath] = []
        var taken: Set<Quantity> = []
        for index in roles.values {
            let value = plan.values[index]
            switch find(value, index, in: message) {
            case .nothing: missing.append(value.source.path)
            case .unusable(let remark): if !remarks.contains(remark) { remarks.append(remark) }
            case .number(let found):
                guard taken.insert(found.quantity).inserted else {
                    remarks.append(.repeatedQuantity(found.quantity, key: found.key))
                    continue
                }
                settle(found, value, &outcome, &batch)
            }
        }
        remarks = Array(remarks.prefix(configuration.payload.remarkCountMax))
        guard taken.isEmpty else {
            if !batch.note(remarks, hash: message.hash, countMax: configuration.payload.remarkCountMax) {
                outcome.remarks += remarks
            }
            return
        }
        let hasOtherUse = !roles.times.isEmpty || !roles.units.isEmpty || !roles.availability.isEmpty
        if remarks.isEmpty, !hasOtherUse, !outcome.isHeartbeat {
            outcome.rejection = MappingRejection(topic: message.topic, cause: cause(missing, in: message.content))
        } else if !remarks.isEmpty {
            let isFiltered = remarks.allSatisfy { if case .conditionUnmet = $0 { true } else { false } }
            let cause: MappingRejection.Cause =
                isFiltered ? .filtered(remarks: remarks) : .noUsableValue(remarks: remarks)
            outcome.rejection = MappingRejection(topic: message.topic, cause: cause)
        }
    }

    private func cause(_ missing: [ValuePath], in content: PayloadContent) -> MappingRejection.Cause {
        switch content {
        case .text(let text, let fault): .notJSON(fault, text: text.shortened)
        case .json: .nothingThere(paths: Array(missing.prefix(8)), keys: content.keys)
        }
    }

    private func find(_ value: MappingPlan.Value, _ index: Int, in message: MappedMessage) -> Finding {
        let source = value.source
        if let remark = unmetCondition(of: source, in: message) { return .unusable(remark) }
        guard let field = message.field(at: source.path) else { return .nothing }
        let key = field.key.shortened
        if case .text(let text) = field.value, MappingWord.isNoValue(text) { return .unusable(.noValue(key: key)) }
        let (number, unitText): (Double, String)
        switch field.number() {
        case .success(let read): (number, unitText) = read
        case .failure(let flaw): return .unusable(flaw.remark)
        }
        if source.isSentinel(number) { return .unusable(.sentinel(key: key, text: "\(number)")) }
        let scaled = source.scaled(number)
        guard scaled.isFinite else { return .unusable(.notFinite(key: key)) }
        var found = MappingState.IncompleteValue(
            index: index, quantity: source.quantity, number: scaled, key: key, remarks: [],
            receivedAt: message.receivedAt, isRetained: message.isRetained, hash: message.hash)
        switch unit(of: source, writtenBehind: unitText, in: message) {
        case .success(let unit): found.unit = unit
        case .failure(let flaw): return .unusable(flaw.remark)
        }
        found.measurementID = mapping.measurementID.flatMap { message.content.value(at: $0) }
            .flatMap { $0 == .null ? nil : MappingWord.word(of: $0)?.shortened }
        if let time = value.time, time.topic == nil {
            found.time = sampleTime(message.field(at: time.path), time, found)
        } else if value.time == nil {
            found.time = sampleTime(nil, nil, found)
        }
        return .number(found)
    }

    func sampleTime(
        _ field: PayloadField?, _ source: TimeSource?, _ waiting: MappingState.IncompleteValue
    ) -> SampleTime {
        SampleTime(
            field: field, form: source?.form ?? .automatic, zone: source?.zone, receivedAt: waiting.receivedAt,
            isRetained: waiting.isRetained, configuration: configuration.payload)
    }

    /// The unit of a number: the one written behind it, else the one at another place in the payload, else the
    /// mapping's; nil if it comes on another topic.
    private func unit(
        of source: ValueSource, writtenBehind text: String, in message: MappedMessage
    ) -> Result<SourceUnit?, PayloadField.FieldProblem> {
        var word = text
        if word.isEmpty, let place = source.unitPlace {
            if place.topic != nil { return .success(nil) }
            word = message.content.value(at: place.path).flatMap(MappingWord.word) ?? ""
        }
        if word.isEmpty { return .success(source.unit) }
        guard let unit = SourceUnit(symbol: word), unit.quantity == source.quantity else {
            let key = message.name(of: source.path).shortened
            return .failure(PayloadField.FieldProblem(remark: .foreignUnit(key: key, unit: word.shortened)))
        }
        return .success(unit)
    }

    private func unmetCondition(of source: ValueSource, in message: MappedMessage) -> PayloadWarning? {
        for condition in source.conditions {
            let word = message.content.value(at: condition.path).flatMap(MappingWord.word)
            if !condition.isMet(by: word) {
                return .conditionUnmet(key: message.name(of: condition.path).shortened, found: word?.shortened)
            }
        }
        return nil
    }
}

extension PayloadCondition {
    /// Whether the condition is met by the word at its path; nil if there is no word.
    func isMet(by word: String?) -> Bool {
        guard let word else { return words.isEmpty }
        return !MappingWord.isAny(word, of: others) && (words.isEmpty || MappingWord.isAny(word, of: words))
    }
}

extension ValueSource {
    /// The numbers that many devices send for "no value", and that would pass as a value.
    ///
    /// Other such numbers, for example −127 °C, 85 °C or 65535, are not plausible for water anyway.
    static func usualSentinels(for quantity: Quantity) -> [Double] {
        switch quantity {
        case .temperature, .chlorine: []
        case .ph: [0]
        case .orp: [-999]
        }
    }

    fileprivate func isSentinel(_ number: Double) -> Bool {
        sentinels.contains(number) || Self.usualSentinels(for: quantity).contains(number)
    }

    /// The number after scale and offset are applied.
    func scaled(_ number: Double) -> Double {
        // A tenth has no exact double, but ten has: dividing gives the double nearest to the decimal number.
        let inverse = (1 / scale).rounded()
        let isFraction = inverse.magnitude > 1 && inverse.magnitude < 1e9 && 1 / inverse == scale
        return (isFraction ? number / inverse : number * scale) + offset
    }
}
