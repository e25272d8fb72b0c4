import PoolModel

extension ValueSource {
    /// Finds the element of a list by the name in it instead of by its index, which may change.
    ///
    /// `[0].value if [0].data_type=ph` becomes `[data_type=ph].value`.
    mutating func findByName() {
        guard let condition = conditions.first, condition.words.count == 1, let word = condition.words.first,
            condition.path.steps.count == path.steps.count, path.steps.count >= 2,
            case .index = path.steps[path.steps.count - 2], case .key(let key) = condition.path.steps.last
        else { return }
        let place = path.steps.count - 2
        let around = Array(path.steps.prefix(place + 1))
        let element = Array(around.dropLast()) + [.element(key: key, word: word)]
        conditions.removeFirst()
        path = path.replacing(around, with: element)
        for index in conditions.indices {
            conditions[index].path = conditions[index].path.replacing(around, with: element)
        }
        if let place = unitPlace, place.topic == nil { unitPlace?.path = place.path.replacing(around, with: element) }
        if let place = time, place.topic == nil { time?.path = place.path.replacing(around, with: element) }
    }
}

extension ValuePath {
    /// The same path with other first steps; nil if it does not start with these.
    fileprivate func replacing(_ first: [Step], with others: [Step]) -> ValuePath {
        steps.starts(with: first) ? ValuePath(others + steps.dropFirst(first.count)) : self
    }
}
