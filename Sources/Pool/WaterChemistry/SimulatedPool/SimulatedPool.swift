public import PoolModel

/// A simulated pool with a probe: realistic values for tests and demonstrations.
///
/// The same seed and profile give the same pool on every machine. The water depends only on the time, not on how
/// often it is sampled. It warms by day and cools by night. The sun destroys chlorine and a doser replaces it; the pH
/// rises slowly until acid is dosed; and the oxidation-reduction potential follows the hypochlorous acid. The probe
/// adds noise, sometimes omits a quantity, and sometimes sends nothing.
public struct SimulatedPool: Sendable {
    /// The kind of pool; every pool deviates a little from its profile, depending on its seed.
    public struct Profile: Hashable, Sendable {
        /// The temperature that the heater keeps, in °C.
        public var heatedCelsius = 26.0
        /// The fraction of the sunlight that reaches the water; 0 (in a hall) … 1 (outdoors).
        public var sunlight = 1.0
        /// The mean temperature of the air over a year, in °C.
        public var airCelsius = 15.0
        /// How much warmer than that mean the air is at midsummer, in °C.
        public var airSeasonCelsius = 8.0
        /// The time of noon in hours after midnight UTC; 11 in Central Europe.
        public var noonHour = 11.0
        /// The free chlorine at which the doser starts and stops, in mg/L.
        public var chlorine = 1.4...2.0
        /// The pH at which the acid doser stops and starts.
        public var ph = 7.15...7.42
        /// The fraction of single samples that are lost; 0…1.
        public var lostShare = 0.01
        /// The fraction of ten-minute intervals in which the probe sends nothing; 0…1.
        public var outageShare = 0.004
        /// The fraction of values that are missing in a sample; 0…1.
        public var missingShare = 0.01
        /// The noise of the probe; 0 for none, 1 for a good probe.
        public var noise = 1.0

        /// Creates the profile of a heated garden pool.
        public init() {}

        /// A heated pool in a garden.
        public static let garden = Profile()

        /// A warm pool in a hall: without sun, with constant air temperature.
        public static let hall: Profile = {
            var profile = Profile()
            profile.heatedCelsius = 28.5
            profile.sunlight = 0
            profile.airCelsius = 27
            profile.airSeasonCelsius = 1
            return profile
        }()
    }

    private let seed: UInt64
    private let profile: Profile
    private let physics: PoolPhysics
    /// The water at the two grid points around the last sample; nil before the first one.
    private var span: (index: Int64, from: PoolPhysics.Water, to: PoolPhysics.Water)?

    /// Creates a pool.
    public init(seed: UInt64, profile: Profile = .garden) {
        self.seed = seed
        self.profile = profile
        physics = PoolPhysics(seed: seed, profile: profile)
    }

    /// The probe's sample at a given time.
    ///
    /// Times may have any distance. After a step back, or one of more than 40 days ahead, the water starts anew, with
    /// two weeks to settle.
    ///
    /// - Parameters:
    ///   - moment: The time.
    ///   - isSteady: Whether the probe only loses single samples, and is never silent for ten minutes.
    /// - Returns: The values, without omitted quantities; nil if the probe sends nothing.
    public mutating func sample(at moment: Timestamp, isSteady: Bool = false) -> QuantityMap<Double>? {
        let milliseconds = min(max(moment.milliseconds, -Self.millisecondsMax), Self.millisecondsMax)
        let water = water(at: milliseconds)
        var outage = generator(seed, at: milliseconds.flooredDivision(by: Self.outageMilliseconds))
        var chance = generator(~seed, at: milliseconds)
        let isOut = outage.unit() < profile.outageShare && !isSteady
        let isSilent = isOut || chance.unit() < profile.lostShare
        var sample: QuantityMap<Double> = [:]
        for (quantity, measure) in Self.probes {
            let measured = measure(water, chance.normal() * profile.noise)
            if chance.unit() >= profile.missingShare { sample[quantity] = measured }
        }
        return isSilent || sample.isEmpty ? nil : sample
    }

    /// The length of an interval in which the probe may send nothing, in milliseconds: ten minutes.
    public static let outageMilliseconds: Int64 = 600_000

    /// Ten thousand years, so that no time overflows.
    private static let millisecondsMax: Int64 = 315_576_000_000_000
    private static let settlingSteps = 14 * 86_400 / PoolPhysics.stepSeconds
    private static let jumpStepsMax = 40 * 86_400 / PoolPhysics.stepSeconds

    /// The water between two points of a fixed grid; the steps do not depend on the times of samples.
    private mutating func water(at milliseconds: Int64) -> PoolPhysics.Water {
        let step = PoolPhysics.stepSeconds * 1000
        let index = milliseconds.flooredDivision(by: step)
        var current: (index: Int64, from: PoolPhysics.Water, to: PoolPhysics.Water)
        if let span, span.index <= index, index - span.index <= Self.jumpStepsMax {
            current = span
        } else {
            let start = index - Self.settlingSteps
            current = (start, physics.start, physics.next(physics.start, index: start))
        }
        while current.index < index {
            current = (current.index + 1, current.to, physics.next(current.to, index: current.index + 1))
        }
        span = current
        return current.from.mixed(with: current.to, share: Double(milliseconds - index * step) / Double(step))
    }

    /// A generator that depends on the time and not on earlier samples.
    private func generator(_ seed: UInt64, at moment: Int64) -> SplitMix64 {
        SplitMix64(seed: seed ^ SplitMix64.mix(UInt64(bitPattern: moment)))
    }

    /// What it measures: a value of the water, with a noise of about one.
    private static let probes: [(Quantity, @Sendable (PoolPhysics.Water, Double) -> Double)] = [
        (.temperature, { (($0.celsius + 0.03 * $1) * 100).rounded() / 100 }),
        (.ph, { (($0.ph + 0.008 * $1) * 100).rounded() / 100 }),
        (.chlorine, { max(0, (($0.chlorine + 0.015 * $1) * 100).rounded() / 100) }),
        (.orp, { ($0.redox + 1.5 * $1).rounded() }),
    ]
}
