/// A small seeded generator: the same seed gives the same numbers on every machine and in every run.
///
/// It is not for secrets: keys come from the operating system. Source: Steele, Lea and Flood, "Fast Splittable
/// Pseudorandom Number Generators" (2014).
public struct SplitMix64: RandomNumberGenerator, Hashable, Sendable {
    @usableFromInline var state: UInt64

    /// Creates a generator.
    @inlinable
    public init(seed: UInt64) {
        state = seed
    }

    /// The next 64 bits.
    @inlinable
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mix(state)
    }

    /// A separate generator for a named purpose, so that a new use of randomness does not change the numbers of the
    /// others.
    public func stream(_ name: UInt64) -> SplitMix64 {
        SplitMix64(seed: Self.mix(state ^ Self.mix(name &+ 0x9E37_79B9_7F4A_7C15)))
    }

    /// A number from 0 up to, but not including, 1.
    package mutating func unit() -> Double {
        Double(next() >> 11) * 0x1p-53
    }

    /// The finaliser: a bijection that spreads each input bit over all output bits.
    @inlinable
    package static func mix(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
