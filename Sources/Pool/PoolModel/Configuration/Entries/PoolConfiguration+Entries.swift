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
        let servers = reader.records(of: Server.kind).compactMap { Server.read($0, from: &reader) }
        let pools = reader.records(of: Pool.kind).compactMap { Pool.read($0, from: &reader) }
        let poolIDs = Set(pools.map(\.id))
        let devices = reader.records(of: Device.kind).compactMap { reader.device($0, among: poolIDs) }
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
