internal import PoolModel
internal import SyncCore

/// The decoded value of a register.
enum ReceivedRegister: Hashable {
    /// The newest readings of a device.
    case readings(DeviceReadings)
    /// The state of the connection to a server.
    case report(ServerReport, ServerID)
    /// The open alerts.
    case alerts(AlertState)
    /// What the hub knows of a pool; nil if it could not find out.
    case care(PoolCare?, PoolID)
    /// The value cannot be read, for this reason.
    case undecodable(String)

    init(_ register: Register) {
        guard let key = RegisterKey(register.key) else {
            self = .undecodable("this version does not know the register")
            return
        }
        do throws(CanonicalJSON.Failure) {
            switch key {
            case .device(let id):
                let readings = try CanonicalJSON.decode(DeviceReadings.self, from: register.value)
                // A value counts only for the device that it is for.
                self = readings.deviceID == id ? .readings(readings) : .undecodable("it is about \(readings.deviceID)")
            case .server(let id):
                self = .report(try CanonicalJSON.decode(ServerReport.self, from: register.value), id)
            case .pool(let id):
                self = .care(try CanonicalJSON.decode(PoolCareReport.self, from: register.value).care, id)
            case .alerts:
                self = .alerts(try CanonicalJSON.decode(AlertState.self, from: register.value))
            }
        } catch {
            self = .undecodable(error.reason)
        }
    }
}
