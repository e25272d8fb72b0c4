import PoolModel

/// Collects the self-descriptions of Homie devices, and offers those that measure a quantity of the water.
///
/// Conventions 3 and 4 describe a device on topics whose last level starts with `$`, convention 5 in one
/// `$description`. Only these are kept, at most ``attributeCountMax`` of them with at most ``byteCountMax`` bytes in
/// all; more are counted in ``droppedCount``. Source: Homie, conventions 3.0.1, 4.0.0 and 5.0.
public struct HomieDiscovery: Sendable {
    /// The most attributes that are kept.
    public static let attributeCountMax = 4096
    /// The most bytes that are kept, of topics and payloads together.
    public static let byteCountMax = 2_097_152
    /// The most bytes of a description.
    public static let descriptionByteCountMax = 131_072
    /// The most devices that are offered.
    public static let deviceCountMax = 64

    /// The number of attributes that were dropped because of a limit.
    public private(set) var droppedCount = 0
    private var attributes: [String: String] = [:]
    private var byteCount = 0

    /// Creates a discovery that has received nothing.
    public init() {}

    /// Processes one message; returns whether it is an attribute of a Homie device.
    @discardableResult
    public mutating func absorb(topic: String, payload: [UInt8]) -> Bool {
        let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
        guard levels.count >= 3, topic.utf8.count <= 1024, let last = levels.last, Self.known.contains(last) else {
            return false
        }
        forget(topic)
        guard !payload.isEmpty else { return true }
        let limit = last == "$description" ? Self.descriptionByteCountMax : 1024
        let size = topic.utf8.count + payload.count
        guard payload.count <= limit, attributes.count < Self.attributeCountMax, byteCount + size <= Self.byteCountMax,
            let text = String(validating: payload, as: UTF8.self)
        else {
            droppedCount += 1
            return true
        }
        attributes[topic] = text
        byteCount += size
        return true
    }

    /// Whether a topic says something about a device, such as `…/$fw/version` and `…/$stats/uptime`.
    static func isOfADevice(_ topic: String) -> Bool { topic.split(separator: "/").contains { $0.hasPrefix("$") } }

    private mutating func forget(_ topic: String) {
        guard let text = attributes.removeValue(forKey: topic) else { return }
        byteCount -= topic.utf8.count + text.utf8.count
    }

    private static let known: Set<Substring> = [
        "$homie", "$state", "$name", "$nodes", "$properties", "$unit", "$datatype", "$settable", "$description",
    ]

    /// The devices that measure something of the water, ordered by their topics.
    public var offers: [HomieOffer] {
        let topics = attributes.keys.sorted()
        let described = topics.filter { $0.hasSuffix("/$description") }.compactMap { topic in
            describedDevice(base: String(topic.dropLast("/$description".count)), attributes[topic] ?? "")
        }
        let bases = topics.lazy.filter { $0.hasSuffix("/$homie") }.prefix(512).map {
            String($0.dropLast("/$homie".count))
        }
        let attributed = bases.compactMap { base in
            HomieOffer(
                base: base, name: attributes["\(base)/$name"], properties: properties(below: base, topics: topics))
        }
        return Array((described + attributed).prefix(Self.deviceCountMax))
    }

    /// The properties of a device, from the attributes three levels below it.
    private func properties(below base: String, topics: [String]) -> [HomieProperty] {
        var properties: [String: HomieProperty] = [:]
        for topic in topics where topic.hasPrefix(base + "/") {
            let levels = topic.dropFirst(base.count + 1).split(separator: "/", omittingEmptySubsequences: false)
            guard levels.count == 3 else { continue }
            let (node, id) = (String(levels[0]), String(levels[1]))
            let nodeName = attributes["\(base)/\(node)/$name"]
            var property =
                properties["\(node)/\(id)"] ?? HomieProperty(nodeID: node, nodeName: nodeName, id: id)
            switch levels[2] {
            case "$name": property.name = attributes[topic]
            case "$unit": property.unitText = attributes[topic]
            case "$datatype": property.dataType = attributes[topic]
            case "$settable": property.isSettable = attributes[topic] == "true"
            default: continue
            }
            properties["\(node)/\(id)"] = property
        }
        return properties.sorted { $0.key < $1.key }.map(\.value)
    }

    /// A device of convention 5.
    private func describedDevice(base: String, _ description: String) -> HomieOffer? {
        // A description that is not JSON is ignored.
        guard let root = try? JSONScanner.scan(Array(description.utf8), depthMax: 16),
            case .object(let nodes) = root.member(named: "nodes")
        else { return nil }
        let properties = nodes.prefix(128).flatMap { node -> [HomieProperty] in
            guard case .object(let members) = node.value.member(named: "properties") else { return [] }
            return members.prefix(128).map { member in
                HomieProperty(
                    nodeID: node.key, nodeName: node.value.member(named: "name")?.scalarText, id: member.key,
                    name: member.value.member(named: "name")?.scalarText,
                    unitText: member.value.member(named: "unit")?.scalarText, isDescribed: true,
                    dataType: member.value.member(named: "datatype")?.scalarText,
                    isSettable: member.value.member(named: "settable") == .bool(true))
            }
        }
        return HomieOffer(base: base, name: root.member(named: "name")?.scalarText, properties: properties)
    }
}
