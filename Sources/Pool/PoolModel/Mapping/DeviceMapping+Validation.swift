extension DeviceMapping {
    /// Checks every field against its documented range.
    ///
    /// - Throws: The first ``MappingError`` in the order of the fields.
    public func validate() throws(MappingError) {
        if let profile, profile.isEmpty || profile.utf8.count > MappingLimits.profileByteCountMax {
            throw .profileInvalid(profile)
        }
        try Self.check(values.count, in: MappingLimits.valueCountRange, field: "values")
        for (position, value) in values.enumerated() {
            let field = "values[\(position)] (\(value.quantity.rawValue))"
            try value.validate(field: field)
            try value.validateSamples(time: value.time ?? time, field: field)
        }
        try time?.validate(field: "time")
        try Self.check(availability.count, in: 0...MappingLimits.availabilityCountMax, field: "availability")
        for (position, source) in availability.enumerated() {
            try source.validate(field: "availability[\(position)]")
        }
        try measurementID?.validate(field: "measurement")
        try Self.check(heartbeats.count, in: 0...MappingLimits.heartbeatCountMax, field: "heartbeats")
        for topic in heartbeats { try Self.checkFilter(topic, field: "heartbeats") }
        let byteCount = CanonicalJSON.bytes(ofEncodable: self).count
        guard byteCount <= MappingLimits.encodedByteCountMax else {
            throw .tooLarge(byteCount: byteCount, limit: MappingLimits.encodedByteCountMax)
        }
    }

    fileprivate static func check(_ count: Int, in range: ClosedRange<Int>, field: String) throws(MappingError) {
        guard range.contains(count) else { throw .countOutOfRange(field: field, count: count, range: range) }
    }

    fileprivate static func checkFilter(_ topic: String, field: String) throws(MappingError) {
        if let flaw = TopicPattern.flaw(of: topic) { throw .topicInvalid(field: field, topic: topic, flaw) }
    }

    fileprivate static func checkWords(_ words: [String], field: String) throws(MappingError) {
        try check(words.count, in: 0...MappingLimits.wordCountMax, field: field)
        for word in words where word.isEmpty || word.utf8.count > MappingLimits.wordByteCountMax {
            throw .wordInvalid(field: field, word: word)
        }
    }
}

extension ValueSource {
    fileprivate func validate(field: String) throws(MappingError) {
        try DeviceMapping.checkFilter(topic, field: "\(field) topic")
        try path.validate(field: "\(field) path")
        guard scale.isFinite, scale != 0 else { throw .numberInvalid(field: "\(field) scale", number: scale) }
        guard offset.isFinite else { throw .numberInvalid(field: "\(field) offset", number: offset) }
        guard quantity.has(unit) else { throw .unitMismatch(field: "\(field) unit", unit, quantity) }
        if let unitPlace {
            if let topic = unitPlace.topic { try DeviceMapping.checkFilter(topic, field: "\(field) unitPlace topic") }
            try unitPlace.path.validate(field: "\(field) unitPlace path")
        }
        try time?.validate(field: "\(field) time")
        let limit = MappingLimits.self
        try DeviceMapping.check(sentinels.count, in: 0...limit.sentinelCountMax, field: "\(field) sentinels")
        for sentinel in sentinels where !sentinel.isFinite {
            throw .numberInvalid(field: "\(field) sentinels", number: sentinel)
        }
        try DeviceMapping.check(conditions.count, in: 0...limit.conditionCountMax, field: "\(field) conditions")
        for condition in conditions { try condition.validate(field: "\(field) condition") }
    }
}

extension ValueSource {
    /// Each sample has a time of its own, and whatever belongs to a sample is in the same payload as its value.
    fileprivate func validateSamples(time: TimeSource?, field: String) throws(MappingError) {
        var inPayload = conditions.map { ("condition", $0.path) }
        if let unitPlace, unitPlace.topic == nil { inPayload.append(("unitPlace", unitPlace.path)) }
        guard path.sampleList != nil else {
            if let other = inPayload.first(where: { $0.1.sampleList != nil }) {
                throw .samplesInvalid(field: "\(field) \(other.0)", path: other.1, .notOfValue)
            }
            return
        }
        guard let time, time.topic == nil, time.path.sampleList != nil else {
            throw .samplesInvalid(field: "\(field) path", path: path, .withoutTime)
        }
    }
}

extension PayloadCondition {
    fileprivate func validate(field: String) throws(MappingError) {
        try path.validate(field: "\(field) path")
        try DeviceMapping.checkWords(words, field: field)
        try DeviceMapping.checkWords(others, field: field)
        if words.isEmpty, others.isEmpty { throw .wordsMissing(field: field) }
    }
}

extension TimeSource {
    fileprivate func validate(field: String) throws(MappingError) {
        if let topic { try DeviceMapping.checkFilter(topic, field: "\(field) topic") }
        try path.validate(field: "\(field) path")
        if let zone { try DeviceMapping.checkWords([zone], field: "\(field) zone") }
    }
}

extension AvailabilitySource {
    fileprivate func validate(field: String) throws(MappingError) {
        try DeviceMapping.checkFilter(topic, field: "\(field) topic")
        if topic.contains(where: { $0 == "+" || $0 == "#" }) {
            throw .topicInvalid(field: "\(field) topic", topic: topic, .wildcard)
        }
        try path.validate(field: "\(field) path")
        guard path.sampleList == nil else { throw .samplesInvalid(field: "\(field) path", path: path, .notOfValue) }
        try DeviceMapping.checkWords(online, field: "\(field) online")
        try DeviceMapping.checkWords(offline, field: "\(field) offline")
        if online.isEmpty, offline.isEmpty { throw .wordsMissing(field: field) }
        let folded = Set(online.map(MappingWord.folded))
        if let word = offline.first(where: { folded.contains(MappingWord.folded($0)) }) {
            throw .wordAmbiguous(field: field, word: word)
        }
    }
}

extension ValuePath {
    fileprivate func validate(field: String) throws(MappingError) {
        let isShort = steps.allSatisfy { step in
            switch step {
            case .key(let key): key.utf8.count <= MappingLimits.keyByteCountMax
            case .index(let index): (-Self.indexMax...Self.indexMax).contains(index)
            case .each: true
            case .element(let key, let word):
                max(key.utf8.count, word.utf8.count) <= MappingLimits.keyByteCountMax
            }
        }
        guard isShort, steps.count <= MappingLimits.pathStepCountMax else {
            throw .pathTooLong(field: field, path: self)
        }
        guard steps.count(where: { $0 == .each }) <= 1 else {
            throw .samplesInvalid(field: field, path: self, .repeated)
        }
    }
}
