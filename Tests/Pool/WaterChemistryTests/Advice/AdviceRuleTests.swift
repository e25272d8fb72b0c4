import PoolSamples
import Testing

@testable import PoolModel
@testable import WaterChemistry

/// When advice is refused, waits, or has nothing to do.
@Suite struct AdviceRuleTests {
    // V21
    private let lowChlorine = measured(0.6, chlorineLimits)

    // MARK: - Refusals

    @Test(arguments: [(7200, false), (7201, true), (86_400, true)] as [(Int64, Bool)])
    func `a value is at most two hours old`(age: Int64, isRefused: Bool) {
        let advice = Advice(facts(chlorine: measured(0.6, chlorineLimits, secondsAgo: age)), at: noon)
        #expect(advice.outcome(.chlorine)?.isRefused == isRefused)
        if isRefused { #expect(advice.outcome(.chlorine)?.reason == .stale(.chlorine, seconds: Int(age))) }
    }

    @Test func `a value of unknown age, and one of the future, is refused`() {
        var replayed = lowChlorine
        replayed.newest.sampledAt = nil
        #expect(
            Advice(facts(chlorine: replayed), at: noon).outcome(.chlorine)?.reason == .stale(.chlorine, seconds: nil))
        let future = measured(0.6, chlorineLimits, secondsAgo: -3600)
        #expect(Advice(facts(chlorine: future), at: noon).outcome(.chlorine)?.reason == .stale(.chlorine, seconds: nil))
    }

    @Test func `a value that was quarantined meanwhile is refused`() {
        let spoilt = measured(0.6, chlorineLimits, isQuarantined: true)
        #expect(Advice(facts(chlorine: spoilt), at: noon).outcome(.chlorine)?.reason == .quarantined(.chlorine))
        // Even where nobody noticed.
        let ph = measured(99, phLimits, recent: Array(repeating: 99, count: 5))
        #expect(Advice(facts(ph: ph), at: noon).outcome(.ph)?.reason == .quarantined(.ph))
        let none = measured(.nan, phLimits, recent: Array(repeating: .nan, count: 5))
        #expect(Advice(facts(ph: none), at: noon).outcome(.ph)?.reason == .quarantined(.ph))
    }

    /// What another device measured so many seconds before noon.
    private func spa(_ value: Double, _ limits: Limits, secondsAgo: Int64 = 600) -> PoolFacts.Other {
        let moment = noon.advanced(byMilliseconds: -1000 * secondsAgo)
        return PoolFacts.Other(
            device: "Spa",
            newest: LatestValue(value: value, sampledAt: moment, timeQuality: .device, receivedAt: moment),
            limits: limits)
    }

    @Test func `each step names the device whose value it uses`() {
        let advice = Advice(facts(chlorine: lowChlorine), at: noon)
        #expect(advice.steps.map(\.device) == ["Lagoon", "Lagoon"])
        #expect(Advice(facts(ph: nil), at: noon).steps[0].device == nil)
    }

    @Test func `where two devices of a pool disagree there is no advice, however old the other value of the day`() {
        // The second device says that nothing is needed, and the first one was critical three hours ago.
        for age in [600, 10_800, 86_400] as [Int64] {
            let chlorine = measured(1.7, chlorineLimits, others: [spa(0.4, chlorineLimits, secondsAgo: age)])
            let outcome = Advice(facts(chlorine: chlorine), at: noon).outcome(.chlorine)
            #expect(outcome?.isRefused == true)
            #expect(
                outcome?.reason
                    == .disagreement(
                        .chlorine, device: "Lagoon", value: 1.7, other: "Spa", otherValue: 0.4, otherSeconds: Int(age)))
            let words = outcome?.reason.map { "\($0)" }
            #expect(words?.contains("Spa said 0.40 mg/L") == true)
        }
        let ph = measured(7.4, phLimits, others: [spa(7.8, phLimits)])
        #expect(Advice(facts(ph: ph), at: noon).outcome(.ph)?.isRefused == true)
    }

    @Test func `devices that agree, old values, and those from before a dose do not stop advice`() {
        func outcome(_ value: Double, _ other: PoolFacts.Other, doses: [Dose] = []) -> Advice.Outcome? {
            Advice(facts(chlorine: measured(value, chlorineLimits, others: [other]), doses: doses), at: noon)
                .outcome(.chlorine)
        }
        let near = spa(0.95, chlorineLimits)
        #expect(outcome(1.02, near)?.reason == .inRange(low: 1, high: 3))
        #expect(outcome(0.6, spa(0.7, chlorineLimits))?.portions != nil)
        #expect(outcome(1.7, spa(0.4, chlorineLimits, secondsAgo: 86_401))?.isRefused == false)
        let before = dose(.calciumHypochlorite, hoursAgo: 2)
        #expect(outcome(1.7, spa(0.4, chlorineLimits, secondsAgo: 10_800), doses: [before])?.isRefused == false)
        #expect(outcome(1.7, spa(0.4, chlorineLimits, secondsAgo: 3600), doses: [before])?.isRefused == true)
        // What the water cannot have contradicts nothing.
        #expect(outcome(1.7, spa(99, chlorineLimits))?.isRefused == false)
    }

    @Test(arguments: [(4, true), (5, false), (9, false)])
    func `five measurements are needed`(count: Int, isRefused: Bool) {
        let chlorine = measured(0.6, chlorineLimits, recent: Array(repeating: 0.6, count: count))
        let outcome = Advice(facts(chlorine: chlorine), at: noon).outcome(.chlorine)
        #expect(outcome?.isRefused == isRefused)
        if isRefused { #expect(outcome?.reason == .tooFew(.chlorine, count: count)) }
    }

    @Test func `a newest value that stands alone is not trusted`() {
        let ph = measured(8.2, phLimits, recent: [7.4, 7.4, 7.41, 7.4, 8.2])
        #expect(Advice(facts(ph: ph), at: noon).outcome(.ph)?.reason == .unsettled(.ph, newest: 8.2, median: 7.4))
        let near = measured(7.7, phLimits, recent: [7.4, 7.4, 7.41, 7.4, 7.7])
        #expect(Advice(facts(ph: near), at: noon).outcome(.ph)?.portions != nil)
    }

    @Test func `without a volume there is no amount, but there is filtration`() {
        var pool = gardenPool
        pool.volume = nil
        let chlorine = Advice(facts(chlorine: lowChlorine, pool: pool), at: noon)
        #expect(chlorine.outcome(.chlorine)?.reason == .noVolume)
        #expect(chlorine.filtration == .hours(12.5))
        let ph = Advice(facts(ph: measured(7.8, phLimits), pool: pool), at: noon)
        #expect(ph.outcome(.ph)?.reason == .noVolume)
    }

    @Test(arguments: [(8.4, false), (8.41, true)])
    func `a step of pH is at most 1`(ph: Double, isRefused: Bool) {
        let outcome = Advice(facts(ph: measured(ph, phLimits)), at: noon).outcome(.ph)
        #expect(outcome?.isRefused == isRefused)
        if isRefused, case .stepTooGreat(.ph, let step, 1)? = outcome?.reason {
            #expect((step - 1.01).magnitude < 1e-9)
        }
    }

    @Test(arguments: [(20.58, false), (20.6, true)])
    func `a step of chlorine is at most 10 mg/L`(high: Double, isRefused: Bool) {
        // From 0.6 to the middle of 0.62…high: (0.62 + 20.58) ÷ 2 − 0.6 = 10.0.
        let limits = Limits(criticalLow: 0.1, low: 0.62, high: high, criticalHigh: 39)
        let outcome = Advice(facts(chlorine: measured(0.6, limits)), at: noon).outcome(.chlorine)
        #expect(outcome?.isRefused == isRefused, "\(String(describing: outcome))")
    }

    @Test func `values outside the formulas are named`() {
        let limits = Limits(criticalLow: 0, low: 5, high: 5.9, criticalHigh: 14)
        let outcome = Advice(facts(ph: measured(6.2, limits)), at: noon).outcome(.ph)
        guard case .outsideFormula(.targetPH, let value, 6, 9.5)? = outcome?.reason else {
            Issue.record("\(String(describing: outcome))")
            return
        }
        #expect((value - 5.45).magnitude < 1e-9)
        // Cyanuric acid that holds more than all of the alkalinity.
        let numbers = AdviceNumbers(totalAlkalinity: 60, cyanuricAcid: 300)
        let held = Advice(facts(ph: measured(7.8, phLimits), numbers), at: noon).outcome(.ph)
        #expect(held?.isRefused == true && "\(String(describing: held?.reason))".contains("60"))
    }

    @Test func `what is not measured is named, and hinders nothing else`() {
        let advice = Advice(facts(ph: nil, chlorine: lowChlorine, celsius: nil), at: noon)
        #expect(advice.outcome(.ph)?.reason == .notMeasured(.ph))
        #expect(advice.outcome(.chlorine)?.portions != nil)
        #expect(advice.filtration == .refused(.notMeasured(.temperature)))
        #expect(advice.assumptions.contains(.noPH))
        #expect(
            Advice(facts(ph: measured(7.8, phLimits), celsius: nil), at: noon).assumptions.contains(.temperature))
    }

    // MARK: - Order and locks

    @Test func `pH comes before chlorine, and never two products at once`() throws {
        let advice = Advice(facts(ph: measured(7.8, phLimits), chlorine: lowChlorine), at: noon)
        #expect(advice.outcome(.ph)?.portions != nil)
        #expect(advice.outcome(.chlorine) == .wait(.phFirst, until: nil))
        // A pH that is too far off for advice is not a reason to go on with chlorine.
        let far = Advice(facts(ph: measured(8.6, phLimits), chlorine: lowChlorine), at: noon)
        #expect(far.outcome(.ph)?.isRefused == true)
        #expect(far.outcome(.chlorine) == .wait(.phFirst, until: nil))
        // Neither is a pH that cannot be used, but the advice mentions it.
        let stale = Advice(facts(ph: measured(7.8, phLimits, secondsAgo: 9000), chlorine: lowChlorine), at: noon)
        #expect(stale.outcome(.chlorine)?.portions != nil)
        #expect(stale.assumptions.contains(.noPH))
    }

    @Test(
        arguments: [
            (nil, 11.99, true), (nil, 12, false), (4, 11.99, true), (20, 19.99, true), (20, 20, false),
        ] as [(Double?, Double, Bool)])
    func `a product locks its quantity for twelve hours, or one turnover`(
        turnover: Double?, hoursAgo: Double, isLocked: Bool
    ) {
        let last = dose(.dichlor, hoursAgo: hoursAgo)
        let advice = Advice(
            facts(chlorine: lowChlorine, AdviceNumbers(turnoverHours: turnover), doses: [last]), at: noon)
        let outcome = advice.outcome(.chlorine)
        #expect((outcome?.portions == nil) == isLocked)
        if isLocked {
            #expect(
                outcome == .wait(.locked(.dichlor, at: last.at), until: last.at.later(hours: max(12, turnover ?? 0))))
        }
    }

    @Test func `another product is mixed in for one turnover first`() {
        func chlorine(_ product: DoseProduct, hoursAgo: Double, turnover: Double?) -> Advice.Outcome? {
            Advice(
                facts(
                    chlorine: lowChlorine, AdviceNumbers(turnoverHours: turnover),
                    doses: [dose(product, hoursAgo: hoursAgo)]), at: noon
            ).outcome(.chlorine)
        }
        let acid = dose(.hydrochloricAcid, hoursAgo: 5.9)
        #expect(
            chlorine(.hydrochloricAcid, hoursAgo: 5.9, turnover: nil)
                == .wait(.mixing(.hydrochloricAcid, at: acid.at), until: acid.at.later(hours: 6)))
        #expect(chlorine(.hydrochloricAcid, hoursAgo: 6, turnover: nil)?.portions != nil)
        #expect(chlorine(.hydrochloricAcid, hoursAgo: 4, turnover: 3)?.portions != nil)
        #expect(chlorine(.other, hoursAgo: 4, turnover: nil)?.portions == nil)
        // Chlorine locks pH in the same way.
        let ph = Advice(
            facts(ph: measured(7.8, phLimits), doses: [dose(.sodiumHypochlorite, hoursAgo: 2)]), at: noon)
        #expect(ph.outcome(.ph)?.until == noon.later(hours: 4))
    }

    @Test func `after acid was added and mixed in, chlorine need not wait for the pH any more`() {
        let advice = Advice(
            facts(
                ph: measured(7.8, phLimits), chlorine: lowChlorine, doses: [dose(.hydrochloricAcid, hoursAgo: 7)]),
            at: noon)
        #expect(advice.outcome(.ph)?.reason == .locked(.hydrochloricAcid, at: noon.later(hours: -7)))
        #expect(advice.outcome(.chlorine)?.portions != nil)
    }

    @Test func `at most one step is a dose, whatever the water is`() {
        for ph in [6.9, 7.4, 7.8, 9] {
            for chlorine in [0.1, 0.6, 2, 5] {
                for hours in [1.0, 7, 13] {
                    let advice = Advice(
                        facts(
                            ph: measured(ph, phLimits), chlorine: measured(chlorine, chlorineLimits),
                            doses: [dose(.sodiumBisulfate, hoursAgo: hours)]), at: noon)
                    #expect(advice.steps.count { $0.outcome.portions != nil } <= 1)
                    #expect(advice.steps.map(\.quantity) == [.ph, .chlorine])
                }
            }
        }
    }

    @Test func `values on their limits need nothing`() {
        for value in [1.0, 2, 3] {
            let outcome = Advice(facts(chlorine: measured(value, chlorineLimits)), at: noon).outcome(.chlorine)
            #expect(outcome == .nothing(.inRange(low: 1, high: 3)))
        }
        for value in [7.2, 7.6] {
            let outcome = Advice(facts(ph: measured(value, phLimits)), at: noon).outcome(.ph)
            #expect(outcome == .nothing(.inRange(low: 7.2, high: 7.6)))
        }
    }

    // MARK: - Inputs

    @Test func `the advice carries its inputs with their ages and calibrations`() throws {
        var ph = measured(7.4, phLimits, secondsAgo: 900)
        let made = noon.later(hours: -100)
        ph.calibrations = CalibrationSeries([
            Calibration(
                slope: 1, offset: 0.1, method: .zeroPoint, points: [], validFrom: made, madeAt: made, author: "me")
        ])
        ph.newest.trend = .climbing
        let advice = Advice(facts(ph: ph, chlorine: lowChlorine), at: noon)
        #expect(advice.inputs.map(\.quantity) == [.temperature, .ph, .chlorine])
        let input = try #require(advice.inputs.first { $0.quantity == .ph })
        #expect(input.ageSeconds == 900 && input.calibratedAt == made && input.trend == .climbing)
        #expect(input.device == "Lagoon" && input.low == 7.2 && input.high == 7.6)
        #expect(advice.volume == 48 && advice.at == noon && advice.pool == "Garden")
        // Nothing is assumed of what nobody needs.
        #expect(Advice(facts(), at: noon).assumptions.count == 1)
    }

    @Test func `numbers that water cannot have are refused with their range`() throws {
        for numbers in [
            AdviceNumbers(totalAlkalinity: 24), AdviceNumbers(cyanuricAcid: -1), AdviceNumbers(borates: 101),
            AdviceNumbers(turnoverHours: 0.1), AdviceNumbers(totalAlkalinity: .nan),
            AdviceNumbers(products: [.init(.other)]), AdviceNumbers(products: [.init(.dichlor, strengthPercent: 12)]),
        ] {
            #expect(throws: AdviceNumbersError.self) { try numbers.validate() }
        }
        try AdviceNumbers(totalAlkalinity: 25, cyanuricAcid: 0, borates: 100, turnoverHours: 72).validate()
        let error = AdviceNumbersError.outOfRange("total alkalinity", 24, 25...1000)
        #expect("\(error)" == "The total alkalinity 24.0 is not in 25.0…1000.0: check the value and its unit.")
    }
}

/// How a pool responded to earlier doses.
@Suite struct DoseResponseTests {
    @Test(
        arguments: [
            ([], nil), ([1, 1], nil), ([0.7, 0.8, 0.9], 0.8), ([9, 9, 0.7, 0.8, 0.9, 1, 1.1], 0.9),
            ([0.1, 0.2, 0.3], 0.5),
            ([5, 6, 7], 2), ([.nan, 1, 1, 1, .infinity], 1), ([-1, -1, 1.5], 0.5),
        ] as [([Double], Double?)])
    func `the factor is the median of the last five, 0.5 to 2`(ratios: [Double], factor: Double?) {
        let found = DoseResponse.factor(ratios)
        #expect((found == nil) == (factor == nil))
        if let found, let factor { #expect((found - factor).magnitude < 1e-12) }
    }

    @Test func `a pool that responds weakly gets more, and it is said`() throws {
        // 33.6 g of chlorine ÷ 0.8 = 42 g, in 12.5 % 336 mL.
        let weak = measured(0.6, chlorineLimits, responses: [0.8, 0.7, 0.9])
        let advice = Advice(facts(chlorine: weak), at: noon)
        #expect((try #require(advice.portion(.sodiumHypochlorite)).least - 336).magnitude < 1e-9)
        #expect(advice.outcome(.chlorine)?.portions?.responseFactor == 0.8)
        #expect(advice.assumptions.contains(.response(0.8)))
    }

    /// A month of chlorine: 1 mg/L, and 1.4 mg/L from each dose on, for a day.
    private func series(_ hours: [Double], rise: Double) -> TimeSeries {
        month(.chlorine) { number in
            let since = hours.map { Double(number) + 0.5 - $0 }.filter { $0 > 0 && $0 < 24 }
            return since.isEmpty ? 1 : 1 + rise
        }
    }

    private func dose(_ product: DoseProduct, _ amount: Double, at hours: Double, number: UInt64) -> Dose {
        Dose(
            id: DoseID(high: 4, low: number), poolID: gardenPool.id, product: product, amount: amount,
            unit: product.units[0], at: hour(hours), author: "me")
    }

    @Test func `the observed rise of chlorine in relation to the computed one`() {
        // 200 mL of 12.5 % are 25 g, in 50 m³ 0.5 mg/L; 0.4 mg/L are seen: 0.8.
        let doses = [100.0, 200, 300].enumerated().map { index, hours in
            dose(.sodiumHypochlorite, 200, at: hours, number: UInt64(index))
        }
        let ratios = DoseResponse.ratios(series([100, 200, 300], rise: 0.4), doses: doses, volume: 50)
        #expect(ratios.count == 3)
        #expect(ratios.allSatisfy { ($0 - 0.8).magnitude < 1e-9 })
        #expect(DoseResponse.factor(ratios).map { ($0 - 0.8).magnitude < 1e-9 } == true)
    }

    @Test func `doses that overlap, are too small, or have no values around them do not count`() {
        let series = series([100, 200, 300], rise: 0.4)
        let pair = [dose(.dichlor, 45, at: 100, number: 1), dose(.dichlor, 45, at: 103, number: 2)]
        #expect(DoseResponse.ratios(series, doses: pair, volume: 50).isEmpty)
        #expect(DoseResponse.ratios(series, doses: [dose(.dichlor, 5, at: 200, number: 1)], volume: 50).isEmpty)
        #expect(DoseResponse.ratios(series, doses: [dose(.dichlor, 45, at: 900, number: 1)], volume: 50).isEmpty)
        // Acid is no chlorine, and disturbs nothing.
        let mixed = [dose(.dichlor, 45, at: 200, number: 1), dose(.sodiumBisulfate, 45, at: 201, number: 2)]
        #expect(DoseResponse.ratios(series, doses: mixed, volume: 50).count == 1)
    }

    @Test func `the response of pH needs a total alkalinity`() throws {
        // 514.4 mL of hydrochloric acid bring 50 m³ from 7.8 to 7.4 at TA 100 (twice the golden dose); 7.4 is seen.
        let series = month(.ph) { $0 < 200 ? 7.8 : 7.4 }
        let acid = dose(.hydrochloricAcid, 514.4, at: 200, number: 1)
        #expect(DoseResponse.ratios(series, doses: [acid], volume: 50).isEmpty)
        let ratios = DoseResponse.ratios(
            series, doses: [acid], volume: 50, numbers: AdviceNumbers(totalAlkalinity: 100), celsius: 25)
        #expect((try #require(ratios.first) - 1).magnitude < 0.001)
    }
}
