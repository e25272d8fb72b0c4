/// What is known of a pool, or of a device without a pool, when its assessment is made.
public struct PoolSituation: Sendable {
    /// The name of the pool, or of the device.
    public var name: String
    /// The pool; nil for a device without a pool.
    public var poolID: PoolID?
    /// What its devices say, each at the same time.
    public var glances: [Glance]
    /// The quantities for which the pool or a device has limits of its own: its owner expects them to be measured.
    public var limited: Set<Quantity>
    /// What the hub knows besides; nil if that is not known.
    ///
    /// Nobody can log doses for a device without a pool.
    public var care: PoolCare?

    /// Creates a situation.
    public init(
        name: String, poolID: PoolID? = nil, glances: [Glance], limited: Set<Quantity> = [], care: PoolCare? = nil
    ) {
        self.name = name
        self.poolID = poolID
        self.glances = glances
        self.limited = limited
        self.care = care
    }
}

extension PoolAssessment {
    /// The quantities without which nobody can say whether people can swim: one of each list must be measured.
    private static let needed: [[Quantity]] = QuantityFacts.Need.allCases.map { need in
        Quantity.allCases.filter { $0.facts.need == need }
    }

    /// The assessment of a pool: the only place that decides it.
    ///
    /// "You can swim" needs, within the last two hours and not older than the device's interval allows: a pH, and a
    /// chlorine or a redox potential, within their limits; every other value that the pool has, and that its limits expect;
    /// no fault, no contradiction, no open alert that is not about another quantity; and that no logged dose acts. What is missing, old or doubtful
    /// is said instead, because silence about it would look like an all-clear. Cold or warm water alone is no reason
    /// not to swim unless it is critical.
    ///
    /// - Parameters:
    ///   - situation: What is known.
    ///   - now: The time by the hub's clock.
    public init(_ situation: PoolSituation, at now: Timestamp) {
        self.init(
            name: situation.name, poolID: situation.poolID,
            deviceID: situation.poolID == nil ? situation.glances.first?.deviceID : nil,
            Findings(situation: situation, now: now).worst)
    }

    /// The assessment where no device is known.
    public init(without devices: LinkState) {
        self.init(name: "", devices.isLinked ? .noDevice : .noLink(devices))
    }

    /// The assessments of all pools that have devices, then on the devices without a pool; a single one without devices.
    ///
    /// - Parameters:
    ///   - devices: The devices.
    ///   - pools: The pools.
    ///   - cares: What the hub knows of them besides.
    ///   - link: The state of the link to the hub.
    ///   - now: The time by the hub's clock.
    ///   - glance: What a device says now.
    /// - Returns: At least one assessment.
    package static func all(
        of devices: [WatchDevice], in pools: [WatchPool], cares: [PoolID: PoolCare], link: LinkState,
        at now: Timestamp, glance: (WatchDevice) -> Glance
    ) -> [PoolAssessment] {
        func assessment(_ name: String, _ pool: WatchPool?, _ own: [WatchDevice]) -> PoolAssessment {
            let limited = own.flatMap { $0.limits.pairs + $0.poolLimits.pairs }.map(\.quantity)
            let situation = PoolSituation(
                name: name, poolID: pool?.id, glances: own.map(glance), limited: Set(limited),
                care: pool.flatMap { cares[$0.id] })
            return PoolAssessment(situation, at: now)
        }
        let grouped = pools.compactMap { pool -> PoolAssessment? in
            let own = devices.filter { $0.poolID == pool.id }
            return own.isEmpty ? nil : assessment(pool.name, pool, own)
        }
        let known = Set(pools.map(\.id))
        let others = devices.filter { device in device.poolID.map { !known.contains($0) } ?? true }
        let all = grouped + others.map { assessment($0.name, nil, [$0]) }
        return all.isEmpty ? [PoolAssessment(without: link)] : all
    }

    fileprivate struct Findings {
        let situation: PoolSituation
        let now: Timestamp
    }
}

extension PoolAssessment.Findings {
    private typealias Finding = PoolAssessment.Finding

    /// A value of one device.
    private struct Source {
        var gauge: Glance.Gauge
        var alerts: [AlertState.Alert]
        var value: Double

        var quantity: Quantity { gauge.quantity }
        var reading: PoolAssessment.Reading { .init(quantity, value, gauge.deviation) }
        /// Whether it is fresh: by the device's interval, and for a judgement on water.
        var isUsable: Bool { isLive && gauge.ageSeconds.map { $0 <= Advice.ageSecondsMax } ?? false }
        var isLive: Bool { if case .judged = gauge.mark { true } else { false } }

        /// The severity of its open alert, if that is about its value.
        var alerting: Status {
            alerts.filter { $0.key.condition == .value && !$0.isOutdated }.map(\.severity.status).max() ?? .normal
        }
        /// Whether the value itself is critical.
        var isBeyond: Bool { gauge.limits.judge(value).status == .critical }
        /// Cold water alone is no danger to those who choose to be in it.
        var isOnlyCold: Bool { quantity == .temperature && gauge.deviation == .low }
        /// Whether the value concerns people in the water, and not only the water or the device.
        var isDangerous: Bool { (PoolAssessment.needed.joined() + [.temperature]).contains(quantity) && !isOnlyCold }
    }

    var worst: PoolAssessment.Finding {
        let sources = self.sources
        return critical(sources) ?? wasCritical(sources) ?? unreachable ?? silent(sources) ?? faulty
            ?? doubtful(sources) ?? outOfRange(sources) ?? old(sources) ?? alert ?? recovering(sources) ?? valueAlert
            ?? notMeasured(sources) ?? dosed ?? .swim(remark(sources))
    }

    private var sources: [Source] {
        situation.glances.flatMap { glance in
            glance.gauges.compactMap { gauge in
                gauge.shownValue.map { value in
                    Source(
                        gauge: gauge, alerts: glance.ownAlerts.filter { $0.key.quantity == gauge.quantity },
                        value: value)
                }
            }
        }
    }

    /// The fresh values of a quantity.
    private func usable(_ quantity: Quantity, _ sources: [Source]) -> [Source] {
        sources.filter { $0.quantity == quantity && $0.isUsable }
    }

    private var alerts: [AlertState.Alert] { situation.glances.flatMap(\.ownAlerts).filter { !$0.isOutdated } }

    // MARK: What is dangerous

    private func critical(_ sources: [Source]) -> Finding? {
        let critical = sources.filter { $0.isLive && $0.isDangerous && ($0.isBeyond || $0.alerting == .critical) }
        guard critical.isEmpty else {
            return .critical(critical.map(\.reading), isPassing: !critical.contains(where: \.isBeyond))
        }
        return unlisted == .critical ? .unlistedAlert(.critical) : nil
    }

    private var unlisted: AlertSeverity? {
        situation.glances.compactMap { glance in glance.deviceID.flatMap { glance.alerts.unlisted[$0] } }.max()
    }

    /// A value that is not fresh and was critical, unless a fresh one of the quantity has taken its place.
    private func wasCritical(_ sources: [Source]) -> Finding? {
        let past = sources.filter {
            // An alert may outlive the values that caused it, and a value that is good is no danger.
            $0.gauge.formerAlarm == .critical && $0.isBeyond && $0.isDangerous && usable($0.quantity, sources).isEmpty
        }
        let newest = past.min { $0.gauge.ageSeconds ?? .max < $1.gauge.ageSeconds ?? .max }
        return newest.map { .wasCritical($0.reading, seconds: age($0.gauge)) }
    }

    private func age(_ gauge: Glance.Gauge) -> Int? { gauge.freshness == .lastKnown ? nil : gauge.ageSeconds }

    // MARK: What is not known

    private var unreachable: Finding? {
        guard let glance = situation.glances.first else { return .noDevice }
        if !glance.link.isLinked { return .noLink(glance.link) }
        return glance.isFromHub ? nil : .noHub
    }

    /// That no device has a fresh value.
    private func silent(_ sources: [Source]) -> Finding? {
        guard !sources.contains(where: \.isLive) else { return nil }
        if sources.isEmpty { return .noReading }
        guard let seconds = sources.compactMap({ age($0.gauge) }).min() else { return .ageUnknown }
        let probes = situation.glances.count { $0.gauges.contains { $0.shownValue != nil } }
        return .silent(seconds: seconds, probes: probes)
    }

    private var faulty: Finding? {
        if let alert = alerts.first(where: { $0.key.condition == .fault }) { return .faulty(alert.key.quantity) }
        return situation.care?.doubts.pairs.first { $0.value == .faulty }.map { .faulty($0.quantity) }
    }

    private func doubtful(_ sources: [Source]) -> Finding? {
        for quantity in PoolAssessment.needed.joined() {
            if situation.care?.doubts[quantity] == .disagreement { return .disagreement(quantity) }
            let fresh = usable(quantity, sources)
            for (index, one) in fresh.enumerated() {
                let isContradicted = fresh.dropFirst(index + 1).contains {
                    quantity.disagrees(one.value, one.gauge.limits, with: $0.value, $0.gauge.limits)
                }
                if isContradicted { return .disagreement(quantity) }
            }
        }
        return situation.care?.doubts.pairs.first { $0.value == .unsettled }.map { .unsettled($0.quantity) }
    }

    /// Whether somebody who wants to swim waits for a quantity: not for what only some pools have, unless its owner has set
    /// limits, and never for a battery.
    private func isNeeded(_ quantity: Quantity) -> Bool {
        quantity.facts.isOfWater && (quantity.facts.isUsual || situation.limited.contains(quantity))
    }

    /// A quantity that the pool has, and of which no device has a fresh value.
    private func old(_ sources: [Source]) -> Finding? {
        for quantity in Quantity.allCases where isNeeded(quantity) && usable(quantity, sources).isEmpty {
            let known = sources.filter { $0.quantity == quantity }
            if !known.isEmpty { return .old(quantity, seconds: known.compactMap { age($0.gauge) }.min()) }
            let isAwaited = situation.glances.contains { glance in
                glance.gauges.contains { $0.quantity == quantity && $0.isMeasured }
            }
            if isAwaited { return .noValue(quantity) }
        }
        return nil
    }

    private func notMeasured(_ sources: [Source]) -> Finding? {
        let needed = PoolAssessment.needed.filter { choice in choice.allSatisfy { usable($0, sources).isEmpty } }
            .compactMap(\.first)
        let limited = Quantity.allCases.filter { quantity in
            situation.limited.contains(quantity) && isNeeded(quantity) && usable(quantity, sources).isEmpty
                && !needed.contains(quantity)
        }
        return needed.isEmpty && limited.isEmpty ? nil : .notMeasured(needed + limited)
    }

    // MARK: What to do

    private func outOfRange(_ sources: [Source]) -> Finding? {
        let outside = sources.filter { source in
            source.isUsable && source.gauge.deviation != nil
                && (PoolAssessment.needed.joined().contains(source.quantity) || source.isBeyond)
        }
        guard !outside.isEmpty else { return nil }
        if let acting = situation.care?.acting(at: now) {
            return .letAct(acting.product, seconds: seconds(until: acting.until))
        }
        // A portion that was computed from an earlier value may be for a quantity that is good again.
        if let portion = situation.care?.portion, outside.contains(where: { $0.quantity == portion.product.quantity }) {
            return .add(portion)
        }
        return .outOfRange(outside.map(\.reading))
    }

    private func seconds(until end: Timestamp) -> Int { Int(max(0, end.milliseconds(since: now)) / 1000) }

    private func recovering(_ sources: [Source]) -> Finding? {
        sources.first { source in
            source.isUsable && PoolAssessment.needed.joined().contains(source.quantity)
                && source.gauge.status != .normal
        }.map { .recovering($0.reading) }
    }

    /// An alert that is not about a value: missing values, a lost connection, a hub that cannot store.
    private var alert: Finding? {
        if let alert = alerts.first(where: { $0.key.condition != .value && $0.key.condition != .test }) {
            return .alert(alert)
        }
        return unlisted.map { .unlistedAlert($0) }
    }

    /// An alert about a value that is not shown fresh: another device may measure the quantity now, but nobody has said
    /// that the alert is over.
    private var valueAlert: Finding? {
        situation.glances.flatMap(\.ownAlerts).first { alert in
            guard alert.key.condition == .value, let quantity = alert.key.quantity else { return false }
            return PoolAssessment.needed.joined().contains(quantity) || alert.severity == .critical
        }.map { .alert($0) }
    }

    private var dosed: Finding? {
        guard situation.poolID != nil else { return nil }
        guard let care = situation.care else { return .dosesUnknown }
        return care.acting(at: now).map { .dosed($0.product, seconds: seconds(until: $0.until)) }
    }

    private func remark(_ sources: [Source]) -> PoolAssessment.Reading? {
        sources.first { $0.isUsable && $0.gauge.deviation != nil }?.reading
    }
}

extension Glance {
    /// The assessment where there is room for one only: the worst one, named if there are several.
    ///
    /// A glance whose maker made none is judged alone, as a device without a pool.
    package var shownAssessment: (assessment: PoolAssessment, isNamed: Bool) {
        let all = assessments ?? []
        if let worst = PoolAssessment.worst(of: all) { return (worst, all.count > 1) }
        guard deviceName != nil else { return (PoolAssessment(without: link), false) }
        let situation = PoolSituation(name: deviceName ?? "", glances: [self])
        return (PoolAssessment(situation, at: moment ?? Timestamp(milliseconds: 0)), false)
    }

    /// Whether a face begins with the assessment: where nothing is known, its notice says why in more words.
    package var beginsWithAssessment: Bool {
        shownAssessment.assessment.status != .offline || gauges.contains { $0.shownValue != nil }
    }

    /// The sentence of ``shownAssessment``.
    package func sentence(in language: TextLanguage = .english) -> String {
        let (assessment, isNamed) = shownAssessment
        return assessment.sentence(in: language, isNamed: isNamed)
    }
}

extension Quantity {
    /// Whether two values of the same water contradict each other: they are far apart, or would lead to other advice.
    package func disagrees(_ value: Double, _ limits: Limits, with other: Double, _ otherLimits: Limits) -> Bool {
        let distance = (value - other).magnitude
        let isOtherSide = limits.judge(value).deviation != otherLimits.judge(other).deviation
        return distance > facts.adviceAgreement || isOtherSide && distance > facts.hysteresis
    }
}
