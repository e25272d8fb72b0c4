import PoolDecoding
import PoolModel

/// The result of decoding one message.
struct TriedMessage: Encodable {
    /// A measurement.
    struct Measurement: Encodable {
        var values: QuantityMap<Double>
        /// The calibrated values; nil without a calibration.
        var corrected: QuantityMap<Double>?
        var sampledAt: String?
        var timeQuality: TimeQuality
        var isRetained: Bool
        var quarantined: [String]
        var remarks: [String]

        init(_ sent: DecodedPayload, _ calibrations: QuantityMap<CalibrationSeries>) {
            var payload = sent
            payload.quarantine(beside: [:], after: [:])
            values = payload.values
            let moment = payload.sampledAt ?? payload.receivedAt
            var corrected = payload.values
            for (quantity, value) in payload.values.pairs {
                corrected[quantity] = calibrations[quantity]?.corrected(value, sampledAt: moment) ?? value
            }
            self.corrected = corrected == payload.values ? nil : corrected
            sampledAt = payload.sampledAt?.iso8601
            timeQuality = payload.timeQuality
            isRetained = payload.isRetained
            quarantined = payload.quarantined.map { outlier in
                let range = "\(outlier.range.lowerBound)…\(outlier.range.upperBound)"
                let why = outlier.fault == .impossible ? "plausible values are \(range)" : outlier.words
                return "\(outlier.quantity.name) \(outlier.value) is quarantined: \(why)"
            }
            remarks = payload.remarks.map { "\($0)" }
        }
    }

    /// The topic of the message.
    var topic: String
    /// The topics of the device.
    var filters: [String]
    /// Whether the topic is one of them.
    var isForDevice = true
    /// The measurements.
    var measurements: [Measurement] = []
    /// Whether the device is available; nil if the message does not say so.
    var isAvailable: Bool?
    /// Whether the message is a heartbeat.
    var isHeartbeat = false
    /// Whether values wait for a time or a unit from another topic, which does not come in a single trial.
    var waitedInVain = false
    /// Why the message has no measurement.
    var rejection: String?
    /// Remarks about the message, apart from the measurements.
    var remarks: [String] = []

    /// Decodes a message as a hub does before the first message of the device.
    init(
        _ payload: [UInt8], topic: String, deviceTopic: String, mapping: DeviceMapping?, isRetained: Bool,
        calibrations: QuantityMap<CalibrationSeries>, receivedAt: Timestamp
    ) throws {
        self.topic = topic
        filters = [deviceTopic]
        guard let mapping else {
            isForDevice = topic == deviceTopic
            guard isForDevice else { return }
            switch PayloadDecoder().decode(payload, receivedAt: receivedAt, isRetained: isRetained) {
            case .decoded(let decoded): measurements = [Measurement(decoded, calibrations)]
            case .rejected(let reason): rejection = "\(reason)"
            }
            return
        }
        var decoder = try MappingDecoder(mapping: mapping, deviceTopic: deviceTopic)
        filters = decoder.filters
        let outcome = decoder.receive(
            topic: topic, payload: payload, receivedAt: receivedAt, isRetained: isRetained)
        guard let outcome else {
            isForDevice = false
            return
        }
        var readings = outcome.readings
        if let deadline = decoder.deadline { readings += decoder.expire(at: deadline) }
        measurements = readings.map { Measurement($0, calibrations) }
        isAvailable = outcome.isAvailable
        isHeartbeat = outcome.isHeartbeat
        waitedInVain = outcome.isWaiting
        rejection = outcome.rejection.map { "\($0)" }
        remarks = outcome.remarks.map { "\($0)" }
    }

    /// The topic for a message without one: the device's own if values come there, else the first topic with values.
    static func usualTopic(of mapping: DeviceMapping?, deviceTopic: String) throws -> String {
        guard let mapping else { return deviceTopic }
        let decoder = try MappingDecoder(mapping: mapping, deviceTopic: deviceTopic)
        let isForMany = decoder.filters.first.map { $0.contains("+") || $0.contains("#") } ?? true
        return decoder.concerns(deviceTopic) || isForMany ? deviceTopic : decoder.filters[0]
    }

    /// Whether the message has any readable content.
    var saysSomething: Bool {
        measurements.contains { !$0.values.isEmpty } || isAvailable != nil || isHeartbeat
    }

    /// The message for a person.
    var lines: [String] {
        guard isForDevice else {
            return [
                "The topic \(topic) is not one of the device's: its topics are \(filters.joined(separator: ", ")). "
                    + "Give the topic of the message with --topic, and the device's own with --device-topic."
            ]
        }
        var lines: [String] = []
        for measurement in measurements { lines += Self.lines(of: measurement) }
        if waitedInVain { lines.append("a time or unit from another topic is waited for up to 5 s; here none came") }
        if let isAvailable { lines.append("the device is \(isAvailable ? "" : "not ")there") }
        if isHeartbeat { lines.append("a sign of life") }
        if let rejection { lines.append("nothing was measured: \(rejection)") }
        lines += remarks.map { "remark: \($0)" }
        return lines.isEmpty ? ["the message says nothing: no value, no availability, no sign of life"] : lines
    }

    private static func lines(of measurement: Measurement) -> [String] {
        var lines = measurement.values.pairs.map { quantity, value in
            let corrected = measurement.corrected?[quantity].map { ", calibrated \(quantity.textWithUnit($0))" } ?? ""
            return "\(quantity.name): \(quantity.textWithUnit(value))\(corrected)"
        }
        lines += measurement.quarantined
        let time =
            switch measurement.timeQuality {
            case .device: "as the device says"
            case .estimated: "the time of receipt, the device says none"
            case .corrected: "the time of receipt, the device's is impossible"
            case .unknown: "a replayed message without a time"
            }
        lines.append("Time: \(measurement.sampledAt ?? "unknown"), \(time)")
        return lines + measurement.remarks.map { "remark: \($0)" }
    }
}
