import PoolModel
import PoolStore
import SyncCore
import SyncStore

extension HubFolder {
    /// The stored configuration, without its invalid entries.
    ///
    /// - Throws: `StoreError`.
    func configuration() throws -> PoolConfiguration {
        // The problems are reported by the code that follows the configuration.
        var problems: [ConfigurationProblem] = []
        return PoolConfiguration(cells: try store.load().cells, problems: &problems)
    }

    /// The newest values of each device, corrected by the current calibrations.
    ///
    /// - Throws: `StoreError` and `HistoryError`.
    func shownReadings() throws -> [DeviceReadings] {
        let configuration = try configuration()
        return try history.latest().map { raw in
            configuration.devices.first { $0.id == raw.deviceID }?.corrected(raw) ?? raw
        }
    }
}
