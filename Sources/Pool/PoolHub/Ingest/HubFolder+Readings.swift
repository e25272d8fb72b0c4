import PoolModel
import PoolStore
import SyncCore
import SyncStore

extension HubFolder {
    /// The configuration as it is stored, without what is wrong in it.
    ///
    /// - Throws: `StoreError`.
    func configuration() throws -> PoolConfiguration {
        // The code that follows the configuration tells of the problems.
        var problems: [ConfigurationProblem] = []
        return PoolConfiguration(cells: try store.load().cells, problems: &problems)
    }

    /// The newest values of each device as people see them: corrected by the calibrations that hold now.
    ///
    /// - Throws: `StoreError` and `HistoryError`.
    func shownReadings() throws -> [DeviceReadings] {
        let configuration = try configuration()
        return try history.latest().map { raw in
            configuration.devices.first { $0.id == raw.deviceID }?.corrected(raw) ?? raw
        }
    }
}
