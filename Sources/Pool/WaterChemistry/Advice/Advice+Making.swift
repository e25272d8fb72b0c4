public import PoolModel

extension Advice {
    /// Computes advice, or says for each part why there is none.
    ///
    /// pH comes first; chlorine waits for it, and for any other product to be mixed in. Half of the computed amount is
    /// advised, because sun, bathers and the limits of a probe are not in the formula; then one measures again. The
    /// result depends on nothing but the arguments.
    ///
    /// - Parameters:
    ///   - facts: What is known.
    ///   - now: The time by the hub's clock.
    public init(_ facts: PoolFacts, at now: Timestamp) {
        let advisor = Advisor(facts: facts, now: now)
        let ph = advisor.phOutcome()
        let chlorine = advisor.chlorineOutcome()
        self.init(
            poolID: facts.pool.id, pool: facts.pool.name, volume: facts.pool.volume, at: now,
            inputs: advisor.inputs, numbers: facts.numbers,
            steps: [
                Step(.ph, by: facts.measurements[.ph]?.device, ph),
                Step(.chlorine, by: facts.measurements[.chlorine]?.device, chlorine),
            ], filtration: advisor.filtration(),
            assumptions: advisor.assumptions(ph, chlorine))
    }
}

/// The rules by which advice is made.
private struct Advisor {
    let facts: PoolFacts
    let now: Timestamp

    /// The share of the computed amount that is advised.
    private static let share = 0.5
    /// The total alkalinities for which amounts are given if it is unknown, in mg/L.
    private static let usualAlkalinities = [60.0, 150]

    // MARK: - Measurements

    /// The measured values, usable or not.
    var inputs: [Advice.Input] {
        facts.measurements.pairs.filter(\.quantity.facts.isAdvised).map { quantity, measurement in
            let newest = measurement.newest
            return Advice.Input(
                quantity, value: newest.value, device: measurement.device, measuredAt: newest.moment,
                ageSeconds: age(of: newest),
                calibratedAt: newest.moment.flatMap { measurement.calibrations.calibration(at: $0)?.madeAt },
                trend: newest.trend, low: measurement.limits.low, high: measurement.limits.high)
        }
    }

    /// The age of a value in seconds; nil if it is unknown, or if the value is of the future.
    private func age(of value: LatestValue) -> Int? {
        guard let moment = value.moment else { return nil }
        let milliseconds = now.milliseconds(since: moment)
        // The clocks of the hub and of its files differ a little at most.
        guard milliseconds >= -60_000 else { return nil }
        return Int(max(0, milliseconds) / 1000)
    }

    /// The value of a quantity, or why it cannot be used.
    private func value(of quantity: Quantity) throws(AdviceObstacle) -> (value: Double, limits: Limits) {
        guard let measurement = facts.measurements[quantity] else { throw AdviceObstacle(.notMeasured(quantity)) }
        let value = measurement.newest.value
        guard !measurement.isQuarantined, quantity.plausibleRange.contains(value) else {
            throw AdviceObstacle(.quarantined(quantity))
        }
        let age = age(of: measurement.newest)
        guard let age, age <= Advice.ageSecondsMax else { throw AdviceObstacle(.stale(quantity, seconds: age)) }
        let last = Array(measurement.recent.suffix(Advice.measurementCountMin))
        guard last.count == Advice.measurementCountMin else {
            throw AdviceObstacle(.tooFew(quantity, count: last.count))
        }
        let median = HourlyCourse.median(last)
        guard (value - median).magnitude <= quantity.facts.adviceTolerance else {
            throw AdviceObstacle(.unsettled(quantity, newest: value, median: median))
        }
        if let (other, seconds) = contradiction(quantity, measurement) {
            throw AdviceObstacle(
                .disagreement(
                    quantity, device: measurement.device, value: value, other: other.device,
                    otherValue: other.newest.value, otherSeconds: seconds))
        }
        return (value, measurement.limits)
    }

    /// Another device of the pool whose newest value, of the last day, would lead to other advice or is far away.
    ///
    /// A value from before the last dose for the quantity does not count: the dose has changed the water since.
    private func contradiction(
        _ quantity: Quantity, _ measurement: PoolFacts.Measurement
    ) -> (other: PoolFacts.Other, seconds: Int)? {
        let value = measurement.newest.value
        let dosed = facts.doses.filter { ($0.product.quantity ?? quantity) == quantity }.map(\.at).max()
        for other in measurement.others {
            guard let moment = other.newest.moment, let age = age(of: other.newest), age <= Advice.daySeconds,
                quantity.plausibleRange.contains(other.newest.value), dosed.map({ $0 < moment }) ?? true
            else { continue }
            if quantity.disagrees(value, measurement.limits, with: other.newest.value, other.limits) {
                return (other, age)
            }
        }
        return nil
    }

    /// Until when a product for a quantity must wait; nil if it need not.
    ///
    /// That is while ``Dose/actsUntil(on:turnoverHours:)``.
    private func lock(of quantity: Quantity) -> (AdviceReason, until: Timestamp)? {
        let locks = facts.doses.map { dose -> (reason: AdviceReason, until: Timestamp) in
            (
                dose.product.quantity == quantity
                    ? .locked(dose.product, at: dose.at) : .mixing(dose.product, at: dose.at),
                dose.actsUntil(on: quantity, turnoverHours: facts.numbers.turnoverHours)
            )
        }
        guard let last = locks.max(by: { $0.until < $1.until }), last.until > now else { return nil }
        return (last.reason, last.until)
    }

    // MARK: - pH

    func phOutcome() -> Advice.Outcome {
        do throws(AdviceObstacle) {
            let (ph, limits) = try value(of: .ph)
            guard ph < limits.low || ph > limits.high else {
                return .nothing(.inRange(low: limits.low, high: limits.high))
            }
            if let (reason, until) = lock(of: .ph) { return .wait(reason, until: until) }
            guard let volume = facts.pool.volume else { throw AdviceObstacle(.noVolume) }
            let target = (limits.low + limits.high) / 2
            try check(.ph, ph, in: 6...9.5)
            try check(.targetPH, target, in: 6...9.5)
            let step = (target - ph).magnitude
            guard step <= Advice.phStepMax + 1e-9 else {
                throw AdviceObstacle(.stepTooGreat(.ph, step: step, max: Advice.phStepMax))
            }
            let celsius = self.celsius ?? CarbonateSystem.usualCelsius
            let factor = DoseResponse.factor(facts.measurements[.ph]?.responses ?? [])
            var choices: [Advice.Portion] = []
            for choice in products(for: .ph) {
                let portion = try phPortion(
                    choice, from: ph, to: target, celsius: celsius, litres: 1000 * volume, factor: factor)
                if let portion { choices.append(portion) }
            }
            return .dose(
                Advice.Portions(
                    target: target, change: Self.share * (target - ph), choices: choices, responseFactor: factor))
        } catch {
            return .refused(error.reason)
        }
    }

    /// The water temperature if it is usable; the constants of the carbonates depend on it a little.
    private var celsius: Double? {
        guard let (celsius, _) = try? value(of: .temperature), (0...53).contains(celsius) else { return nil }
        return celsius
    }

    /// The amount of a product; nil if it changes the pH in the other direction.
    private func phPortion(
        _ choice: AdviceNumbers.Product, from ph: Double, to target: Double, celsius: Double, litres: Double,
        factor: Double?
    ) throws(AdviceObstacle) -> Advice.Portion? {
        guard let strength = choice.strengthPercent ?? choice.product.usualStrength else { return nil }
        let alkalinities = facts.numbers.totalAlkalinity.map { [$0] } ?? Self.usualAlkalinities
        var amounts: [Double] = []
        for alkalinity in alkalinities {
            let system = CarbonateSystem(
                ph: ph, celsius: celsius, totalAlkalinity: alkalinity,
                cyanuricAcid: facts.numbers.cyanuricAcid ?? 0, borates: facts.numbers.borates ?? 0)
            guard let system else {
                throw AdviceObstacle(.outsideFormula(.alkalinity, value: alkalinity, low: 60, high: 1000))
            }
            if let acid = choice.product.acid(strengthPercent: strength), target < ph {
                amounts.append(system.acid(to: target) / acid)
            } else if let base = choice.product.sodiumCarbonate(strengthPercent: strength), target > ph,
                let moles = system.sodiumCarbonate(to: target)
            {
                amounts.append(moles / base)
            }
        }
        let advised = amounts.map { Self.share * litres * $0 / (factor ?? 1) }
        guard let least = advised.min(), let greatest = advised.max() else { return nil }
        return Advice.Portion(
            choice.product, strengthPercent: strength, least: least, greatest: greatest,
            unit: choice.product.units[0])
    }

    // MARK: - Chlorine

    func chlorineOutcome() -> Advice.Outcome {
        do throws(AdviceObstacle) {
            let (chlorine, limits) = try value(of: .chlorine)
            if chlorine > limits.high {
                let share = 1 - limits.high / chlorine
                return .nothing(
                    .tooMuchChlorine(share: share, cubicMetres: facts.pool.volume.map { $0 * share }))
            }
            guard chlorine < limits.low else { return .nothing(.inRange(low: limits.low, high: limits.high)) }
            if let (reason, until) = lock(of: .chlorine) { return .wait(reason, until: until) }
            guard !isPHFirst else { return .wait(.phFirst, until: nil) }
            guard let volume = facts.pool.volume else { throw AdviceObstacle(.noVolume) }
            let target = (limits.low + limits.high) / 2
            let step = target - chlorine
            guard step <= Advice.chlorineStepMax + 1e-9 else {
                throw AdviceObstacle(.stepTooGreat(.chlorine, step: step, max: Advice.chlorineStepMax))
            }
            let factor = DoseResponse.factor(facts.measurements[.chlorine]?.responses ?? [])
            let choices = products(for: .chlorine).compactMap { choice -> Advice.Portion? in
                guard let strength = choice.strengthPercent ?? choice.product.usualStrength,
                    let chlorine = choice.product.chlorine(strengthPercent: strength)
                else { return nil }
                // A milligram a litre is a gram a cubic metre.
                let amount = Self.share * step * volume / chlorine / (factor ?? 1)
                return Advice.Portion(
                    choice.product, strengthPercent: strength, least: amount, greatest: amount,
                    unit: choice.product.units[0])
            }
            return .dose(
                Advice.Portions(target: target, change: Self.share * step, choices: choices, responseFactor: factor))
        } catch {
            return .refused(error.reason)
        }
    }

    /// Whether the pH must be brought into its range before chlorine: it is out of it, and nothing was added for it yet.
    private var isPHFirst: Bool {
        // An unknown pH stops no chlorine; the assumptions say so.
        guard let (ph, limits) = try? value(of: .ph), lock(of: .ph) == nil else { return false }
        return ph < limits.low || ph > limits.high
    }

    // MARK: - The rest

    func filtration() -> Advice.Filtration {
        do throws(AdviceObstacle) {
            let (celsius, _) = try value(of: .temperature)
            let range = Advice.filtrationRange
            return .hours(min(max(range.lowerBound, celsius / 2), range.upperBound))
        } catch {
            return .refused(error.reason)
        }
    }

    /// The products for a quantity: those at hand, else all of the table.
    private func products(for quantity: Quantity) -> [AdviceNumbers.Product] {
        let own = facts.numbers.products.filter { $0.product.quantity == quantity }
        guard own.isEmpty else { return own }
        return DoseProduct.allCases.filter { $0.quantity == quantity }.map { AdviceNumbers.Product($0) }
    }

    private func check(
        _ input: AdviceReason.FormulaInput, _ value: Double, in range: ClosedRange<Double>
    ) throws(AdviceObstacle) {
        guard range.contains(value) else {
            throw AdviceObstacle(.outsideFormula(input, value: value, low: range.lowerBound, high: range.upperBound))
        }
    }

    /// What the numbers rely on.
    func assumptions(_ ph: Advice.Outcome, _ chlorine: Advice.Outcome) -> [AdviceAssumption] {
        guard let portions = ph.portions ?? chlorine.portions else { return [.filtration] }
        var assumptions: [AdviceAssumption] = [.filtration, .half, .strengths, .oneProduct]
        if let factor = portions.responseFactor { assumptions.append(.response(factor)) }
        if facts.numbers.turnoverHours == nil { assumptions.append(.turnover) }
        guard ph.portions != nil else {
            assumptions += [.consumption, .stabilizer]
            if (try? value(of: .ph)) == nil { assumptions.append(.noPH) }
            return assumptions
        }
        assumptions.append(.closedWater)
        if facts.numbers.totalAlkalinity == nil { assumptions.append(.alkalinity) }
        if celsius == nil { assumptions.append(.temperature) }
        if facts.numbers.cyanuricAcid == nil { assumptions.append(.cyanuricAcid) }
        if facts.numbers.borates == nil { assumptions.append(.borates) }
        return assumptions
    }
}

/// Why a part of the advice cannot be given.
private struct AdviceObstacle: Error, CustomStringConvertible {
    let reason: AdviceReason

    var description: String { "no advice: \(reason)" }

    init(_ reason: AdviceReason) { self.reason = reason }
}

extension Advice.Outcome {
    /// The dose; nil if there is none.
    public var portions: Advice.Portions? {
        if case .dose(let portions) = self { portions } else { nil }
    }
}
