extension PoolConfiguration {
    /// The configuration as entries, sorted by key; equal configurations give equal bytes.
    public func entries() -> [ConfigurationEntry] {
        var entries = servers.flatMap(\.entries) + devices.flatMap(\.entries) + pools.flatMap(\.entries)
        entries += answers.map(\.entry)
        if alerts != AlertSettings() { entries.append(EntryGroup.alerts.onlyEntry(alerts)) }
        if history != HistorySettings() { entries.append(EntryGroup.history.onlyEntry(history)) }
        if let export { entries.append(EntryGroup.export.onlyEntry(export)) }
        entries.append(
            EntryGroup.selection.entry(
                of: ConfigurationEntry.selectionRecord, fields: EntryFields.SelectedRecords(selection)))
        return entries.sorted { $0.key < $1.key }
    }

    /// The changes from the entries of an older configuration to those of this one, sorted by key.
    ///
    /// Apply them together: after some of them a device may lack its server.
    public func entries(changing old: PoolConfiguration) -> [ConfigurationChange] {
        ConfigurationChange.changes(from: old.entries(), to: entries())
    }

    /// Reads a configuration from any entries, and appends all errors to `problems`.
    ///
    /// Records that cannot be used are left out. A device whose server does not exist is kept, so that a person can
    /// repair it. A selection that does not exist is repaired.
    public init(entries: some Sequence<ConfigurationEntry>, problems: inout [ConfigurationProblem]) {
        var reader = EntryReader(entries)
        let servers = reader.records(of: EntryGroup.serverKind).compactMap { Server(record: $0, reader: &reader) }
        let pools = reader.records(of: EntryGroup.poolKind).compactMap { Pool(record: $0, reader: &reader) }
        let poolIDs = Set(pools.map(\.id))
        let devices = reader.records(of: EntryGroup.deviceKind).compactMap {
            Device(record: $0, pools: poolIDs, reader: &reader)
        }
        let serverIDs = Set(servers.map(\.id))
        for device in devices where !serverIDs.contains(device.serverID) {
            reader.report(.serverMissing(device.id, deviceName: device.name, device.serverID))
        }
        let selection = reader.selection(
            serverIDs: serverIDs,
            serverOfDevice: Dictionary(devices.map { ($0.id, $0.serverID) }, uniquingKeysWith: { first, _ in first }))
        let alerts = reader.preference(AlertSettings.self, .alerts) { settings throws(ConfigurationError) in
            try settings.check()
        }
        let history = reader.preference(HistorySettings.self, .history) { settings throws(ConfigurationError) in
            try settings.validate()
        }
        let export = reader.preference(ExportSettings.self, .export) { settings throws(ConfigurationError) in
            try settings.validate()
        }
        self.init(
            servers: servers, devices: devices, pools: pools, selection: selection,
            history: history ?? HistorySettings(), export: export, alerts: alerts ?? AlertSettings(),
            answers: reader.answers())
        reportSharedTopics(to: &reader)
        problems += reader.problems
    }

    /// Reads a configuration from any entries, without reporting errors.
    public init(entries: some Sequence<ConfigurationEntry>) {
        var unheard: [ConfigurationProblem] = []
        self.init(entries: entries, problems: &unheard)
    }

    private func reportSharedTopics(to reader: inout EntryReader) {
        for device in devices {
            guard let first = deviceWithSameTopic(of: device), first.id < device.id else { continue }
            reader.report(.topicShared(device.topic, first.id, device.id))
        }
    }
}

extension Server {
    fileprivate var entries: [ConfigurationEntry] {
        let record = id.as(ConfigurationEntry.self)
        let endpoint = EntryFields.Endpoint(
            host: host, port: port, username: username, tls: usesTLS, caFile: caFile,
            clientCertificate: clientCertificate, protocol: protocolVersion)
        let announcement = announcementPrefix.map {
            EntryGroup.serverAnnouncement.entry(of: record, fields: EntryFields.Announcement(prefix: $0))
        }
        return [
            EntryGroup.serverName.entry(of: record, fields: EntryFields.Name(name: name)),
            EntryGroup.serverEndpoint.entry(of: record, fields: endpoint),
        ] + (announcement.map { [$0] } ?? [])
    }

    fileprivate init?(record: ConfigurationEntry.Record, reader: inout EntryReader) {
        guard let name = reader.require(EntryFields.Name.self, .serverName, of: record),
            let endpoint = reader.require(EntryFields.Endpoint.self, .serverEndpoint, of: record)
        else { return nil }
        self.init(
            id: record.as(Server.self), name: HiddenCharacter.replaced(in: name.name), host: endpoint.host,
            port: endpoint.port,
            username: endpoint.username, usesTLS: endpoint.tls, caFile: endpoint.caFile,
            clientCertificate: endpoint.clientCertificate, protocolVersion: endpoint.protocol,
            announcementPrefix: reader.read(EntryFields.Announcement.self, .serverAnnouncement, of: record)?.prefix)
        do throws(ConfigurationError) {
            try validate()
        } catch {
            reader.report(error, in: error.isAboutName ? .serverName : .serverEndpoint, of: record)
            return nil
        }
    }
}

extension Device {
    fileprivate var entries: [ConfigurationEntry] {
        let record = id.as(ConfigurationEntry.self)
        return [
            EntryGroup.deviceName.entry(of: record, fields: EntryFields.Name(name: name)),
            EntryGroup.deviceMembership.entry(of: record, fields: EntryFields.Membership(serverID: serverID)),
            EntryGroup.deviceSource.entry(of: record, fields: EntryFields.Source(topic: topic, type: deviceType)),
            EntryGroup.deviceTiming.entry(
                of: record,
                fields: EntryFields.Timing(expectedIntervalSeconds: expectedIntervalSeconds, isLearned: learnsInterval)
            ),
        ] + limits.pairs.map { EntryGroup.deviceLimits($0.quantity).entry(of: record, fields: $0.value) }
            + (poolID.map { [EntryGroup.devicePool.entry(of: record, fields: EntryFields.PoolOfDevice(poolID: $0))] }
                ?? [])
            + (mapping.map { [EntryGroup.deviceMapping.entry(of: record, fields: $0)] } ?? [])
            + calibrations.pairs.map { EntryGroup.deviceCalibration($0.quantity).entry(of: record, fields: $0.value) }
    }

    fileprivate init?(record: ConfigurationEntry.Record, pools: Set<PoolID>, reader: inout EntryReader) {
        guard let name = reader.require(EntryFields.Name.self, .deviceName, of: record),
            let membership = reader.require(EntryFields.Membership.self, .deviceMembership, of: record),
            let source = reader.require(EntryFields.Source.self, .deviceSource, of: record)
        else { return nil }
        let timing = reader.timing(of: record)
        self.init(
            id: record.as(Device.self), name: HiddenCharacter.replaced(in: name.name), serverID: membership.serverID,
            topic: source.topic,
            deviceType: HiddenCharacter.replaced(in: source.type ?? Self.defaultType),
            expectedIntervalSeconds: timing.expectedIntervalSeconds,
            limits: reader.limits(of: record), poolID: reader.pool(of: record, among: pools),
            mapping: reader.read(DeviceMapping.self, .deviceMapping, of: record),
            calibrations: reader.calibrations(of: record), learnsInterval: timing.isLearned)
        do throws(ConfigurationError) {
            try validate()
        } catch {
            reader.report(error, in: error.isAboutName ? .deviceName : .deviceSource, of: record)
            return nil
        }
    }
}

extension Pool {
    fileprivate var entries: [ConfigurationEntry] {
        let record = id.as(ConfigurationEntry.self)
        return [
            EntryGroup.poolName.entry(of: record, fields: EntryFields.Name(name: name)),
            EntryGroup.poolWater.entry(of: record, fields: EntryFields.Water(volume: volume)),
        ] + limits.pairs.map { EntryGroup.poolLimits($0.quantity).entry(of: record, fields: $0.value) }
    }

    fileprivate init?(record: ConfigurationEntry.Record, reader: inout EntryReader) {
        guard let name = reader.require(EntryFields.Name.self, .poolName, of: record),
            let water = reader.require(EntryFields.Water.self, .poolWater, of: record)
        else { return nil }
        self.init(
            id: record.as(Pool.self), name: HiddenCharacter.replaced(in: name.name), volume: water.volume,
            limits: reader.limits(of: record, EntryGroup.poolLimits))
        do throws(ConfigurationError) {
            try validate()
        } catch {
            reader.report(error, in: error.isAboutName ? .poolName : .poolWater, of: record)
            return nil
        }
    }
}

extension ConfigurationError {
    fileprivate var isAboutName: Bool {
        switch self {
        case .nameEmpty, .nameTooLong, .nameSteers: true
        case .hostInvalid, .portOutOfRange, .portNotANumber, .usernameInvalid, .caFileInvalid, .caFileWithoutTLS,
            .topicInvalid, .deviceTypeInvalid, .intervalOutOfRange, .limitsNotOrdered, .clientCertificateInvalid,
            .announcementInvalid, .mappingInvalid, .calibrationInvalid, .alertSettingsInvalid, .volumeOutOfRange,
            .retentionOutOfRange, .exportFolderInvalid, .identifierTaken, .nameTaken, .topicTaken, .missing,
            .serverHasDevices, .notFound, .ambiguous:
            false
        }
    }
}
