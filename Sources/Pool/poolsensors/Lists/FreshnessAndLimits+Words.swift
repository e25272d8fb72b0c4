import PoolModel

extension Freshness {
    /// The freshness as text.
    var word: String {
        switch self {
        case .live: "live"
        case .stale: "stale"
        case .offline: "offline"
        case .lastKnown: "last known"
        case .never: "never received"
        }
    }
}

extension Limits {
    /// The normal range, followed by the critical one in brackets, without the unit.
    func words(of quantity: Quantity) -> String {
        let numbers = [low, high, criticalLow, criticalHigh].map(quantity.shortText)
        return "\(numbers[0])…\(numbers[1]) (\(numbers[2])…\(numbers[3]))"
    }
}
