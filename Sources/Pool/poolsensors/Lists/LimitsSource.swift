import PoolControl
import PoolHub
import PoolModel

/// Where a limit of a device comes from.
enum LimitsSource: String, Encodable {
    /// The device's own.
    case device
    /// Those of its pool.
    case pool
    /// The standard ones.
    case standard

    /// Where the limits of a quantity come from.
    init(_ quantity: Quantity, of device: DeviceState, in state: HubState) {
        let pool = device.device.poolID.flatMap { state.pool($0) }
        self = device.device.limits[quantity] != nil ? .device : pool?.limits[quantity] != nil ? .pool : .standard
    }
}
