import PoolModel

/// The content of a payload: JSON, or text that is not JSON.
enum PayloadContent: Equatable {
    case json(JSONValue)
    /// A text without blanks around it, and why it is not JSON.
    case text(String, JSONParsingError)

    /// Reads a payload in UTF-8.
    ///
    /// - Throws: ``PayloadError`` if it is empty, too large, not text, or nested too deep.
    init(_ payload: [UInt8], configuration: PayloadDecoder.Configuration) throws(PayloadError) {
        guard payload.count <= configuration.byteCountMax else {
            throw .tooLarge(byteCount: payload.count, limit: configuration.byteCountMax)
        }
        let bytes = Self.cleaned(payload)
        if bytes.isEmpty { throw .empty }
        guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else { throw .notText }
        do throws(JSONParsingError) {
            self = .json(try JSONScanner.scan(bytes, depthMax: configuration.depthMax))
        } catch {
            if error.kind == .tooDeep { throw .tooDeep(limit: configuration.depthMax) }
            self = JSONValue(lines: bytes).map { .json($0) } ?? .text(text, error)
        }
    }

    /// The payload without a byte order mark, and without blanks and line ends around it.
    private static func cleaned(_ payload: [UInt8]) -> [UInt8] {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let bytes = payload.starts(with: mark) ? payload.dropFirst(mark.count) : payload[...]
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        guard let first = bytes.firstIndex(where: { !isBlank($0) }),
            let last = bytes.lastIndex(where: { !isBlank($0) })
        else { return [] }
        return Array(bytes[first...last])
    }
}

extension JSONValue {
    /// A list of the objects in a text with one on each line, as devices send what they have collected; nil for another
    /// text.
    init?(lines bytes: [UInt8]) {
        let lines = bytes.split { $0 == 0x0A || $0 == 0x0D }.filter { line in line.contains { $0 > 0x20 } }
        guard lines.count > 1 else { return nil }
        var elements: [JSONValue] = []
        for line in lines {
            // A text of which a line is not JSON is something else.
            guard let value = try? JSONScanner.scan(Array(line), depthMax: PayloadDecoder.Configuration().depthMax),
                case .object = value
            else { return nil }
            elements.append(value)
        }
        self = .array(elements)
    }
}
