import MQTT
import PoolControl
import PoolDecoding
import PoolModel

extension BrokerState.Refusal {
    /// Whether messages of a device would come by the filter: one of the device's own, or one that covers one of them.
    func concerns(_ device: Device) -> Bool {
        // A mapping that cannot be used is reported by itself.
        let filters = (try? device.decoder()?.filters) ?? (device.mapping == nil ? [device.topic] : [])
        guard let refused = try? TopicFilter(filter) else { return false }
        return filters.contains { text in (try? TopicFilter(text)).map { $0 == refused || refused.covers($0) } ?? false
        }
    }
}
