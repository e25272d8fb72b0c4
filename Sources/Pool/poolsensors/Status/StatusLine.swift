import CommandSupport
import PoolControl
import PoolHub
import PoolModel

/// A device in one line.
struct StatusLine: Encodable {
    /// One value.
    struct Value: Encodable {
        var value: Double
        var status: Status
        var deviation: String?
        var isFresh: Bool
        var ageSeconds: Int?
    }

    var name: String
    var pool: String?
    /// `ok`, `warning`, `critical`, `stale` or `nohub`.
    var status: String
    var ageSeconds: Int?
    /// The open alerts of the hub; nil if they are not known.
    var alerts: Int?
    var values: QuantityMap<Value>

    init(_ device: DeviceState, in state: HubState, alerts: AlertState?, at now: Timestamp) {
        let glance = device.glance(alerts: alerts ?? AlertState(), at: now)
        name = device.name
        pool = device.device.poolID.flatMap { state.pool($0) }?.name
        ageSeconds = glance.ageSeconds
        self.alerts = alerts.map { $0.alerts.count + $0.moreCount }
        values = [:]
        for gauge in glance.gauges {
            guard let value = gauge.value else { continue }
            values[gauge.quantity] = Value(
                value: value, status: gauge.status, deviation: gauge.deviation?.rawValue,
                isFresh: gauge.freshness == .live, ageSeconds: gauge.ageSeconds)
        }
        status = state.isRunning ? Self.status(Headline(glance)) : "nohub"
    }

    private static func status(_ headline: Headline) -> String {
        switch headline {
        case .judged(.critical): "critical"
        case .judged(.warning): "warning"
        case .judged(.normal): "ok"
        case .judged(.offline), .partlyStale, .stale, .offline, .lastKnown, .noReading, .noDevice, .waiting,
            .connecting, .linkLost, .refused, .unpaired:
            "stale"
        }
    }

    /// The status of the process.
    var exitStatus: Int32 {
        switch status {
        case "ok": 0
        case "warning": 2
        case "critical": 3
        case "stale": 4
        default: 69
        }
    }

    /// The status as text.
    var word: String {
        switch status {
        case "ok": Status.normal.word
        case "warning": Status.warning.word
        case "critical": Status.critical.word
        case "stale" where values.isEmpty: "NO DATA"
        case "stale": "NOT FRESH"
        default: "NO HUB"
        }
    }

    /// The age of the newest value as text.
    var age: String { ageSeconds.map { DurationText.text(.seconds($0)) } ?? "?" }

    /// A value with its unit and its mark.
    func words(_ quantity: Quantity, isASCII: Bool) -> String {
        guard let value = values[quantity] else { return isASCII ? "-" : "–" }
        let number = quantity.words(value.value).split(separator: " ")[0]
        let unit = isASCII && quantity == .temperature ? "C" : quantity.unit
        let mark =
            switch value.deviation {
            case _ where !value.isFresh: "!"
            case "high": isASCII ? "^" : "▲"
            case "low": isASCII ? "v" : "▼"
            default: ""
            }
        return unit.isEmpty ? "\(number)\(mark)" : "\(number) \(unit)\(mark)"
    }

    /// The line.
    func text(isASCII: Bool) -> String {
        var parts = [isASCII ? name.asciiOnly : name]
        for quantity in Quantity.allCases {
            let label = quantity == .temperature ? "" : quantity == .chlorine ? "Cl " : "\(quantity.name) "
            parts.append(label + words(quantity, isASCII: isASCII))
        }
        parts += [word, age]
        if let alerts, alerts > 0 { parts.append(alerts == 1 ? "1 alert" : "\(alerts) alerts") }
        return parts.joined(separator: "  ")
    }

    /// The device for the line.
    ///
    /// - Throws: ``CommandFailure`` if it is not clear which.
    static func device(_ text: String?, in state: HubState) throws -> DeviceState {
        if let text { return try state.device(named: text) }
        if let selected = state.selectedDevice { return selected }
        if state.devices.count == 1 { return state.devices[0] }
        if state.devices.isEmpty, !state.isRunning {
            throw CommandFailure("no hub runs here; start it with: poolsensors hub", exitStatus: 69)
        }
        let names = state.devices.map { "\"\($0.name)\"" }.joined(separator: ", ")
        throw CommandFailure(
            names.isEmpty
                ? "there is no device yet; add one with: poolsensors device add --name NAME --topic TOPIC"
                : "no device is selected: name one of \(names), or select one with: poolsensors device select NAME")
    }
}
