import PoolModel

/// Finds the numbers of the sources of a mapping in messages.
struct ValueFinder: Sendable {
    /// What a source found in a message.
    enum Finding {
        case number(IncompleteValue)
        case nothing
        case unusable(PayloadWarning)
    }

    let plan: MappingPlan
    let measurementID: ValuePath?
    let configuration: MappingDecoder.Configuration

    /// Looks for the number of a source, by its index in the plan; of one with samples, in one of them.
    func find(_ index: Int, in message: MappedMessage, sample: (index: Int, hash: UInt64)? = nil) -> Finding {
        let value = sample.map { plan.values[index].inSample($0.index) } ?? plan.values[index]
        let source = value.source
        if let remark = unmetCondition(of: source, in: message) { return .unusable(remark) }
        guard let field = message.field(at: source.path) else { return .nothing }
        let key = field.key.shortened
        let (number, unitText): (Double, String)
        switch field.number() {
        case .success(let read): (number, unitText) = read
        case .failure(let flaw): return .unusable(flaw.remark)
        }
        if source.isSentinel(number) { return .unusable(.sentinel(key: key, text: "\(number)")) }
        let scaled = source.scaled(number)
        guard scaled.isFinite else { return .unusable(.notFinite(key: key)) }
        var found = IncompleteValue(
            index: index, quantity: source.quantity, number: scaled, key: key, remarks: [],
            receivedAt: message.receivedAt, isRetained: message.isRetained, hash: sample?.hash ?? message.hash,
            topic: source.topic.contains { $0 == "+" || $0 == "#" } ? message.topic : nil)
        switch unit(of: source, writtenBehind: unitText, in: message) {
        case .success(let unit): found.unit = unit
        case .failure(let flaw): return .unusable(flaw.remark)
        }
        let idPath = sample.map { sample in measurementID?.inSample(sample.index) } ?? measurementID
        found.measurementID = idPath.flatMap { message.content.value(at: $0) }
            .flatMap { $0 == .null ? nil : MappingWord.word(of: $0)?.shortened }
        if let time = value.time, time.topic == nil {
            found.time = SampleTime(message.field(at: time.path), time, of: found, configuration)
        } else if value.time == nil {
            found.time = SampleTime(nil, nil, of: found, configuration)
        }
        return .number(found)
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
        guard let unit = source.quantity.unit(word) else {
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
    fileprivate func isSentinel(_ number: Double) -> Bool {
        sentinels.contains(number)
    }

    /// The number after scale and offset are applied.
    func scaled(_ number: Double) -> Double {
        // A tenth has no exact double, but ten has: dividing gives the double nearest to the decimal number.
        let inverse = (1 / scale).rounded()
        let isFraction = inverse.magnitude > 1 && inverse.magnitude < 1e9 && 1 / inverse == scale
        return (isFraction ? number / inverse : number * scale) + offset
    }
}
