import Logging
import Platform
import PoolDecoding
import PoolModel
import PoolStore

extension Ingest {
    /// Uses another configuration from now on.
    ///
    /// What is shown is derived again where calibrations changed. At the first configuration of the hub's life what is
    /// known from before is told as well.
    /// - Returns: For each server, the filters of devices that are new or read in another way: the broker must replay
    ///   what it keeps for them, and so they are to be subscribed to again.
    @discardableResult
    func use(_ configuration: PoolConfiguration) -> [ServerID: Set<String>] {
        let moment = now()
        var renewed: [ServerID: Set<String>] = [:]
        state.withLock { state in
            let known = Dictionary(state.devices.map { ($0.device.id, $0) }) { $1 }
            state.devices = []
            state.routes = IngestRoutes()
            for device in configuration.devices {
                let (entry, filters, items) = adopt(device, known[device.id], state.stored[device.id], at: moment)
                outbox.add(items)
                let isSame = known[device.id].map { $0.device.reads(as: device) } ?? false
                if !isSame { renewed[device.serverID, default: []].formUnion(filters) }
                add(filters, for: entry, to: &state)
            }
            state.stored = [:]
        }
        outbox.tell()
        return renewed
    }

    private func add(_ filters: [String], for entry: IngestDevice, to state: inout State) {
        let index = state.devices.count
        state.devices.append(entry)
        // Added, or moved to this server, while a backlog comes in.
        if state.catchingUp.contains(entry.device.serverID), entry.heardBefore == nil {
            state.devices[index].heardBefore = state.heardLast(entry)
        }
        for filter in filters {
            do {
                try state.routes.add(filter, for: index, of: entry.device.serverID)
            } catch {
                state.devices[index].counts.count(.rejected(code: "filter", words: "\(error)"))
            }
        }
    }

    /// A device with what is known of it, its filters, and what is to be told.
    private func adopt(
        _ device: Device, _ known: IngestDevice?, _ stored: DeviceReadings?, at moment: Timestamp
    ) -> (IngestDevice, [String], [IngestEventQueue.Item]) {
        var entry = known ?? IngestDevice(device: device, raw: stored ?? DeviceReadings(deviceID: device.id))
        let old = entry.device
        entry.device = device
        if known == nil || !old.reads(as: device) {
            entry.isAvailable = nil
            entry.expected = device.expected(knowing: known == nil ? entry.raw : nil)
            do {
                entry.decoder = try device.decoder()
                entry.decoder?.recall(entry.raw)
            } catch {
                // It was checked when it was entered; a newer program may have entered it.
                entry.decoder = nil
                entry.counts.count(.rejected(code: "mapping", words: "\(error)"))
            }
        }
        if known == nil { recallTrends(of: &entry) }
        let filters = entry.decoder?.filters ?? (device.mapping == nil ? [device.topic] : [])
        guard entry.raw.order > 0 else { return (entry, filters, []) }
        // At the start nobody knows with which calibrations the watches got the values.
        guard old.calibrations != device.calibrations || known == nil && !device.calibrations.isEmpty else {
            return (entry, filters, known == nil ? [.shown(entry.shown, isNew: false)] : [])
        }
        entry.findTrends()
        entry.raw.raiseOrder(to: max(entry.raw.order + 1, UInt64(max(0, moment.milliseconds))))
        let items = known == nil ? [] : events(ofAll: entry)
        return (entry, filters, items + save(entry, isNew: known != nil))
    }

    private func recallTrends(of entry: inout IngestDevice) {
        do {
            try entry.recallTrends(from: history)
        } catch {
            // There are none until enough has been measured.
            logger.info("trends not recalled", metadata: ["device": "\(entry.device.name)", "error": "\(error)"])
        }
    }

    /// Writes the newest values, and gives what shows.
    private func save(_ entry: IngestDevice, isNew: Bool = true) -> [IngestEventQueue.Item] {
        do {
            try history.save(entry.raw)
        } catch {
            // The next reading writes them.
            logger.info("newest values not stored", metadata: ["device": "\(entry.device.name)", "error": "\(error)"])
        }
        return [.shown(entry.shown, isNew: isNew)]
    }

    /// The values that show, as measurements; those of one moment are one of them.
    private func events(ofAll entry: IngestDevice) -> [IngestEventQueue.Item] {
        var moments: [(sampledAt: Timestamp, receivedAt: Timestamp, values: QuantityMap<Double>)] = []
        for (quantity, latest) in entry.shown.values.pairs {
            guard let sampledAt = latest.sampledAt else { continue }
            if let place = moments.firstIndex(where: { $0.sampledAt == sampledAt && $0.receivedAt == latest.receivedAt }
            ) {
                moments[place].values[quantity] = latest.value
            } else {
                moments.append((sampledAt, latest.receivedAt, [quantity: latest.value]))
            }
        }
        return moments.map { moment in
            .event(
                .measured(
                    entry.device.id, moment.values, sampledAt: moment.sampledAt, receivedAt: moment.receivedAt,
                    isCurrent: true))
        }
    }
}

extension Device {
    /// The quantities that the device should tell before it has told anything; what is stored knows more of one that was
    /// heard in an earlier run of the hub.
    fileprivate func expected(knowing stored: DeviceReadings?) -> Set<Quantity> {
        let before = Set(stored?.awaited ?? [])
        guard let mapping else { return before }
        let named = Set(mapping.values.map(\.quantity))
        return mapping.profile == nil ? named : before.intersection(named)
    }

    /// Whether the messages of another version of this device are read in the same way.
    fileprivate func reads(as other: Device) -> Bool {
        serverID == other.serverID && topic == other.topic && mapping == other.mapping
    }
}
