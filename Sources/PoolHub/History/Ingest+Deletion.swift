import PoolModel
import Synchronization

extension Ingest {
    /// Begins a deletion of readings while none is taken in, and shows what stays.
    ///
    /// Otherwise a reading that arrives meanwhile would write the deleted values back as the newest ones.
    /// - Parameter begin: Begins it, and gives the newest states that changed.
    /// - Throws: What `begin` throws; nothing has changed then.
    func delete(_ begin: () throws -> [DeviceReadings]) throws {
        try state.withLock { state in
            for raw in try begin() {
                if state.stored[raw.deviceID] != nil { state.stored[raw.deviceID] = raw }
                guard let index = state.devices.firstIndex(where: { $0.device.id == raw.deviceID }) else { continue }
                state.devices[index].raw = raw
                outbox.add([.shown(state.devices[index].shown, isNew: true)])
            }
        }
        outbox.tell()
    }
}
