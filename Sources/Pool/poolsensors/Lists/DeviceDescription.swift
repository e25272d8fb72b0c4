import CommandSupport
import PoolControl
import PoolDecoding
import PoolHub
import PoolModel
import WaterChemistry

/// All data about a device.
struct DeviceDescription: Encodable {
    /// The newest value of a quantity, with its limits.
    struct Value: Encodable {
        var value: Double?
        var raw: Double?
        var ageSeconds: Int?
        var freshness: String
        var status: Status
        var limits: Limits
        var limitsFrom: LimitsSource
        /// Whether the device sends it, or is expected to; the lines leave out what it does not have.
        var isMeasured: Bool

        private enum CodingKeys: String, CodingKey {
            case value, raw, ageSeconds, freshness, status, limits, limitsFrom
        }
    }

    var device: DeviceState
    var server: String?
    var serverState: String?
    var pool: String?
    var mappingNotation: [String]
    var filters: [String]
    var values: QuantityMap<Value>
    var calibrations: QuantityMap<[JudgedCalibration]>

    init(_ device: DeviceState, in state: HubState, alerts: AlertState, at now: Timestamp) {
        self.device = device
        let server = state.servers.first { $0.id == device.device.serverID }
        self.server = server?.name
        serverState = server?.connection?.words
        pool = device.device.poolID.flatMap { state.pool($0) }?.name
        mappingNotation = (device.device.mapping?.flagLines ?? []).map { "--\($0.flag) '\($0.text)'" }
        filters = [device.device.topic]
        if let mapping = device.device.mapping {
            do {
                filters = try MappingDecoder(mapping: mapping, deviceTopic: device.device.topic).filters
            } catch {
                mappingNotation.append("cannot be used: \(error)")
            }
        }
        values = [:]
        for gauge in device.glance(alerts: alerts, at: now).gauges {
            values[gauge.quantity] = Value(
                value: gauge.value, raw: device.rawReadings?[gauge.quantity]?.value, ageSeconds: gauge.ageSeconds,
                freshness: gauge.freshness.word, status: gauge.status, limits: gauge.limits,
                limitsFrom: LimitsSource(gauge.quantity, of: device, in: state), isMeasured: gauge.isMeasured)
        }
        calibrations = CalibrationReport(device.device, at: now).calibrations
    }

    /// The description as text for a user.
    var lines: [String] {
        var facts: [(String, String)] = [
            ("device", device.name + (device.isSelected ? "  (selected)" : "")), ("id", "\(device.id)"),
            ("server", (server ?? "(gone)") + (serverState.map { ", \($0)" } ?? "")), ("topic", device.device.topic),
            ("type", device.device.deviceType), ("pool", pool ?? "none"),
            (
                "reports every",
                DurationText.text(.seconds(device.device.expectedIntervalSeconds))
                    + (device.device.learnsInterval == true ? ", learnt from its readings" : "")
            ),
            ("mapping", mappingNotation.first ?? "none, its messages are flat"),
        ]
        facts += mappingNotation.dropFirst().map { ("", $0) }
        if let obstacle = device.obstacle { facts.append(("not heard", obstacle)) }
        if device.isAvailable == false {
            let since = device.readings?.absentSince.map { ", since \(MomentText.of($0))" } ?? ""
            facts.append(("availability", "the device, or its bridge, says that it is offline\(since)"))
        }
        if device.device.mapping != nil { facts.append(("heard on", filters.joined(separator: ", "))) }
        facts.append(("in the history", "\(device.storedReadings) readings"))
        if let counts = device.counts { facts += Self.facts(counts) }
        let width = facts.map(\.0.count).max() ?? 0
        let head = facts.map { name, text in
            "\(name)\(String(repeating: " ", count: width - name.count))  \(PlainText.oneLine(text))"
        }
        return head + [""] + valueLines + calibrationLines
    }

    private var valueLines: [String] {
        var table = TextTable("quantity", "value", "raw", "age", "is", "status", "limits", "from")
        // Of a device that has sent nothing yet nobody knows what it has.
        let measured = values.pairs.filter(\.value.isMeasured)
        for (quantity, value) in measured.isEmpty ? values.pairs : measured {
            let raw = value.raw.map { quantity.textWithUnit($0) } ?? ""
            table.add(
                quantity.name, value.value.map { quantity.textWithUnit($0) } ?? "", raw,
                value.ageSeconds.map { DurationText.text(.seconds($0)) } ?? "", value.freshness, value.status.word,
                value.limits.words(of: quantity),
                value.limitsFrom == .pool ? "pool \(pool ?? "")" : value.limitsFrom.rawValue)
        }
        return table.lines
    }

    private var calibrationLines: [String] {
        guard !calibrations.isEmpty else {
            return ["", "Nothing is calibrated; begin with: poolsensors calibrate NAME ph"]
        }
        return [""] + calibrations.pairs.flatMap { quantity, rows in CalibrationList.lines(of: quantity, rows) }
    }

    private static func facts(_ counts: IngestCounts) -> [(String, String)] {
        var parts = ["\(counts.stored) stored"]
        let others = [
            ("duplicates", counts.duplicates), ("repeated", counts.repeated), ("replayed", counts.retained),
            ("late", counts.late), ("values kept apart", counts.quarantined), ("signs of life", counts.heartbeats),
            ("not stored", counts.notStored),
        ]
        parts += others.filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }
        var facts = [("since its start", parts.joined(separator: ", "))]
        let kinds = [
            ("rejected", counts.rejected), ("passed over", counts.passedOver), ("remarks", counts.remarks),
        ]
        for (title, reasons) in kinds where !reasons.isEmpty {
            let words = reasons.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
            facts.append((title, words.joined(separator: ", ")))
        }
        if let last = counts.lastRejection { facts.append(("last rejection", last)) }
        if let last = counts.lastPassedOver { facts.append(("last passed over", last)) }
        if let last = counts.lastRemark { facts.append(("last remark", last)) }
        return facts
    }
}
