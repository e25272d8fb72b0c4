extension Glance {
    /// The state of a device at a given time.
    ///
    /// A value is judged only while it is live, which it never is while the device says that it is offline. A stale, offline or last known value keeps its number and the side of
    /// the limits that it was on, but its status is ``Status/offline`` and it has no trend. So no face can show OK,
    /// or any other judgement, for a value that is not fresh. A quantity that the device does not send is
    /// ``Freshness/never`` and does not affect the other gauges. A live value is at least as bad as its open alerts:
    /// inside the dead band, where its alert has not ended yet, it keeps the alert's status, but no deviation. Ages
    /// count from the sample, not from its receipt here. The device's alerts get its present name, and those about
    /// values that are not live here tell what was.
    ///
    /// - Parameters:
    ///   - device: The device, nil if none is selected.
    ///   - readings: Its newest values; those of another device are ignored.
    ///   - history: Its values over the last day, nil to show none.
    ///   - now: The time by the hub's clock.
    ///   - link: The state of the link to the hub.
    ///   - revision: The revision of the configuration; nil before the first one arrived.
    ///   - clock: The time of day to show.
    ///   - pendingEdits: The edits that wait for the hub, in words.
    ///   - conflicts: The open conflicts.
    ///   - alerts: The open alerts, including those of other devices.
    public init(
        device: WatchDevice?, readings: DeviceReadings?, history: ValueHistory?, now: Timestamp, link: LinkState,
        revision: UInt64?, clock: String, pendingEdits: [String] = [], conflicts: [ConflictSummary] = [],
        alerts: AlertState = AlertState()
    ) {
        let own = readings.flatMap { $0.deviceID == device?.id ? $0 : nil }
        let gauges = Quantity.listed { own?.has($0) ?? false }.map { quantity in
            Gauge(
                quantity: quantity, device: device, readings: own,
                isExpected: own?.awaited.contains(quantity) ?? false,
                alerts: alerts.alerts.filter { $0.key.deviceID == device?.id && $0.key.quantity == quantity },
                history: history, now: now)
        }
        let newest = gauges.filter { $0.ageSeconds != nil }.min { ($0.ageSeconds ?? 0) < ($1.ageSeconds ?? 0) }
        let isAnyKnown = gauges.contains { $0.value != nil }
        self.init(
            deviceName: device?.name, gauges: gauges,
            freshness: newest?.freshness ?? (isAnyKnown ? .lastKnown : .never), ageSeconds: newest?.ageSeconds,
            link: link, revision: revision, clock: clock, pendingEdits: pendingEdits, conflicts: conflicts)
        deviceID = device?.id
        serverID = device?.serverID
        self.alerts = alerts
        for index in alerts.alerts.indices where alerts.alerts[index].key.deviceID == device?.id {
            self.alerts.alerts[index].bring(device: device, latest: own, gauges: gauges)
        }
    }
}

extension AlertState.Alert {
    /// Gives an alert of a device its present name, and the time of a value that is not live.
    fileprivate mutating func bring(device: WatchDevice?, latest: DeviceReadings?, gauges: [Glance.Gauge]) {
        guard let device else { return }
        name = device.name
        guard case .value(_, let quantity, _) = key, let value = latest?.values[quantity],
            let gauge = gauges.first(where: { $0.quantity == quantity })
        else { return }
        measuredAt = gauge.freshness == .live ? nil : value.moment ?? value.receivedAt
    }
}

extension Glance.Gauge {
    fileprivate init(
        quantity: Quantity, device: WatchDevice?, readings: DeviceReadings?, isExpected: Bool,
        alerts: [AlertState.Alert], history: ValueHistory?, now: Timestamp
    ) {
        let latest = readings?.values[quantity]
        let limits = device?.limits(for: quantity) ?? quantity.facts.limits
        let (freshness, age) =
            readings?.freshness(
                of: quantity, at: now,
                expectedIntervalSeconds: device?.expectedIntervalSeconds ?? Device.defaultIntervalSeconds)
            ?? (.never, nil)
        let judgement = latest.map { limits.judge($0.value) }
        let isLive = freshness == .live
        let alerting = alerts.map(\.severity.status).max() ?? .normal
        let alertingValue = alerts.filter { $0.key.condition == .value }.map(\.severity.status).max() ?? .normal
        self.init(
            quantity: quantity, value: latest?.value,
            status: isLive ? judgement.map { max($0.status, alerting) } ?? .offline : .offline,
            deviation: judgement?.deviation,
            freshness: freshness, ageSeconds: age, limits: limits, trend: isLive ? latest?.trend : nil,
            history: history?.columns(of: quantity, endingWith: latest, now: now) ?? [],
            range: history?.range(of: quantity, endingWith: latest, now: now), isExpected: isExpected,
            formerStatus: isLive ? nil : judgement.map { max($0.status, alertingValue) })
    }
}
