import PoolModel

/// Computes the water of a simulated pool from one point in time of a fixed grid to the next.
struct PoolPhysics {
    /// The step of the grid, in seconds.
    static let stepSeconds: Int64 = 300

    /// The state of the water and of the dosers.
    struct Water {
        var celsius: Double
        var ph: Double
        var chlorine: Double
        /// The potential that the probe shows, which lags behind the water.
        var redox: Double
        var dosesChlorine: Bool
        var dosesAcid: Bool

        /// The water at a share of 0…1 between this state and a later one.
        func mixed(with later: Water, share: Double) -> Water {
            func between(_ from: Double, _ to: Double) -> Double { from + (to - from) * share }
            return Water(
                celsius: between(celsius, later.celsius), ph: between(ph, later.ph),
                chlorine: between(chlorine, later.chlorine), redox: between(redox, later.redox),
                dosesChlorine: dosesChlorine, dosesAcid: dosesAcid)
        }
    }

    private let profile: SimulatedPool.Profile
    private let weather: Weather
    private let heatedCelsius: Double
    /// The fraction of the temperature difference to the air that is lost per hour.
    private let coolingRate: Double
    /// The fraction of the chlorine that is lost per hour, in the dark and in full sun.
    private let darkLoss: Double
    private let sunLoss: Double
    /// The fraction of the difference to pH 8.1 by which escaping carbon dioxide raises the pH per hour.
    private let driftRate: Double

    init(seed: UInt64, profile: SimulatedPool.Profile) {
        var generator = SplitMix64(seed: seed)
        func varied(_ value: Double, by share: Double) -> Double {
            value * (1 + share * (2 * generator.unit() - 1))
        }
        self.profile = profile
        weather = Weather(seed: generator.next(), profile: profile)
        heatedCelsius = profile.heatedCelsius + 2 * generator.unit() - 1
        coolingRate = varied(1 / 45, by: 0.2)
        darkLoss = varied(0.01, by: 0.3)
        sunLoss = varied(0.12, by: 0.3)
        driftRate = varied(0.008, by: 0.3)
    }

    /// The initial state of the water.
    var start: Water {
        let chlorine = (profile.chlorine.lowerBound + profile.chlorine.upperBound) / 2
        let ph = (profile.ph.lowerBound + profile.ph.upperBound) / 2
        return Water(
            celsius: heatedCelsius, ph: ph, chlorine: chlorine,
            redox: Chemistry.redoxPotential(chlorine: chlorine, ph: ph, celsius: heatedCelsius),
            dosesChlorine: false, dosesAcid: false)
    }

    /// The water one step after point `index` of the grid.
    func next(_ water: Water, index: Int64) -> Water {
        let hours = Double(Self.stepSeconds) / 3600
        let sky = weather.sky(atHour: Double(index) * hours)
        var next = water

        let heating = min(max(0, heatedCelsius - water.celsius), 0.6)
        next.celsius += hours * ((sky.airCelsius - water.celsius) * coolingRate + 0.3 * sky.sun + heating)

        next.dosesChlorine = Self.switched(
            water.dosesChlorine, on: water.chlorine < profile.chlorine.lowerBound,
            off: water.chlorine > profile.chlorine.upperBound)
        let warmth = Transcendental.exp((water.celsius - 25) * 0.07)
        let loss = water.chlorine * (darkLoss * warmth + sunLoss * sky.sun)
        let dose = next.dosesChlorine ? 0.4 : 0
        next.chlorine = max(0, water.chlorine + hours * (dose - loss))

        next.dosesAcid = Self.switched(
            water.dosesAcid, on: water.ph > profile.ph.upperBound, off: water.ph < profile.ph.lowerBound)
        // Liquid chlorine is alkaline, so each dose raises the pH a little.
        let acid = next.dosesAcid ? 0.08 : 0
        next.ph += hours * ((8.1 - water.ph) * driftRate + 0.02 * dose - acid)

        let settled = Chemistry.redoxPotential(chlorine: next.chlorine, ph: next.ph, celsius: next.celsius)
        next.redox += (settled - water.redox) * min(1, hours / 0.5)
        return next
    }

    /// A switch with hysteresis: between its two thresholds it keeps its state.
    private static func switched(_ isOn: Bool, on: Bool, off: Bool) -> Bool { on || (isOn && !off) }
}

/// The sun and the air over a simulated pool.
struct Weather {
    struct Sky {
        var airCelsius: Double
        /// The sunlight on the water; from 0 at night to about 0.9 at noon of a clear midsummer day.
        var sun: Double
    }

    let seed: UInt64
    let profile: SimulatedPool.Profile

    /// The sky at a time, in hours since 1970-01-01T00:00:00Z.
    func sky(atHour hour: Double) -> Sky {
        let day = hour / 24
        // Midsummer is day 172 of the year; the hour angle is zero at noon.
        let season = Transcendental.cosine(turns: (day - 172) / 365.2425)
        let time = Transcendental.cosine(turns: (hour - profile.noonHour) / 24)
        let sineOfDeclination = 0.398 * season
        let cosineOfDeclination = (1 - sineOfDeclination * sineOfDeclination).squareRoot()
        // 0.707 is both the sine and the cosine of a latitude of 45°.
        let height = 0.707 * (sineOfDeclination + cosineOfDeclination * time)
        let clearness = 0.4 + 0.6 * smoothChance(at: day, of: 1)
        // The air is warmest about three hours after noon; in a hall it hardly changes during the day.
        let dayWave = Transcendental.cosine(turns: (hour - profile.noonHour - 3) / 24)
        let front = 6 * (smoothChance(at: day, of: 2) - 0.5)
        let air = profile.airCelsius + profile.airSeasonCelsius * season + (5 * dayWave + front) * profile.sunlight
        return Sky(airCelsius: air, sun: max(0, height) * clearness * profile.sunlight)
    }

    /// A random number from 0 to 1 that changes slowly from day to day.
    private func smoothChance(at day: Double, of purpose: UInt64) -> Double {
        let start = day.rounded(.down)
        func chance(_ day: Double) -> Double {
            var generator = SplitMix64(seed: seed ^ SplitMix64.mix(UInt64(bitPattern: Int64(day)) &* 4 &+ purpose))
            return generator.unit()
        }
        return chance(start) + (chance(start + 1) - chance(start)) * (day - start)
    }
}
