import PoolControl
import PoolHub
import PoolModel

/// What is known of a device's values at a moment, as every face shows it.
enum DeviceGauges {
    static func of(
        _ device: HubReport.DeviceReport, alerts: AlertState = AlertState(), at now: Timestamp
    ) -> [Glance.Gauge] {
        glance(of: device, alerts: alerts, at: now).gauges
    }

    static func glance(of device: HubReport.DeviceReport, alerts: AlertState, at now: Timestamp) -> Glance {
        let known = WatchDevice(
            id: device.id, name: device.name, serverID: device.serverID,
            expectedIntervalSeconds: device.expectedIntervalSeconds, limits: device.limits)
        return Glance(
            device: known, readings: device.readings, history: nil, now: now, link: .linked, revision: nil, clock: "",
            alerts: alerts)
    }
}

extension Freshness {
    /// The freshness in a word or two.
    var word: String {
        switch self {
        case .live: "live"
        case .stale: "stale"
        case .offline: "offline"
        case .lastKnown: "last known"
        case .never: "never received"
        }
    }
}

extension Limits {
    /// The normal range, and the critical one in brackets.
    var words: String {
        let numbers = [low, high, criticalLow, criticalHigh].map { $0 == $0.rounded() ? "\(Int($0))" : "\($0)" }
        return "\(numbers[0])…\(numbers[1]) (\(numbers[2])…\(numbers[3]))"
    }
}
