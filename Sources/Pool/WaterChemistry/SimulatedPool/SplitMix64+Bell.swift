import PoolModel

extension SplitMix64 {
    /// The next number of a bell curve around 0 with standard deviation 1; never beyond ±6.
    mutating func bell() -> Double {
        var sum = -6.0
        for _ in 0..<12 { sum += unit() }
        return sum
    }
}
