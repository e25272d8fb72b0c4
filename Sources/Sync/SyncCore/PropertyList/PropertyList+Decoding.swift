extension PropertyList {
    /// Decodes canonical bytes; any bytes give a value or an error.
    ///
    /// More than `byteCountMax` bytes are refused without reading them.
    ///
    /// - Throws: ``PropertyListError``.
    public init(decoding bytes: [UInt8], byteCountMax: Int = .max) throws(PropertyListError) {
        guard bytes.count <= byteCountMax else {
            throw .tooLarge(byteCount: bytes.count, byteCountMax: byteCountMax)
        }
        var reader = PropertyListReader()
        self = try reader.value(bytes.span, depth: 0)
        guard reader.offset == bytes.count else { throw .trailing(offset: reader.offset) }
    }
}

/// Reads values from left to right.
private struct PropertyListReader {
    var offset = 0

    mutating func value(_ bytes: Span<UInt8>, depth: Int) throws(PropertyListError) -> PropertyList {
        guard depth < PropertyList.depthMax else { throw .tooDeep(path: "") }
        guard offset < bytes.count else { throw .truncated(path: "") }
        let tag = bytes[offset]
        offset += 1
        switch tag {
        case PropertyListTag.no: return .boolean(false)
        case PropertyListTag.yes: return .boolean(true)
        case PropertyListTag.integer:
            let zigzag = try varint(bytes)
            return .integer(Int64(bitPattern: zigzag >> 1) ^ -Int64(bitPattern: zigzag & 1))
        case PropertyListTag.unsigned:
            let number = try varint(bytes)
            // A smaller number must be encoded as a signed one.
            guard number > UInt64(Int64.max) else { throw .notCanonical(path: "") }
            return .unsigned(number)
        case PropertyListTag.real: return .real(try real(bytes))
        case PropertyListTag.date: return .date(try real(bytes))
        case PropertyListTag.string: return .string(try text(bytes))
        case PropertyListTag.data: return .data(try block(bytes).map { bytes[$0] })
        case PropertyListTag.array: return .array(try elements(bytes, depth: depth))
        case PropertyListTag.dictionary: return .dictionary(try pairs(bytes, depth: depth))
        default: throw .unknownTag(tag, path: "")
        }
    }

    private mutating func elements(
        _ bytes: Span<UInt8>, depth: Int
    ) throws(PropertyListError) -> [PropertyList] {
        let count = try count(bytes, byteCountMin: 1)
        var elements: [PropertyList] = []
        // The count may be false, so only little memory is reserved in advance.
        elements.reserveCapacity(min(count, 1024))
        for index in 0..<count {
            do { elements.append(try value(bytes, depth: depth + 1)) } catch { throw error.below("[\(index)]") }
        }
        return elements
    }

    private mutating func pairs(
        _ bytes: Span<UInt8>, depth: Int
    ) throws(PropertyListError) -> [PropertyList.Key: PropertyList] {
        let count = try count(bytes, byteCountMin: 2)
        var pairs: [PropertyList.Key: PropertyList] = [:]
        pairs.reserveCapacity(min(count, 1024))
        var last: Range<Int>?
        for _ in 0..<count {
            let key = try text(bytes)
            let range = offset - key.utf8.count..<offset
            if let last, !Self.precedes(bytes, last, range) { throw .notCanonical(path: key) }
            last = range
            do {
                pairs[PropertyList.Key(key)] = try value(bytes, depth: depth + 1)
            } catch {
                throw error.below(key)
            }
        }
        return pairs
    }

    /// Whether the bytes of the left range come before those of the right one.
    private static func precedes(_ bytes: Span<UInt8>, _ left: Range<Int>, _ right: Range<Int>) -> Bool {
        for position in 0..<min(left.count, right.count) {
            let (one, other) = (bytes[left.lowerBound + position], bytes[right.lowerBound + position])
            if one != other { return one < other }
        }
        return left.count < right.count
    }

    private mutating func varint(_ bytes: Span<UInt8>) throws(PropertyListError) -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), through: 63, by: 7) {
            guard offset < bytes.count else { throw .truncated(path: "") }
            let byte = bytes[offset]
            offset += 1
            number |= UInt64(byte & 0x7F) << shift
            guard byte < 0x80 else { continue }
            // No redundant group of zeros at the end, and no bit beyond the 64th.
            guard byte > 0 || shift == 0, shift < 63 || byte == 1 else { throw .notCanonical(path: "") }
            return number
        }
        throw .notCanonical(path: "")
    }

    /// A count of elements of at least `byteCountMin` bytes each; the remaining bytes must suffice for them.
    private mutating func count(_ bytes: Span<UInt8>, byteCountMin: Int) throws(PropertyListError) -> Int {
        let count = try varint(bytes)
        guard count <= UInt64((bytes.count - offset) / byteCountMin) else { throw .truncated(path: "") }
        return Int(count)
    }

    private mutating func block(_ bytes: Span<UInt8>) throws(PropertyListError) -> Range<Int> {
        let count = try count(bytes, byteCountMin: 1)
        let start = offset
        offset += count
        return start..<offset
    }

    private mutating func text(_ bytes: Span<UInt8>) throws(PropertyListError) -> String {
        let range = try block(bytes)
        guard UTF8Check.isText(bytes, range) else { throw .notText(path: "") }
        // The bytes were checked to be UTF-8, and all of them are copied.
        return unsafe String(unsafeUninitializedCapacity: range.count) { buffer in
            for position in 0..<range.count {
                unsafe buffer[position] = bytes[range.lowerBound + position]
            }
            return range.count
        }
    }

    private mutating func real(_ bytes: Span<UInt8>) throws(PropertyListError) -> Double {
        guard bytes.count - offset >= 8 else { throw .truncated(path: "") }
        defer { offset += 8 }
        return Double(bitPattern: bytes.number(at: offset, as: UInt64.self))
    }
}
