import PoolSamples

@testable import PoolModel

/// A pool at noon as a test describes it: by default one probe with good water, measured half a minute ago.
struct AssessmentScene: Sendable {
    /// A device with its newest values.
    struct Probe: Sendable {
        var id = lagoon.id
        var name = "Lagoon"
        /// Of each quantity the value, and its age in seconds; an age of nil is unknown.
        var values: QuantityMap<(value: Double, age: Int?)> = [
            .temperature: (26, 30), .ph: (7.3, 30), .chlorine: (1.5, 30),
        ]
        var interval = 60
        var awaited: [Quantity] = []
        var isAbsent = false
        var limits: QuantityMap<Limits> = [:]

        /// Replaces values; nil removes one.
        func with(_ changes: [Quantity: Double?], age: Int? = 30) -> Probe {
            var probe = self
            for (quantity, value) in changes { probe.values[quantity] = value.map { ($0, age) } }
            return probe
        }

        /// Gives all values, or one, another age.
        func aged(_ age: Int?, _ only: Quantity? = nil) -> Probe {
            var probe = self
            for (quantity, value) in values.pairs where only == nil || only == quantity {
                probe.values[quantity] = (value.value, age)
            }
            return probe
        }
    }

    static let garden = PoolID(high: 7, low: 7)

    /// The name of the pool; nil for a device without a pool.
    var pool: String? = "Garden"
    var probes = [Probe()]
    var poolLimits: QuantityMap<Limits> = [:]
    var link = LinkState.linked
    var isKept = false
    var alerts: [AlertState.Alert] = []
    var care: PoolCare? = PoolCare(poolID: Self.garden)

    /// Changes a scene.
    static func scene(_ change: (inout AssessmentScene) -> Void = { _ in }) -> AssessmentScene {
        var scene = AssessmentScene()
        change(&scene)
        return scene
    }

    /// A scene with other values of its only probe.
    static func water(_ changes: [Quantity: Double?], age: Int? = 30) -> AssessmentScene {
        scene { $0.probes[0] = $0.probes[0].with(changes, age: age) }
    }

    mutating func alert(_ key: AlertKey, _ severity: AlertSeverity = .warning) {
        alerts.append(
            AlertState.Alert(
                episodeID: AlertEpisodeID(high: 1, low: UInt64(alerts.count)), key: key, name: "Lagoon",
                severity: severity, since: noon, isAcknowledged: false))
    }

    /// A dose that was added so many hours ago, as the hub tells it.
    mutating func dose(_ product: DoseProduct, hoursAgo: Double) {
        let dose = Dose(
            id: DoseID(high: 1, low: 1), poolID: Self.garden, product: product, amount: 100, unit: product.units[0],
            at: noon.advanced(byMilliseconds: Int64(-hoursAgo * 3_600_000)), author: "test")
        care?.acting = PoolCare.Acting(product, until: dose.actsUntil(on: product.quantity ?? .ph))
    }

    /// What the advice adds.
    mutating func advise(_ product: DoseProduct, _ least: Double, _ greatest: Double? = nil) {
        care?.portion = Advice.Portion(
            product, strengthPercent: product.usualStrength ?? 10, least: least, greatest: greatest ?? least,
            unit: product.units[0])
    }

    private func device(_ probe: Probe) -> WatchDevice {
        WatchDevice(
            id: probe.id, name: probe.name, serverID: home.id, expectedIntervalSeconds: probe.interval,
            limits: probe.limits, poolID: pool == nil ? nil : Self.garden, poolLimits: poolLimits)
    }

    private func glance(_ device: WatchDevice) -> Glance {
        let probe = probes.first { $0.id == device.id } ?? Probe()
        let values = probe.values.compactMapValues { value, age -> LatestValue? in
            let moment = age.map { noon.advanced(byMilliseconds: -Int64($0) * 1000) }
            return LatestValue(
                value: value, sampledAt: moment, timeQuality: moment == nil ? .unknown : .device,
                receivedAt: moment ?? noon)
        }
        let readings = DeviceReadings(
            deviceID: device.id, values: values, awaited: probe.awaited, absentSince: probe.isAbsent ? noon : nil)
        var glance = Glance(
            device: device, readings: readings, history: nil, now: noon, link: link, revision: 7, clock: "",
            alerts: AlertState(alerts))
        if isKept { glance.source = .kept(reason: "a hub that runs") }
        return glance
    }

    /// What the devices say.
    var glances: [Glance] { probes.map { glance(device($0)) } }

    /// All assessments; here one.
    var assessments: [PoolAssessment] {
        PoolAssessment.all(
            of: probes.map(device), in: pool.map { [WatchPool(id: Self.garden, name: $0)] } ?? [],
            cares: care.map { [Self.garden: $0] } ?? [:], link: link, at: noon, glance: glance)
    }
}
