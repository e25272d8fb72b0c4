/// Describes the subject and the value of an entry for a person.
public struct EntryFormatter: Sendable {
    private let names: [ConfigurationEntry.Record: String]

    /// Reads the names of the records from the entries of a configuration.
    public init(_ entries: some Sequence<ConfigurationEntry>) {
        names = Dictionary(
            entries.compactMap { entry in
                guard entry.key.group == EntryGroup.deviceName.group else { return nil }
                // A record without a readable name is described by its identifier.
                let fields = try? CanonicalJSON.decode(EntryFields.Name.self, from: entry.value)
                guard let fields else { return nil }
                return (entry.key.record, fields.name)
            }, uniquingKeysWith: { first, _ in first })
    }

    /// The subject of an entry, such as `name of the device "Lagoon"`.
    ///
    /// - Parameters:
    ///   - key: The key of the entry.
    ///   - before: An older value of the entry; if it is a name, the record is described by it. Nil for the present
    ///     name.
    /// - Returns: The description.
    public func subject(of key: ConfigurationEntry.Key, before: [UInt8]? = nil) -> String {
        guard let group = EntryGroup(kind: key.kind, group: key.group) else { return "\(key)" }
        let former = group.group == EntryGroup.deviceName.group ? value(before, of: key) : nil
        let owner = "of the \(key.kind) \(former ?? name(of: key.record))"
        return switch group {
        case .selection: "selected device"
        case .history: "time that the history is kept"
        case .export: "export of the history"
        case .alerts: "settings of alerts"
        case .alertAnswer: "answer to an alert"
        case .deviceLimits(let quantity), .poolLimits(let quantity): "\(quantity.name) limits \(owner)"
        case .deviceCalibration(let quantity): "\(quantity.name) calibration \(owner)"
        case .serverEndpoint: "address \(owner)"
        case .deviceMembership: "server \(owner)"
        case .deviceSource: "topic \(owner)"
        case .deviceTiming: "expected interval \(owner)"
        case .poolWater: "volume \(owner)"
        case .serverName, .serverAnnouncement, .deviceName, .devicePool, .deviceMapping, .poolName:
            "\(group.group) \(owner)"
        }
    }

    /// The description of a record, such as `device "Lagoon"`.
    func record(of key: ConfigurationEntry.Key) -> String { "\(key.kind) \(name(of: key.record))" }

    /// Whether values have so many parts that a comparison of two of them only describes the differences.
    func isRaw(_ key: ConfigurationEntry.Key) -> Bool {
        switch EntryGroup(kind: key.kind, group: key.group) {
        case .serverEndpoint, .serverAnnouncement, .deviceSource, .deviceMapping, .poolWater, .alerts, nil: true
        case .serverName, .deviceName, .deviceMembership, .deviceTiming, .deviceLimits, .devicePool,
            .deviceCalibration, .poolName, .poolLimits, .selection, .history, .export, .alertAnswer:
            false
        }
    }

    /// A value in words; nil for none.
    public func value(_ bytes: [UInt8]?, of key: ConfigurationEntry.Key) -> String? {
        guard let bytes else { return nil }
        do {
            return try words(bytes, EntryGroup(kind: key.kind, group: key.group))
        } catch {
            return "\(Excerpt(String(decoding: bytes, as: UTF8.self)))"
        }
    }

    private func words(_ bytes: [UInt8], _ group: EntryGroup?) throws -> String {
        switch group {
        case .serverName, .deviceName, .poolName:
            return "\(Excerpt(try CanonicalJSON.decode(EntryFields.Name.self, from: bytes).name))"
        case .deviceLimits(let quantity), .poolLimits(let quantity):
            let limits = try CanonicalJSON.decode(Limits.self, from: bytes)
            return "\(quantity.shortText(limits.low))…\(quantity.shortText(limits.high)) "
                + "(critical outside \(quantity.shortText(limits.criticalLow))…\(quantity.shortText(limits.criticalHigh)))"
        case .selection:
            let fields = try CanonicalJSON.decode(EntryFields.SelectedRecords.self, from: bytes)
            guard let device = fields.deviceID else { return "none" }
            return name(of: device.as(ConfigurationEntry.self))
        case .deviceMembership:
            let fields = try CanonicalJSON.decode(EntryFields.Membership.self, from: bytes)
            return "\(name(of: fields.serverID.as(ConfigurationEntry.self)))"
        case .deviceTiming:
            return "\(try CanonicalJSON.decode(EntryFields.Timing.self, from: bytes).expectedIntervalSeconds) s"
        case .devicePool:
            let fields = try CanonicalJSON.decode(EntryFields.PoolOfDevice.self, from: bytes)
            return "\(name(of: fields.poolID.as(ConfigurationEntry.self)))"
        case .deviceCalibration:
            let series = try CanonicalJSON.decode(CalibrationSeries.self, from: bytes)
            guard let last = series.versions.last else { return "none" }
            return
                "× \(NumberFormat.shortest(last.slope)) + \(NumberFormat.shortest(last.offset)) by \(Excerpt(last.author))"
        case .history:
            let settings = try CanonicalJSON.decode(HistorySettings.self, from: bytes)
            return "\(settings.rawDays) days, summaries \(settings.summaryDays) days"
        case .export:
            let settings = try CanonicalJSON.decode(ExportSettings.self, from: bytes)
            return "\(settings.period.rawValue) \(settings.format.rawValue) to \(Excerpt(settings.folder))"
        case .alertAnswer:
            let answer = try CanonicalJSON.decode(AlertAnswer.self, from: bytes)
            return (answer.isAcknowledged ? "acknowledged" : answer.snoozedUntil == nil ? "none" : "snoozed")
                + " (\(answer.key.text))"
        case .serverEndpoint: return Self.text(try CanonicalJSON.decode(EntryFields.Endpoint.self, from: bytes))
        case .serverAnnouncement:
            return "under \(Excerpt(try CanonicalJSON.decode(EntryFields.Announcement.self, from: bytes).prefix))"
        case .deviceSource:
            let source = try CanonicalJSON.decode(EntryFields.Source.self, from: bytes)
            return "\(Excerpt(source.topic))" + (source.type.map { ", type \(Excerpt($0))" } ?? "")
        case .poolWater:
            let volume = try CanonicalJSON.decode(EntryFields.Water.self, from: bytes).volume
            return volume.map { DisplayUnits.current.text(volume: $0) } ?? "not known"
        case .deviceMapping:
            let mapping = try CanonicalJSON.decode(DeviceMapping.self, from: bytes)
            let values = mapping.values.map { "\(Excerpt($0.notation, scalarCountMax: 80))" }
            let parts = mapping.profile.map { ["profile \($0)"] + values } ?? values
            return parts.joined(separator: ", ")
        case .alerts, nil:
            return JSONDifference.words(of: bytes) ?? "\(Excerpt(String(decoding: bytes, as: UTF8.self)))"
        }
    }

    private static func text(_ endpoint: EntryFields.Endpoint) -> String {
        let host = endpoint.host.contains(":") ? "[\(endpoint.host)]" : endpoint.host
        let parts = [
            "\(host):\(endpoint.port)", endpoint.tls ? "with TLS" : "without TLS",
            endpoint.caFile.map { "authority \(Excerpt($0))" },
            endpoint.clientCertificate.map { "as \(Excerpt($0.certificateFile))" },
            endpoint.username.map { "user \(Excerpt($0))" }, "MQTT \(endpoint.protocol.rawValue)",
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }

    private func name(of record: ConfigurationEntry.Record) -> String {
        names[record].map { "\(Excerpt($0))" } ?? "\(record)"
    }
}
