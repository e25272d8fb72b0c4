/// One line of the benchmark's table.
struct BenchResult: Encodable, Equatable {
    /// The name of its row; set by what prints it.
    var row = ""
    /// What of the row it is, such as `p50`.
    let name: String
    /// What the numbers count, such as `deliveries/s`.
    let unit: String
    /// The engine's numbers.
    let engine: Spread
    /// The numbers of the bare library; nil if there is nothing to compare with.
    let raw: Spread?
    /// What the engine is compared with, such as `libzmq`.
    let rawName: String?
    /// The goal; nil if the number has no goal.
    let goal: Goal?

    /// What is wanted of the ratio, or of the engine's own number.
    enum Goal: Equatable {
        /// The ratio is as much, or more.
        case atLeast(Double)
        /// The ratio is as much, or less.
        case atMost(Double)
        /// The engine's number is as much, or more.
        case reaches(Double)
        /// The engine's number is as much, or less.
        case within(Double)
    }

    /// Creates a line.
    init(
        _ name: String, unit: String, engine: [Double], raw: [Double] = [], rawName: String? = nil,
        goal: Goal? = nil
    ) {
        self.name = name
        self.unit = unit
        self.engine = Spread(engine)
        self.raw = raw.isEmpty ? nil : Spread(raw)
        self.rawName = rawName
        self.goal = goal
    }

    /// The median of the engine's numbers over that of the library's; nil if there is nothing to compare with.
    var ratio: Double? {
        guard let raw, raw.median != 0 else { return nil }
        return engine.median / raw.median
    }

    /// Whether the goal is met; nil without one, or for a ratio that there is not.
    var isMet: Bool? {
        switch goal {
        case nil: nil
        case .atLeast(let limit): ratio.map { $0 >= limit }
        case .atMost(let limit): ratio.map { $0 <= limit }
        case .reaches(let limit): engine.median >= limit
        case .within(let limit): engine.median <= limit
        }
    }

    private enum CodingKeys: CodingKey {
        case row, name, unit, engine, raw, rawName, ratio, goal, isMet
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(row, forKey: .row)
        try container.encode(name, forKey: .name)
        try container.encode(unit, forKey: .unit)
        try container.encode(engine, forKey: .engine)
        try container.encodeIfPresent(raw, forKey: .raw)
        try container.encodeIfPresent(rawName, forKey: .rawName)
        try container.encodeIfPresent(ratio, forKey: .ratio)
        try container.encodeIfPresent(goal.map { "\($0)" }, forKey: .goal)
        try container.encodeIfPresent(isMet, forKey: .isMet)
    }
}

extension BenchResult.Goal: CustomStringConvertible {
    var description: String {
        switch self {
        case .atLeast(let limit): "ratio ≥ \(BenchOutput.text(limit))"
        case .atMost(let limit): "ratio ≤ \(BenchOutput.text(limit))"
        case .reaches(let limit): "≥ \(BenchOutput.text(limit))"
        case .within(let limit): "≤ \(BenchOutput.text(limit))"
        }
    }
}

/// The range of the numbers of several runs.
struct Spread: Encodable, Equatable {
    let lowest: Double
    let median: Double
    let highest: Double

    /// The spread of at least one number.
    init(_ numbers: [Double]) {
        precondition(!numbers.isEmpty, "no number has no median")
        let sorted = numbers.sorted()
        let middle = sorted.count / 2
        lowest = sorted[0]
        highest = sorted[sorted.count - 1]
        median = sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
