import PoolModel

/// The last words of the availability sources of a device.
struct AvailabilityState: Sendable {
    private let sources: [AvailabilitySource]
    private var isAvailableBySource: [Bool?]

    init(_ sources: [AvailabilitySource]) {
        self.sources = sources
        isAvailableBySource = Array(repeating: nil, count: sources.count)
    }

    /// Available if all sources say so, not available if one says so; nil while one of them is missing.
    var isAvailable: Bool? {
        if isAvailableBySource.contains(false) { return false }
        return isAvailableBySource.isEmpty || isAvailableBySource.contains(nil) ? nil : true
    }

    mutating func take(
        from message: MappedMessage, _ roles: MappingPlan.TopicRoles, _ outcome: inout MappingOutcome
    ) {
        guard !roles.availability.isEmpty else { return }
        let before = isAvailable
        for index in roles.availability {
            let source = sources[index]
            guard let word = source.word(in: message.content) else { continue }
            if MappingWord.isAny(word, of: source.offline) {
                isAvailableBySource[index] = false
            } else if source.online.isEmpty || MappingWord.isAny(word, of: source.online) {
                isAvailableBySource[index] = true
            } else if source.offline.isEmpty {
                isAvailableBySource[index] = false
            } else if roles.values.isEmpty {
                let key = message.name(of: source.path).shortened
                outcome.remarks.append(.unknownWord(key: key, text: word.shortened))
            }
        }
        if isAvailable != before { outcome.isAvailable = isAvailable }
    }
}

extension AvailabilitySource {
    fileprivate func word(in content: PayloadContent) -> String? {
        guard let value = content.value(at: path) else { return nil }
        if path == .whole, case .object = value {
            for key in ["state", "status", "name"] {
                if let word = value.value(at: ValuePath([.key(key)])).flatMap(MappingWord.word) { return word }
            }
            return nil
        }
        return MappingWord.word(of: value)
    }
}
