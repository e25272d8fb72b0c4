@testable import PoolDecoding
@testable import PoolModel

/// What Home Assistant does with announcements and messages, as its documentation says: the rules for sensors and binary
/// sensors of a device announcement, in seconds of a clock that the test moves.
///
/// - An entity is available when each topic of its `availability` said `payload_available` last (mode `all`); a list of
///   its own stands in place of the device's.
/// - Each message on the state topic starts `expire_after` anew; when it is over, the entity is unavailable.
/// - A template that gives an empty text leaves a number as it is, one that gives `None` makes it unknown.
/// - A component with its platform only is removed, with all that was known of it.
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

    /// Takes a message.
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

    /// What is shown of an entity, by the end of its unique id: a state, `unknown` or `unavailable`, or nil.
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
