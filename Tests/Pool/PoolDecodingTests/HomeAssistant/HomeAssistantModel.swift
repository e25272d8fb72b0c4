@testable import PoolDecoding
@testable import PoolModel

/// A model of how Home Assistant handles announcements and messages according to its documentation: the rules for
/// sensors and binary sensors of a device announcement, with a manual clock in seconds.
///
/// - An entity is available if the last message on each topic of its `availability` was `payload_available` (mode
///   `all`). A list of its own replaces that of the device.
/// - Each message on the state topic restarts `expire_after`; when it has elapsed, the entity is unavailable.
/// - A template that returns an empty text leaves a number unchanged; one that returns `None` makes it unknown.
/// - A component that has only a platform is removed, with its state.
struct HomeAssistantModel {
    private struct Entity {
        var keys: [String: JSONValue]
        var availability: [String]
        var state: String?
        var updatedAt: Int?
    }

    private var entities: [String: Entity] = [:]
    private var last: [String: String] = [:]
    var now = 0

    /// Handles a message.
    mutating func receive(_ message: PublishedMessage) throws {
        let text = String(decoding: message.payload, as: UTF8.self)
        if message.topic.hasSuffix("/config") {
            try announce(message)
            return
        }
        last[message.topic] = text.isEmpty ? nil : text
        for (id, var entity) in entities where entity.keys["state_topic"]?.scalarText == message.topic {
            entity.updatedAt = now
            let value = try Self.render(entity.keys["value_template"]?.scalarText, message.payload)
            if value == "None" {
                entity.state = nil
            } else if !value.isEmpty {
                entity.state = value
            }
            entities[id] = entity
        }
    }

    /// The displayed state of an entity, by the end of its unique id: a value, `unknown` or `unavailable`; nil if
    /// absent.
    func shown(_ suffix: String) -> String? {
        guard let entity = entities.first(where: { $0.key.hasSuffix(suffix) })?.value else { return nil }
        guard entity.availability.allSatisfy({ last[$0] == "online" }) else { return "unavailable" }
        if let after = entity.keys["expire_after"]?.scalarText.flatMap(Int.init), let updated = entity.updatedAt,
            now - updated >= after
        {
            return "unavailable"
        }
        return entity.state ?? "unknown"
    }

    private mutating func announce(_ message: PublishedMessage) throws {
        guard !message.payload.isEmpty else {
            entities = entities.filter { $0.value.keys["from"]?.scalarText != message.topic }
            return
        }
        let root = try JSONScanner.scan(message.payload, depthMax: 8)
        guard case .object(let components) = root.member(named: "components") else { return }
        for component in components {
            guard case .object(let members) = component.value else { continue }
            var keys = Dictionary(members.map { ($0.key, $0.value) }) { $1 }
            let old = entities.first {
                $0.value.keys["from"]?.scalarText == message.topic
                    && $0.value.keys["component"]?.scalarText == component.key
            }?.key
            guard let id = keys["unique_id"]?.scalarText else {
                if let old { entities[old] = nil }
                continue
            }
            (keys["from"], keys["component"]) = (.string(message.topic), .string(component.key))
            let listed = keys["availability"] ?? root.member(named: "availability")
            var topics: [String] = []
            if case .array(let entries) = listed {
                topics = entries.compactMap { $0.member(named: "topic")?.scalarText }
            }
            entities[id] = Entity(
                keys: keys, availability: topics, state: entities[id]?.state, updatedAt: entities[id]?.updatedAt)
        }
    }

    /// The forms that the hub uses: `{{ value_json.KEY }}` and the same with `| default('TEXT')`.
    private static func render(_ template: String?, _ payload: [UInt8]) throws -> String {
        guard let template, !payload.isEmpty else { return String(decoding: payload, as: UTF8.self) }
        let words = template.dropFirst(2).dropLast(2).split(separator: "|").map { $0.filter { $0 != " " } }
        let key = String(words[0].dropFirst("value_json.".count))
        let value = try JSONScanner.scan(payload, depthMax: 4).member(named: key)?.scalarText
        guard words.count > 1 else { return value ?? "" }
        return value ?? String(words[1].dropFirst("default('".count).dropLast("')".count))
    }
}
