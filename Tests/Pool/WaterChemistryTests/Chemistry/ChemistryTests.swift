import Testing

@testable import PoolModel
@testable import WaterChemistry

@Suite struct ChemistryTests {
    @Test(arguments: [(10.0, 7.690), (20, 7.582), (25, 7.537), (28, 7.512), (35, 7.463)])
    func `the acidity constant is that of Morris`(celsius: Double, constant: Double) {
        #expect((Chemistry.acidityConstant(celsius: celsius) - constant).magnitude < 0.0005)
    }

    @Test(arguments: [
        (6.8, 85.8, 83.8), (7.0, 79.2, 76.5), (7.2, 70.7, 67.2), (7.4, 60.3, 56.4), (7.5, 54.7, 50.7),
        (7.6, 49.0, 45.0),
        (7.8, 37.7, 34.0), (8.0, 27.6, 24.5), (8.2, 19.4, 17.0),
    ])
    func `the share of hypochlorous acid is that of the table`(ph: Double, percentAt20: Double, percentAt28: Double) {
        let at20 = 100 * Chemistry.hypochlorousShare(ph: ph, celsius: 20)
        let at28 = 100 * Chemistry.hypochlorousShare(ph: ph, celsius: 28)
        #expect((at20 - percentAt20).magnitude <= 0.051)
        #expect((at28 - percentAt28).magnitude <= 0.051)
    }

    @Test func `the potential rises with chlorine and falls with pH by 10 to 15 mV for each 0.1`() {
        func potential(_ chlorine: Double, _ ph: Double) -> Double {
            Chemistry.redoxPotential(chlorine: chlorine, ph: ph, celsius: 26)
        }
        #expect((60...80).contains(potential(2, 7.4) - potential(1, 7.4)))
        #expect((10...15).contains(potential(1.5, 7.5) - potential(1.5, 7.6)))
        #expect((650...750).contains(potential(1.5, 7.3)))
        #expect(potential(0, 7.4) == potential(0.001, 7.4))
        #expect(Quantity.orp.plausibleRange.contains(potential(0, 14)))
        #expect(Quantity.orp.plausibleRange.contains(potential(40, 0)))
    }
}

@Suite struct TranscendentalTests {
    @Test func `the functions agree with known values`() {
        #expect((Transcendental.exp(1) - 2.718281828459045).magnitude < 1e-15)
        #expect(Transcendental.exp(0) == 1)
        #expect((Transcendental.log(10) - 2.302585092994046).magnitude < 1e-15)
        #expect((Transcendental.log10(1000) - 3).magnitude < 1e-15)
        #expect((Transcendental.exp10(-3) - 0.001).magnitude < 1e-17)
        #expect(Transcendental.cosine(turns: 0) == 1)
        #expect((Transcendental.cosine(turns: 0.125) - 0.5.squareRoot()).magnitude < 1e-14)
        #expect(Transcendental.cosine(turns: 0.25).magnitude < 1e-14)
        #expect(Transcendental.cosine(turns: 0.5) == -1)
        #expect((Transcendental.cosine(turns: 1.0 / 3) + 0.5).magnitude < 1e-14)
        #expect((Transcendental.cosine(turns: -5.0 / 6) - 0.5).magnitude < 1e-14)
    }

    @Test func `logarithm and exponential undo each other over the whole range`() {
        var generator = SplitMix64(seed: 1)
        for _ in 0..<5000 {
            let x = Double.random(in: -700...700, using: &generator)
            #expect((Transcendental.log(Transcendental.exp(x)) - x).magnitude <= 1e-12 * max(1, x.magnitude))
        }
    }

    @Test func `beyond the range there are zero, infinity and NaN`() {
        #expect(Transcendental.exp(1000) == .infinity)
        #expect(Transcendental.exp(-1000) == 0)
        #expect(Transcendental.exp(.nan).isNaN)
        #expect(Transcendental.log(0) == -.infinity)
        #expect(Transcendental.log(-1).isNaN)
        #expect(Transcendental.log(.infinity) == .infinity)
        #expect(Transcendental.log(.nan).isNaN)
        #expect(Transcendental.cosine(turns: .infinity).isNaN)
    }
}
