import PoolModel

extension SplitMix64 {
    /// The next normally distributed number with mean 0 and standard deviation 1; never outside ±6.
    mutating func normal() -> Double {
        var sum = -6.0
        for _ in 0..<12 { sum += unit() }
        return sum
    }
}
