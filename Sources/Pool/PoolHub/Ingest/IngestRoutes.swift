import MQTT
import PoolModel

/// Which devices a message is for: by the server that delivered it and its topic, never by what it says.
///
/// One message may be for several devices, as when a controller publishes two pools in one (S12).
struct IngestRoutes {
    private struct Table {
        var exact: [[UInt8]: [Int]] = [:]
        var wildcards: [(filter: TopicFilter, index: Int)] = []
        var filters: Set<String> = []
    }

    private var tables: [ServerID: Table] = [:]

    /// Adds a filter of a device.
    ///
    /// - Parameters:
    ///   - filter: The filter or topic.
    ///   - index: The place of the device in the list of devices.
    ///   - server: The device's server.
    /// - Throws: `MQTTError` if it is no filter.
    mutating func add(_ filter: String, for index: Int, of server: ServerID) throws {
        let parsed = try TopicFilter(filter)
        var table = tables[server] ?? Table()
        table.filters.insert(filter)
        if filter.utf8.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "#") }) {
            table.wildcards.append((parsed, index))
        } else {
            // By bytes, as brokers compare: texts that look the same may be two topics.
            table.exact[Array(filter.utf8), default: []].append(index)
        }
        tables[server] = table
    }

    /// The filters of all devices of a server.
    func filters(of server: ServerID) -> Set<String> { tables[server]?.filters ?? [] }

    /// The places of the devices that a message concerns, each once, in the order of the devices.
    ///
    /// - Complexity: One look-up, and one comparison for each filter with a wildcard.
    func devices(of topic: TopicName, at server: ServerID) -> [Int] {
        guard let table = tables[server] else { return [] }
        let exact = table.exact[Array(topic.text.utf8)] ?? []
        guard !table.wildcards.isEmpty else { return exact }
        let others = table.wildcards.filter { $0.filter.matches(topic) }.map(\.index)
        return others.isEmpty ? exact : Set(exact + others).sorted()
    }
}
