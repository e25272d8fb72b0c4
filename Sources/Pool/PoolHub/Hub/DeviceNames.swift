import Platform
import PoolModel

/// The devices' names as they are now, for what people read.
final class DeviceNames: Sendable {
    private let names = Lock<[DeviceID: String]>([:])

    func use(_ configuration: PoolConfiguration) {
        names.withLock { names in
            names = Dictionary(configuration.devices.map { ($0.id, $0.name) }) { $1 }
        }
    }

    func name(of device: DeviceID) -> String {
        names.withLock { $0[device] } ?? "\(device)"
    }
}
