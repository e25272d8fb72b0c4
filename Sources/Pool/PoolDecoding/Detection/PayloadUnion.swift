import PoolModel

/// Combines several payloads, because devices send some of their values in one message and some in the next.
enum PayloadUnion {
    /// The newer payload, with what only the older one has; where the newer one has no value, the older one's stays.
    static func text(of old: String, and new: String) -> String {
        guard old != new else { return new }
        switch (JSONValue(payload: old), JSONValue(payload: new)) {
        case (let old?, let new?): return union(of: old, and: new).text
        case (nil, nil): return textForm(of: old, and: new)
        case (_?, nil), (nil, _?): return JSONValue.string(new).meansNothing ? old : new
        }
    }

    private static func union(of old: JSONValue, and new: JSONValue) -> JSONValue {
        switch (old, new) {
        case (.object(let members), .object(let others)):
            var result = members
            for other in others {
                if let index = result.firstIndex(where: { $0.key == other.key }) {
                    result[index].value = union(of: result[index].value, and: other.value)
                } else {
                    result.append(other)
                }
            }
            return .object(result)
        case (.array(let elements), .array(let others)): return .array(union(of: elements, and: others))
        case (.null, _), (.bool, _), (.number, _), (.nonFinite, _), (.string, _), (.array, _), (.object, _):
            return new.meansNothing ? old : new
        }
    }

    /// The combined elements of both lists if each element has a name, otherwise the newer list.
    private static func union(of old: [JSONValue], and new: [JSONValue]) -> [JSONValue] {
        guard old.count + new.count <= 128, (old + new).allSatisfy({ name(of: $0) != nil }) else {
            return new.isEmpty ? old : new
        }
        var result = old
        for element in new {
            if let index = result.firstIndex(where: { name(of: $0) == name(of: element) }) {
                result[index] = union(of: result[index], and: element)
            } else {
                result.append(element)
            }
        }
        return result
    }

    private static func name(of element: JSONValue) -> [PayloadMark]? {
        let marks = PayloadMark.all(in: element)
        return marks.isEmpty ? nil : marks
    }

    private static func textForm(of old: String, and new: String) -> String {
        if JSONValue.string(new).meansNothing { return old }
        do throws(TextFormError) {
            let fields = try TextForm.fields(of: Substring(new.trimmedOfBlanks))
            let others = try TextForm.fields(of: Substring(old.trimmedOfBlanks))
                .filter { other in !fields.contains { $0.key.lowercased() == other.key.lowercased() } }
            guard !fields.isEmpty, !others.isEmpty else { return new }
            return (others + fields).map { field in
                if case .text(let value) = field.value { "\(field.key):\(value)" } else { "\(field.key):" }
            }.joined(separator: ",")
        } catch {
            // Another text is another value.
            return new
        }
    }
}

extension JSONValue {
    /// Whether a scalar means that there is no value.
    var meansNothing: Bool {
        switch self {
        case .null, .nonFinite: true
        case .string(let text):
            text.trimmedOfBlanks.isEmpty || MappingWord.isNoValue(text) || text.lowercased() == "nan"
        case .bool, .number, .array, .object: false
        }
    }

    /// A payload as JSON if it is JSON; a bare number is JSON too.
    init?(payload text: String) {
        var bytes = Array(text.utf8)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        // Anything that is not JSON is treated as text.
        guard let value = (try? JSONScanner.scan(bytes, depthMax: 32)) ?? JSONValue(lines: bytes) else { return nil }
        self = value
    }
}
