import PoolModel

/// The last words of the availability sources of a device.
struct AvailabilityState: Sendable {
    private let sources: [AvailabilitySource]
    private var isAvailableBySource: [Bool?]
    /// Whether live data have contradicted the last "offline" of each source: then a replay of it says nothing.
    private var isDoubtedBySource: [Bool]

    init(_ sources: [AvailabilitySource]) {
        self.sources = sources
        isAvailableBySource = Array(repeating: nil, count: sources.count)
        isDoubtedBySource = Array(repeating: false, count: sources.count)
    }

    /// Live data contradict the sources that say "offline": nothing is known of them until they say something new.
    mutating func contradict() {
        for index in sources.indices where isAvailableBySource[index] == false {
            isAvailableBySource[index] = nil
            isDoubtedBySource[index] = true
        }
    }

    /// The last "offline" was contradicted before a restart; which source said it is not known.
    mutating func doubtAll() { isDoubtedBySource = Array(repeating: true, count: sources.count) }

    private mutating func set(_ index: Int, _ isAvailable: Bool, by message: MappedMessage) {
        if !isAvailable, message.isRetained, isDoubtedBySource[index] { return }
        isAvailableBySource[index] = isAvailable
        isDoubtedBySource[index] = false
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
                set(index, false, by: message)
            } else if source.online.isEmpty || MappingWord.isAny(word, of: source.online) {
                set(index, true, by: message)
            } else if source.offline.isEmpty {
                set(index, false, by: message)
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
