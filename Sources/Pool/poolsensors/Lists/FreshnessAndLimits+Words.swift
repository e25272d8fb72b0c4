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
    /// The normal range, followed by the critical one in brackets.
    var words: String {
        let numbers = [low, high, criticalLow, criticalHigh].map { $0 == $0.rounded() ? "\(Int($0))" : "\($0)" }
        return "\(numbers[0])…\(numbers[1]) (\(numbers[2])…\(numbers[3]))"
    }
}
