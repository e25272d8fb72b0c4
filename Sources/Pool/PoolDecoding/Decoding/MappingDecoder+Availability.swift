import PoolModel

extension MappingDecoder {
    mutating func takeAvailability(
        from message: MappedMessage, _ roles: MappingPlan.TopicRoles, _ outcome: inout MappingOutcome
    ) {
        guard !roles.availability.isEmpty else { return }
        let before = state.isAvailable
        for index in roles.availability {
            let source = plan.availability[index]
            guard let word = source.word(in: message.content) else { continue }
            if MappingWord.isAny(word, of: source.offline) {
                state.availability[index] = false
            } else if source.online.isEmpty || MappingWord.isAny(word, of: source.online) {
                state.availability[index] = true
            } else if source.isDecidedByNumber(word) {
                state.availability[index] = false
            } else if roles.values.isEmpty {
                let key = message.name(of: source.path).shortened
                outcome.remarks.append(.unknownWord(key: key, text: word.shortened))
            }
        }
        if state.isAvailable != before { outcome.isAvailable = state.isAvailable }
    }
}

extension AvailabilitySource {
    /// Whether a word is a number, and the numbers for "available" are given without others for "not available".
    fileprivate func isDecidedByNumber(_ word: String) -> Bool {
        offline.isEmpty && online.lazy.compactMap { NumberComparison($0) }.first?.holds(for: word) == false
    }

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
