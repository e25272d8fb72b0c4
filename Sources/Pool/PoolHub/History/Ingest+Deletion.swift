import Platform
import PoolModel

extension Ingest {
    /// Begins a deletion of readings while none is taken in, and shows what stays.
    ///
    /// Otherwise a reading that arrives meanwhile would write the deleted values back as the newest ones.
    ///
    /// - Parameters:
    ///   - device: The device whose readings go, nil for all of them.
    ///   - first: The first sample time.
    ///   - last: The last sample time.
    ///   - begin: Begins it, and gives the newest states that changed.
    /// - Throws: What `begin` throws; nothing has changed then.
    func delete(
        of device: DeviceID?, from first: Timestamp, through last: Timestamp, _ begin: () throws -> [DeviceReadings]
    ) throws {
        try state.withLock { state in
            let changed = try begin()
            for index in state.devices.indices where device == nil || state.devices[index].device.id == device {
                state.devices[index].forgetTrends(from: first, through: last)
            }
            for raw in changed {
                if state.stored[raw.deviceID] != nil { state.stored[raw.deviceID] = raw }
                guard let index = state.devices.firstIndex(where: { $0.device.id == raw.deviceID }) else { continue }
                state.devices[index].raw = raw
                state.devices[index].findTrends()
                outbox.add([.shown(state.devices[index].shown, isNew: true)])
            }
        }
        outbox.tell()
    }
}
