package import Text

/// An entity as a device announces it to Home Assistant, alone or as a component of a device.
package struct AnnouncedEntity {
    /// The most components of one device that are looked at.
    package static let countMax = 128

    /// The kind of entity, such as `sensor`.
    package var platform: String
    /// Its members under their full keys, with those that the device gives once for all of its components.
    package var keys: [String: JSONValue]
    /// The topic of the announcement and, in the device form, the component.
    package var source: String
    /// The component in the device form; nil for an entity that is announced alone.
    package var componentID: String?

    /// The keys that a device may give once for all of its components.
    private static let sharedKeys: Set<String> = [
        "availability", "availability_mode", "availability_template", "availability_topic", "command_topic",
        "payload_available", "payload_not_available", "state_topic", "qos", "encoding", "~",
    ]

    /// The entities of an announcement, in its order; none if it has another form.
    package static func all(in announcement: JSONValue, at topic: HomeAssistantTopic) -> [AnnouncedEntity] {
        let root = HomeAssistantKeys.expanded(announcement, scope: .entity)
        guard topic.isDevice else {
            return [AnnouncedEntity(platform: topic.component, keys: root, source: topic.text)]
        }
        guard case .object(let components) = root["components"] else { return [] }
        let shared = root.filter { sharedKeys.contains($0.key) }
        return components.prefix(countMax).compactMap { component in
            let own = HomeAssistantKeys.expanded(component.value, scope: .entity)
            // A component with nothing but its platform is removed.
            guard let platform = own["platform"]?.scalarText, own.count > 1 else { return nil }
            return AnnouncedEntity(
                platform: platform, keys: shared.merging(own) { _, own in own },
                source: "\(topic.text) \(component.key)", componentID: component.key)
        }
    }

    /// The text of a key; nil if it has none.
    package func text(_ key: String) -> String? { keys[key]?.scalarText }

    /// The topic that a key gives, in full; nil if it gives none.
    package func topic(_ key: String) -> String? { text(key).map(full) }

    /// A topic in full: a `~` at its start or at its end stands for the base topic.
    package func full(_ topic: String) -> String {
        guard let base = text("~") else { return topic }
        if topic.hasPrefix("~") { return base + topic.dropFirst() }
        if topic.hasSuffix("~") { return topic.dropLast() + base }
        return topic
    }

    /// What distinguishes a device from others: its first identifier, else its first connection, else its name.
    package static func deviceKey(_ device: [String: JSONValue]) -> String? {
        let identifiers: JSONValue? =
            if case .array(let all) = device["identifiers"] { all.first } else { device["identifiers"] }
        if let text = identifiers?.scalarText { return text.shortened }
        if case .array(let connections) = device["connections"], case .array(let pair) = connections.first,
            let text = pair.last?.scalarText
        {
            return text.shortened
        }
        return device["name"]?.scalarText?.shortened
    }
}
