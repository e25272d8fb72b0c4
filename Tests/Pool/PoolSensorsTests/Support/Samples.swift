import CommandSupport
import PoolControl
import PoolHub
import PoolModel

/// Values for tests.
enum Samples {
    static let serverID = ServerID(high: 1, low: 2)
    static let deviceID = DeviceID(high: 3, low: 4)

    static func report(
        servers: [ServerState] = [], devices: [DeviceState] = [], watches: [WatchConnection] = []
    ) -> HubState {
        var state = HubState(now: Timestamp(milliseconds: 0), revision: 1)
        state.isRunning = true
        state.servers = servers
        state.devices = devices
        state.watches = watches
        return state
    }

    static func server(_ name: String = "Garden", usesTLS: Bool = false) -> ServerState {
        ServerState(Server(id: serverID, name: name, host: "127.0.0.1", port: 1883, usesTLS: usesTLS))
    }

    static func device(
        _ name: String, id: DeviceID = deviceID, isSelected: Bool = true, stored: Int = 0, order: UInt64? = nil
    ) -> DeviceState {
        var device = DeviceState(
            Device(id: id, name: name, serverID: serverID, topic: "pool/\(name)", deviceType: "x"), limits: [:])
        device.isSelected = isSelected
        device.storedReadings = stored
        device.readings = order.map { DeviceReadings(deviceID: id, order: $0) }
        return device
    }

    static func watch(
        _ name: String, id: WatchID = WatchID(bytes: 1...32), isLinked: Bool? = nil
    ) -> WatchConnection {
        var watch = WatchConnection(name: name, id: id)
        watch.isLinked = isLinked
        return watch
    }
}

/// The exit codes of the program; the testing library has a type of this name, too.
typealias ExitStatus = CommandSupport.ExitStatus
