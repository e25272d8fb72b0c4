import MQTT
import PoolControl
import PoolDecoding
import PoolModel

/// The inputs that wait for the publisher: only the newest one of the alerts, and of each device and server.
///
/// Any thread may add inputs; adding never blocks.
final class PublisherQueue: Sendable {
    /// An input of the publisher.
    enum Input: Sendable {
        /// The shown values of a device.
        case readings(DeviceReadings)
        /// All open alerts, also those that are too many for a watch.
        case alerts([AlertState.Alert])
        /// The state of the connection to a server.
        case server(ServerID, BrokerState)
        /// Home Assistant reported at a server that it has started.
        case birth(ServerID)
    }

    private enum Key: Hashable {
        case readings(DeviceID)
        case alerts
        case server(ServerID)
        case birth(ServerID)
    }

    private let inputs = KeyedQueue<Key, Input>()

    /// Yields when an input was added.
    var signals: AsyncStream<Void> { inputs.signals }

    /// Takes the first input; nil if there is none.
    func next() -> Input? { inputs.next() }

    /// Adds the shown values of a device.
    func note(_ readings: DeviceReadings) { inputs.put(.readings(readings), for: .readings(readings.deviceID)) }

    /// Adds all open alerts.
    func note(_ alerts: [AlertState.Alert]) { inputs.put(.alerts(alerts), for: .alerts) }

    /// Adds the state of the connection to a server.
    func note(_ server: Server, _ broker: BrokerState) {
        inputs.put(.server(server.id, broker), for: .server(server.id))
    }

    /// Adds a message on a server's birth topic.
    func note(birth message: Message, of server: Server) {
        guard message.payload == Array(HubTopics.online.utf8) else { return }
        inputs.put(.birth(server.id), for: .birth(server.id))
    }
}
