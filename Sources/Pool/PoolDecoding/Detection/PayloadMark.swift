import PoolModel

/// A scalar in a payload that says which device the message is from, or which of its values it has:
/// `"model":"Acurite-986"`.
struct PayloadMark: Hashable {
    var path: ValuePath
    var word: String

    /// Whether different words mean different devices; a weak mark may also distinguish kinds of messages from one
    /// device.
    var isStrong: Bool {
        guard case .key(let key) = path.steps.last else { return false }
        return Self.strong.contains(Self.folded(key))
    }

    /// The strong marks, the preferred ones first.
    static let strong = [
        "model", "name", "friendlyname", "devicename", "sensorname", "device", "deviceid", "devid", "deveui",
        "sensorid",
        "probeid", "poolid", "nodeid", "stationid", "location", "mac", "macaddress", "bleaddress", "ieeeaddr",
        "address",
        "addr", "serial", "serialnumber", "sn", "uuid", "uid", "did", "id", "channel", "node",
    ]
    private static let weak: Set<String> = [
        "type", "sensor", "sensortype", "parameter", "param", "quantity", "measurement", "measure", "metric", "kind",
        "label", "field", "variable", "key", "n", "code", "datatype", "source", "src", "station", "pool", "poolname",
        "probe", "room", "zone", "tag", "thing", "host", "hostname", "topic", "scenario", "body", "item", "itemname",
        "entity", "entityid", "attribute", "datapoint", "dp", "signal", "point", "path", "property", "reading",
    ]
    /// The objects in which a device describes itself.
    private static let containers: Set<String> = [
        "device", "deviceinfo", "meta", "info", "source", "sensor", "node", "tags", "header", "enddeviceids",
    ]

    /// The marks in a payload, in its order; at most 8.
    static func all(in value: JSONValue) -> [PayloadMark] {
        guard case .object(let members) = value else { return [] }
        var marks: [PayloadMark] = []
        for member in members.prefix(64) {
            marks += mark(member, below: []).map { [$0] } ?? []
            guard containers.contains(folded(member.key)), case .object(let inner) = member.value else { continue }
            marks += inner.prefix(32).compactMap { mark($0, below: [.key(member.key)]) }
        }
        return Array(marks.prefix(8))
    }

    private static func mark(_ member: JSONValue.Member, below steps: [ValuePath.Step]) -> PayloadMark? {
        let key = folded(member.key)
        let isStrong = strong.contains(key)
        guard isStrong || weak.contains(key) else { return nil }
        switch member.value {
        case .string(let text) where (1...64).contains(text.utf8.count):
            return PayloadMark(path: ValuePath(steps + [.key(member.key)]), word: text)
        case .number(let text) where isStrong && text.utf8.allSatisfy(NumberGrammar.isDigit):
            return PayloadMark(path: ValuePath(steps + [.key(member.key)]), word: text)
        case .null, .bool, .number, .nonFinite, .string, .array, .object: return nil
        }
    }

    /// Whether words, judged by their order and counts, belong to messages and not to senders.
    static func areOfMessages(_ words: [(word: String, count: Int)]) -> Bool {
        guard words.count >= 2, words.allSatisfy({ $0.count == 1 }) else { return false }
        if words.allSatisfy({ $0.word.utf8.count == 36 && $0.word.split(separator: "-").count == 5 }) { return true }
        let numbers = words.compactMap { Int64($0.word) }
        guard numbers.count == words.count else { return false }
        let steps = zip(numbers.dropFirst(), numbers).map { $0.0.subtractingReportingOverflow($0.1).partialValue }
        // Numbers of messages count up, and so do times; those of senders repeat, or come in any order.
        guard steps.allSatisfy({ $0 > 0 }) else { return false }
        return words.count >= 4 && steps.allSatisfy { $0 <= 16 } || numbers.allSatisfy { $0 > 1_000_000_000 }
    }

    private static func folded(_ key: String) -> String {
        String(key.lowercased().filter { $0 != "_" && $0 != "-" && $0 != " " })
    }
}
