import PoolModel

/// A place that could be a quantity of the water, with the names that tell what it belongs to.
struct NamedSource: Hashable {
    var source: ValueSource
    /// Its name for a person.
    var title: String
    /// All names of the place and around it.
    var names: [String]
    /// What a person should know if it is used.
    var notes: [String] = []
}

/// Several places that could each be the same quantity, for a person to choose one.
struct SourceChoice: Hashable {
    var quantity: Quantity
    /// At least two; the first one is proposed.
    var sources: [NamedSource]

    func relative(to base: String) -> SourceChoice {
        var choice = self
        for index in sources.indices { choice.sources[index].source = sources[index].source.relative(to: base) }
        return choice
    }
}

/// Picks one place for each quantity, judged by the names that mean the water; lists the others, and the quantities
/// for which names do not decide.
struct PickedSources {
    private(set) var values: [ValueSource] = []
    private(set) var notes: [String] = []
    private(set) var choices: [SourceChoice] = []

    init(_ candidates: QuantityMap<[NamedSource]>) {
        for (quantity, all) in candidates.pairs {
            // The same reading in °C and in °F: the one that needs no conversion counts.
            let plain = all.filter { $0.source.unit != .fahrenheit }
            let sources = plain.isEmpty ? all : plain
            let best = WaterNames.best(of: sources.map(\.names), for: quantity).map { sources[$0] }
            guard let first = best.first else { continue }
            values.append(first.source)
            notes += first.notes
            if best.count > 1 { choices.append(SourceChoice(quantity: quantity, sources: best)) }
            notes += all.filter { !best.contains($0) }.map { "\($0.title): another \(quantity.name), not used" }
        }
    }
}

/// Tells by names which of several places belongs to the water.
enum WaterNames {
    /// The indexes of the best names, in order; several if names do not decide, at least one if there is any.
    ///
    /// Only the differences count: in "Pool box temperature" and "Pool water temperature" the pool is the device.
    static func best(of names: [[String]], for quantity: Quantity) -> [Int] {
        let words = names.map { names in Set(names.flatMap { NameWords($0).words }) }
        let shared = words.dropFirst().reduce(words.first ?? []) { $0.intersection($1) }
        let ranks = words.map { rank($0.subtracting(shared), quantity) }
        return ranks.indices.filter { ranks[$0] == ranks.max() }
    }

    private static func rank(_ words: Set<String>, _ quantity: Quantity) -> Int {
        // "PH_Temp" is the temperature in the probe for pH.
        if words.contains(where: { QuantityWords.meanings[$0].map { $0.quantity != quantity } ?? false }) { return 0 }
        if !words.isDisjoint(with: QuantityWords.notOfWater.union(QuantityWords.elsewhere)) { return 0 }
        return words.isDisjoint(with: QuantityWords.waterWords.union(QuantityWords.free)) ? 1 : 2
    }
}
