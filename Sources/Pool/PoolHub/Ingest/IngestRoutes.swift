import MQTT
import PoolModel

/// Finds the devices of a message by its server and topic, never by its contents.
///
/// A message may have several devices, for example if a controller publishes the values of two pools together.
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
    ///   - index: The index of the device in the list of devices.
    ///   - server: The device's server.
    /// - Throws: `MQTTError` if it is not a valid filter.
    mutating func add(_ filter: String, for index: Int, of server: ServerID) throws {
        let parsed = try TopicFilter(filter)
        var table = tables[server] ?? Table()
        table.filters.insert(filter)
        if filter.utf8.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "#") }) {
            table.wildcards.append((parsed, index))
        } else {
            // Compared by bytes, as brokers do: different topics may look the same.
            table.exact[Array(filter.utf8), default: []].append(index)
        }
        tables[server] = table
    }

    /// The filters of all devices of a server.
    func filters(of server: ServerID) -> Set<String> { tables[server]?.filters ?? [] }

    /// The indices of the devices of a topic, each once, in order.
    ///
    /// - Complexity: One lookup, and one comparison for each filter with a wildcard.
    func devices(of topic: TopicName, at server: ServerID) -> [Int] {
        guard let table = tables[server] else { return [] }
        let exact = table.exact[Array(topic.text.utf8)] ?? []
        guard !table.wildcards.isEmpty else { return exact }
        let others = table.wildcards.filter { $0.filter.matches(topic) }.map(\.index)
        return others.isEmpty ? exact : Set(exact + others).sorted()
    }
}
