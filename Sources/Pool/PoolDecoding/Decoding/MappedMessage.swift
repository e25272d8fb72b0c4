import PoolModel

/// A message whose payload is parsed, but not yet interpreted.
struct MappedMessage {
    let topic: String
    let content: PayloadContent
    let receivedAt: Timestamp
    let isRetained: Bool
    /// The hash of topic and payload: on another topic the same number is another measurement.
    let hash: UInt64

    init(
        topic: String, payload: [UInt8], receivedAt: Timestamp, isRetained: Bool,
        configuration: PayloadDecoder.Configuration
    ) throws(MappingDecodingError) {
        self.topic = topic
        self.receivedAt = receivedAt
        self.isRetained = isRetained
        do throws(PayloadError) {
            content = try PayloadContent(Self.repaired(payload, configuration), configuration: configuration)
        } catch {
            guard error == .notText else { throw MappingDecodingError(topic: topic, cause: .payload(error)) }
            throw MappingDecodingError(topic: topic, cause: Self.cause(ofNoText: payload, topic: topic))
        }
        hash = ReadingKey.hash(of: Array(topic.utf8) + [0] + payload)
    }

    /// The field at a path, with the name for remarks; nil if there is no such path.
    func field(at path: ValuePath) -> PayloadField? {
        guard let value = content.value(at: path) else { return nil }
        return PayloadField(key: name(of: path), value: PayloadField.Value(value))
    }

    /// How many samples the list at a path with `[*]` has; 0 if there is no list.
    func sampleCount(at path: ValuePath) -> Int {
        guard let list = path.sampleList, case .array(let elements) = content.value(at: list) else { return 0 }
        return elements.count
    }

    /// The hash of one sample, by what is in its places.
    ///
    /// A list is often sent again with further samples, and a sample in it is then the same one. Without a time it can
    /// only be told from the others by its position in this message.
    func hash(ofSample index: Int, at paths: [ValuePath], isDated: Bool) -> UInt64 {
        let parts = paths.map { content.value(at: $0.inSample(index))?.text ?? "" }
        let text = "\(topic)\u{0}\(parts.joined(separator: "\u{0}"))" + (isDated ? "" : "\u{0}\(hash)\u{0}\(index)")
        return ReadingKey.hash(of: Array(text.utf8))
    }

    /// The name of a path in remarks: the path itself, or the topic for the whole payload.
    func name(of path: ValuePath) -> String { path == .whole ? topic : "\(path)" }

    /// The payload without the zero bytes that C programs leave at its end, and converted to UTF-8 from Latin-1.
    private static func repaired(_ payload: [UInt8], _ configuration: PayloadDecoder.Configuration) -> [UInt8] {
        guard payload.count <= configuration.byteCountMax else { return payload }
        let end = payload.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
        let bytes = payload[..<end]
        guard String(validating: bytes, as: UTF8.self) == nil else { return Array(bytes) }
        // Text in Latin-1 has no control characters except line ends and tabs. Binary payloads nearly always have
        // some.
        let isLatin1 = bytes.allSatisfy { byte in
            (0x20..<0x7F).contains(byte) || byte >= 0xA0 || (0x09...0x0D).contains(byte)
        }
        let highCount = bytes.count { $0 >= 0x80 }
        guard isLatin1, highCount * 4 <= bytes.count else { return Array(bytes) }
        return bytes.flatMap { Array(String(Unicode.Scalar($0)).utf8) }
    }

    private static func cause(ofNoText payload: [UInt8], topic: String) -> MappingDecodingError.Cause {
        if payload.starts(with: [0xFF, 0xFE]) || payload.starts(with: [0xFE, 0xFF]) { return .utf16 }
        return BinaryKind(topic: topic, payload: payload).map { .binary($0) } ?? .payload(.notText)
    }
}

extension PayloadContent {
    /// The value at a path, or nil.
    ///
    /// In a text that is not JSON a key finds the value after it, as in `ph:7.2,temp:26` or `ph=7.2 temp=26`, and a
    /// list index finds the piece between separators, as in `25.6;7.21;650`.
    func value(at path: ValuePath) -> JSONValue? {
        switch self {
        case .json(let value): value.value(at: path)
        case .text(let text, _): Self.piece(of: text, at: path.steps).map { .string($0) }
        }
    }

    /// The first few keys, for a message to a person.
    var keys: [String] {
        switch self {
        case .json(.object(let members)): members.prefix(8).map(\.key.shortened)
        case .json(.array(let elements)): elements.indices.prefix(3).map { "[\($0)]" }
        case .json, .text: []
        }
    }

    /// The piece of a text at a place in it, or nil.
    static func piece(of text: String, at steps: [ValuePath.Step]) -> String? {
        if steps.isEmpty { return text }
        guard steps.count == 1, let first = text.first, first != "{", first != "[" else { return nil }
        switch steps[0] {
        case .index(let index):
            let pieces = list(in: text)
            let place = index < 0 ? pieces.count + index : index
            return pieces.indices.contains(place) ? String(pieces[place].trimmedOfBlanks) : nil
        case .element, .each: return nil
        case .key(let key): return pairs(in: text).first { $0.key.lowercased() == key.lowercased() }?.value
        }
    }

    /// The pieces between the strongest separator in the text: a comma may be a decimal comma if there is another
    /// one.
    static func list(in text: String) -> [Substring] {
        for separator: Character in [";", "\t", "|", ","] where text.contains(separator) {
            return text.split(separator: separator, omittingEmptySubsequences: false)
        }
        return text.split(whereSeparator: \.isWhitespace)
    }

    /// The pairs of keys and values in a text.
    static func pairs(in text: String) -> [(key: String, value: String)] {
        do throws(TextFormError) {
            let fields = try TextForm.fields(of: Substring(text)).compactMap { field -> (String, String)? in
                guard case .text(let value) = field.value else { return nil }
                return (field.key, value)
            }
            // A value with another pair in it shows that something else than commas separates them.
            if !fields.contains(where: { hasPair($0.1) }) { return fields }
        } catch {
            // Not the documented text form, but perhaps pairs as loggers and query strings write them.
        }
        return loggedPairs(in: text)
    }

    /// Whether a text has another key in it: a sign after a letter, other than in "10:00:00".
    private static func hasPair(_ text: String) -> Bool {
        text.contains { "=;|".contains($0) }
            || zip(text, text.dropFirst()).contains { $0.isLetter && $1 == ":" }
    }

    /// The pairs of Ultralight 2.0, whose separators are bars alone: `t|26.4#ph|7.21`; empty for another text.
    ///
    /// Source: FIWARE, "IoT Agent for Ultralight 2.0", "Measure reporting".
    private static func barredPairs(in text: String) -> [(key: String, value: String)] {
        let cells = text.split(omittingEmptySubsequences: false) { "|#".contains($0) }
        guard text.contains("|"), cells.count.isMultiple(of: 2) else { return [] }
        let pairs = stride(from: 0, to: cells.count, by: 2).map { (String(cells[$0]), String(cells[$0 + 1])) }
        return pairs.allSatisfy { $0.0.first?.isLetter == true && Double($0.1) != nil } ? pairs : []
    }

    private static func loggedPairs(in text: String) -> [(key: String, value: String)] {
        let barred = barredPairs(in: text)
        guard barred.isEmpty else { return barred }
        var pairs: [(key: String, value: String)] = []
        let text = text.replacing(": ", with: ":").replacing("= ", with: "=")
        for piece in text.split(whereSeparator: { $0.isWhitespace || ";&|".contains($0) }) {
            // "ph:7,41": a piece without a sign has the decimals of the value before it.
            var isAfterPair = false
            for part in piece.split(separator: ",") {
                guard let sign = part.firstIndex(where: { $0 == "=" || $0 == ":" }) else {
                    if isAfterPair { pairs[pairs.count - 1].value += ",\(part)" }
                    continue
                }
                let key = part[..<sign]
                let value = part[part.index(after: sign)...]
                isAfterPair = !key.isEmpty && !value.isEmpty && !key.allSatisfy(\.isNumber)
                if isAfterPair { pairs.append((String(key), String(value))) }
            }
        }
        // InfluxDB marks integers.
        return pairs.map { key, value in
            (key, value.last == "i" && value.dropLast().allSatisfy(\.isNumber) ? String(value.dropLast()) : value)
        }
    }
}
