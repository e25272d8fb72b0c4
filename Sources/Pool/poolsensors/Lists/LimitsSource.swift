import PoolControl
import PoolHub
import PoolModel

/// The source of a device's limits.
enum LimitsSource: String, Encodable {
    /// The device's own.
    case device
    /// The device's pool.
    case pool
    /// The default limits.
    case standard

    /// The source of the limits of a quantity.
    init(_ quantity: Quantity, of device: DeviceState, in state: HubState) {
        let pool = device.device.poolID.flatMap { state.pool($0) }
        self = device.device.limits[quantity] != nil ? .device : pool?.limits[quantity] != nil ? .pool : .standard
    }
}
