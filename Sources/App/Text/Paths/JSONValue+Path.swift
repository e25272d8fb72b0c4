extension JSONValue {
    /// The longest text that is checked for embedded JSON.
    private static let embeddedByteCountMax = 4096
    /// The most levels of such a text.
    private static let embeddedDepthMax = 32

    /// The value at a path, or nil.
    ///
    /// Of members with the same key the first one counts. If no member has exactly the key, the case is ignored,
    /// because the same product may write `power` and `Power`. A text that contains JSON, as some bridges send it, is searched
    /// too.
    package func value(at path: ValuePath) -> JSONValue? {
        var value = self
        for step in path.steps {
            if case .string(let text) = value {
                guard let embedded = Self.embedded(in: text) else { return nil }
                value = embedded
            }
            switch (step, value) {
            case (.key(let key), .object(let members)):
                guard let member = Self.member(key, of: members) else { return nil }
                value = member.value
            case (.index(let index), .array(let elements)):
                let place = index < 0 ? elements.count + index : index
                guard elements.indices.contains(place) else { return nil }
                value = elements[place]
            case (.element(let key, let word), .array(let elements)):
                let element = elements.first { element in
                    guard case .object(let members) = element, let member = Self.member(key, of: members) else {
                        return false
                    }
                    return MappingWord.word(of: member.value).map { MappingWord.isAny($0, of: [word]) } ?? false
                }
                guard let element else { return nil }
                value = element
            case (.key, _), (.index, _), (.element, _), (.each, _): return nil
            }
        }
        return value
    }

    private static func member(_ key: String, of members: [Member]) -> Member? {
        if let member = members.first(where: { $0.key == key }) { return member }
        let folded = key.lowercased()
        return members.first { $0.key.utf8.count == key.utf8.count && $0.key.lowercased() == folded }
    }

    private static func embedded(in text: String) -> JSONValue? {
        guard let first = text.trimmedOfBlanks.first, first == "{" || first == "[",
            text.utf8.count <= embeddedByteCountMax
        else { return nil }
        do throws(JSONParsingError) {
            return try JSONScanner.scan(Array(text.utf8), depthMax: embeddedDepthMax)
        } catch {
            // The text only starts like JSON.
            return nil
        }
    }

    /// The value as JSON text that the scanner can read again.
    package var text: String {
        switch self {
        case .null: "null"
        case .bool(let truth): truth ? "true" : "false"
        case .number(let text): text
        case .nonFinite: "NaN"
        case .string(let text): NotationCursor.quoted(text)
        case .array(let elements): "[\(elements.map(\.text).joined(separator: ","))]"
        case .object(let members):
            "{\(members.map { "\(NotationCursor.quoted($0.key)):\($0.value.text)" }.joined(separator: ","))}"
        }
    }
}
