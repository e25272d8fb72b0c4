import PoolSamples
import Testing

@testable import PoolModel

/// What a probe reports that measures nothing.
@Suite struct ProbeFaultTests {
    @Test(arguments: [
        (Quantity.ph, 14.0, ProbeFault.unplugged), (.ph, 13.98, .unplugged), (.ph, 0, .unplugged),
        (.ph, 0.02, .unplugged), (.ph, 14.2, .impossible), (.orp, 0, .unplugged), (.orp, -1, .unplugged),
        (.orp, -5, .unplugged),
        (.orp, -999, .silent), (.orp, 2000, .impossible), (.temperature, 85, .starting), (.temperature, -127, .silent),
        (.temperature, 84.9999999, .starting), (.temperature, 61, .impossible), (.chlorine, -0.2, .impossible),
        (.chlorine, 41, .impossible), (.salinity, 61, .impossible), (.conductivity, 0, .unplugged),
        (.conductivity, 4, .unplugged), (.battery, 101, .impossible),
    ])
    func `P54 a value that no probe in water reports is a fault of the probe`(
        quantity: Quantity, value: Double, fault: ProbeFault
    ) {
        #expect(ProbeFault(quantity, value) == fault)
    }

    @Test(arguments: [
        (Quantity.ph, 7.0), (.ph, 4.01), (.ph, 10.01), (.ph, 3.2), (.orp, 225), (.orp, -120), (.orp, 999),
        (.chlorine, 0), (.chlorine, -0.04), (.chlorine, 40), (.temperature, 0), (.temperature, -1), (.temperature, 42),
        (.salinity, 0),
        (.salinity, 38), (.conductivity, 250),
        (.battery, 0), (.battery, 100),
    ])
    func `what water or a buffer can have is none, also 7.00 and zero`(quantity: Quantity, value: Double) {
        #expect(ProbeFault(quantity, value) == nil)
    }

    @Test(arguments: [
        (Quantity.chlorine, -0.04, 0.0), (.chlorine, -0.1, 0), (.chlorine, -0.11, -0.11), (.chlorine, 0.02, 0.02),
        (.chlorine, 41, 41), (.ph, 0, 0), (.ph, -0.01, -0.01), (.temperature, -4, -4), (.orp, -600, -600),
        (.salinity, -0.01, -0.01),
    ])
    func `P54 noise just below zero is zero, and no fault hides water without chlorine`(
        quantity: Quantity, number: Double, value: Double
    ) {
        #expect(quantity.takenIn(number) == value)
    }

    @Test func `a zero beside other quantities that are measured is a fault, unless the water says otherwise`() {
        func fault(
            _ quantity: Quantity, _ others: QuantityMap<Double>, after before: Double? = nil
        ) -> ProbeFault? { ProbeFault(quantity, 0, beside: others, after: before) }

        #expect(fault(.temperature, [.temperature: 0, .ph: 7.2], after: 24) == .zero)
        #expect(fault(.temperature, [.ph: 7.2]) == .zero)
        // So does −1, and one alone if the water was warm.
        #expect(ProbeFault(.temperature, -1, beside: [.ph: 7.2], after: 27.1) == .zero)
        #expect(ProbeFault(.temperature, -1, beside: [:], after: 27.1) == .zero)
        #expect(ProbeFault(.temperature, -1, beside: [:], after: 0.4) == nil)
        // Alone, or in water that was cold before, it may be ice water.
        #expect(fault(.temperature, [.temperature: 0]) == nil)
        #expect(fault(.temperature, [.ph: 7.2], after: 1.5) == nil)
        #expect(fault(.temperature, [.ph: 14]) == nil)
        // Water without chlorine is told as such, but not if it disinfects.
        #expect(fault(.chlorine, [.ph: 7.2, .orp: 702]) == .zero)
        #expect(fault(.chlorine, [.ph: 7.2, .orp: 410]) == nil)
        #expect(fault(.chlorine, [.ph: 7.2]) == nil)
    }

    @Test(arguments: [(38.5, 3.6), (3.6, 38.5), (26, -3.3), (10, 50), (50, 10), (26, 78.8)])
    func `a step that is exactly the one between °C and °F is questioned`(before: Double, value: Double) {
        #expect(ProbeFault(.temperature, value, beside: [:], after: before) == .scale)
    }

    @Test(arguments: [(38.5, 20.0), (26, 25), (26, 26), (4, 12), (-40, -40)])
    func `another step of the temperature is believed`(before: Double, value: Double) {
        guard ProbeFault(.temperature, value) == nil else { return }
        #expect(ProbeFault(.temperature, value, beside: [:], after: before) == nil)
    }

    @Test func `the words name the probe, the value and the probable cause`() {
        #expect(
            ProbeFault.unplugged.words(.ph, 14)
                == "the pH probe reports pH 14.00: it is probably unplugged, or dry"
                || ProbeFault.unplugged.words(.ph, 14) == "the pH probe reports 14.00: it is probably unplugged, or dry"
        )
        #expect(ProbeFault.silent.words(.temperature, -127).hasPrefix("the temperature probe reports -127.0 °C"))
    }

    @Test func `a payload keeps its possible values and puts the others apart`() {
        var payload = message([.temperature: 0, .ph: 7.2, .chlorine: 0, .orp: 700], sampledAt: noon, receivedAt: noon)
        payload.quarantine(beside: [:], after: [.temperature: 24])
        #expect(payload.values == [.ph: 7.2, .orp: 700])
        #expect(payload.quarantined.map(\.quantity) == [.temperature, .chlorine])
        #expect(payload.quarantined.map(\.fault) == [.zero, .zero])
    }
}
