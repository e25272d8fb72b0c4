extension ConfigurationEntry {
    /// Why a value that a watch wrote is not accepted, in words; nil if it is accepted.
    ///
    /// The value is read exactly as ``PoolConfiguration/init(entries:problems:)`` reads it later, but only by itself.
    /// Whether the records that it refers to exist depends on all other entries; ``PoolConfiguration/repairs(of:)``
    /// handles that.
    ///
    /// - Parameters:
    ///   - value: The value; nil deletes the entry.
    ///   - key: The key of the entry.
    /// - Returns: The reason; always the same for the same arguments.
    public static func objection(to value: [UInt8]?, at key: Key) -> String? {
        guard let group = EntryGroup(kind: key.kind, group: key.group) else {
            return "\(key.kind)/\(key.group) is not known at this hub"
        }
        guard let value else {
            return group.isRequired ? "a \(group.kind) cannot be without its \(group.group)" : nil
        }
        do {
            try check(value, group, key)
            return nil
        } catch let error as CanonicalJSON.Failure {
            return "the \(group.group) of a \(group.kind) cannot be read: \(error.reason)"
        } catch {
            return "\(error)"
        }
    }

    private static func check(_ value: [UInt8], _ group: EntryGroup, _ key: Key) throws {
        switch group {
        case .serverName: try NameRule.check(try decode(EntryFields.Name.self, value).name, of: .server)
        case .deviceName: try NameRule.check(try decode(EntryFields.Name.self, value).name, of: .device)
        case .poolName: try NameRule.check(try decode(EntryFields.Name.self, value).name, of: .pool)
        case .deviceLimits(let quantity), .poolLimits(let quantity):
            let limits = try decode(Limits.self, value)
            guard limits.isOrdered else { throw ConfigurationError.limitsNotOrdered(quantity, limits) }
        case .selection:
            _ = try decode(EntryFields.SelectedRecords.self, value)
            guard key.record == selectionRecord else {
                throw CanonicalJSON.Failure(reason: "there is one selection only, of the record \(selectionRecord)")
            }
        case .serverAnnouncement: _ = try decode(EntryFields.Announcement.self, value)
        case .devicePool: _ = try decode(EntryFields.PoolOfDevice.self, value)
        case .deviceMapping: _ = try decode(DeviceMapping.self, value)
        case .deviceCalibration: _ = try decode(CalibrationSeries.self, value)
        case .poolWater: _ = try decode(EntryFields.Water.self, value)
        case .alertAnswer:
            let answer = try decode(AlertAnswer.self, value)
            guard key.record == AlertAnswer.record(of: answer.key) else {
                throw CanonicalJSON.Failure(reason: "the answer to \(answer.key.text) belongs to another record")
            }
        case .alerts: _ = try decode(AlertSettings.self, value)
        case .history: _ = try decode(HistorySettings.self, value)
        case .export: _ = try decode(ExportSettings.self, value)
        case .serverEndpoint: _ = try decode(EntryFields.Endpoint.self, value)
        case .deviceMembership: _ = try decode(EntryFields.Membership.self, value)
        case .deviceSource: _ = try decode(EntryFields.Source.self, value)
        case .deviceTiming:
            let seconds = try decode(EntryFields.Timing.self, value).expectedIntervalSeconds
            guard Device.intervalRange.contains(seconds) else { throw ConfigurationError.intervalOutOfRange(seconds) }
        }
    }

    private static func decode<Fields: Decodable>(
        _ type: Fields.Type, _ value: [UInt8]
    ) throws(CanonicalJSON.Failure) -> Fields {
        try CanonicalJSON.decode(type, from: value)
    }
}
