extension PropertyList {
    /// The most levels of nesting that are written and read.
    public static let depthMax = 128

    /// The canonical bytes, at most `byteCountMax` of them.
    ///
    /// - Throws: ``PropertyListError/tooLarge(byteCount:byteCountMax:)`` before anything is written,
    ///   ``PropertyListError/tooDeep(path:)``.
    public func encoded(byteCountMax: Int = .max) throws(PropertyListError) -> [UInt8] {
        var writer = PropertyListWriter()
        // Sorting the keys is the expensive part, so the sorted pairs are kept for writing.
        let byteCount = try writer.measure(self, depth: 0)
        guard byteCount <= byteCountMax else {
            throw .tooLarge(byteCount: byteCount, byteCountMax: byteCountMax)
        }
        return [UInt8](capacity: byteCount) { writer.write(self, to: &$0) }
    }
}

extension PropertyListError {
    /// The same error, with the path from one level further up.
    func below(_ step: @autoclosure () -> String) -> PropertyListError {
        func joined(_ path: String) -> String {
            let isNested = path.isEmpty || path.hasPrefix("[")
            return isNested ? step() + path : step() + "." + path
        }
        switch self {
        case .truncated(let path): return .truncated(path: joined(path))
        case .unknownTag(let tag, let path): return .unknownTag(tag, path: joined(path))
        case .notCanonical(let path): return .notCanonical(path: joined(path))
        case .notText(let path): return .notText(path: joined(path))
        case .tooDeep(let path): return .tooDeep(path: joined(path))
        case .trailing, .tooLarge: return self
        }
    }
}

/// The tag byte before the contents of a value.
enum PropertyListTag {
    static let no: UInt8 = 1
    static let yes: UInt8 = 2
    static let integer: UInt8 = 3
    static let unsigned: UInt8 = 4
    static let real: UInt8 = 5
    static let date: UInt8 = 6
    static let string: UInt8 = 7
    static let data: UInt8 = 8
    static let array: UInt8 = 9
    static let dictionary: UInt8 = 10
}

/// Measures a value, then writes it.
private struct PropertyListWriter {
    /// The pairs of each dictionary by key, in the order in which the dictionaries are visited.
    private var sorted: [[(key: PropertyList.Key, value: PropertyList)]] = []
    private var next = 0

    /// The number of bytes of a value.
    mutating func measure(_ value: PropertyList, depth: Int) throws(PropertyListError) -> Int {
        guard depth < PropertyList.depthMax else { throw .tooDeep(path: "") }
        switch value {
        case .boolean: return 1
        case .integer(let number): return 1 + Self.byteCount(Self.zigzag(number))
        case .unsigned(let number):
            if let signed = Int64(exactly: number) { return 1 + Self.byteCount(Self.zigzag(signed)) }
            return 1 + Self.byteCount(number)
        case .real, .date: return 9
        case .string(let text): return 1 + Self.byteCount(block: text.utf8.count)
        case .data(let bytes): return 1 + Self.byteCount(block: bytes.count)
        case .array(let elements):
            var count = 1 + Self.byteCount(UInt64(elements.count))
            for (index, element) in elements.enumerated() {
                do { count += try measure(element, depth: depth + 1) } catch { throw error.below("[\(index)]") }
            }
            return count
        case .dictionary(let members):
            let pairs = members.count < 2 ? Array(members) : members.sorted { $0.key < $1.key }
            sorted.append(pairs)
            var count = 1 + Self.byteCount(UInt64(pairs.count))
            for (key, value) in pairs {
                count += Self.byteCount(block: key.text.utf8.count)
                do { count += try measure(value, depth: depth + 1) } catch { throw error.below(key.text) }
            }
            return count
        }
    }

    /// Writes a value that was measured.
    mutating func write(_ value: PropertyList, to output: inout OutputSpan<UInt8>) {
        switch value {
        case .boolean(let value): output.append(value ? PropertyListTag.yes : PropertyListTag.no)
        case .integer(let number): Self.write(number, to: &output)
        case .unsigned(let number):
            if let signed = Int64(exactly: number) {
                Self.write(signed, to: &output)
            } else {
                output.append(PropertyListTag.unsigned)
                Self.write(varint: number, to: &output)
            }
        case .real(let number):
            output.append(PropertyListTag.real)
            Self.write(number, to: &output)
        case .date(let seconds):
            output.append(PropertyListTag.date)
            Self.write(seconds, to: &output)
        case .string(let text):
            output.append(PropertyListTag.string)
            Self.write(text, to: &output)
        case .data(let bytes):
            output.append(PropertyListTag.data)
            Self.write(varint: UInt64(bytes.count), to: &output)
            for byte in bytes { output.append(byte) }
        case .array(let elements):
            output.append(PropertyListTag.array)
            Self.write(varint: UInt64(elements.count), to: &output)
            for element in elements { write(element, to: &output) }
        case .dictionary:
            let pairs = sorted[next]
            next += 1
            output.append(PropertyListTag.dictionary)
            Self.write(varint: UInt64(pairs.count), to: &output)
            for (key, value) in pairs {
                Self.write(key.text, to: &output)
                write(value, to: &output)
            }
        }
    }

    private static func zigzag(_ number: Int64) -> UInt64 {
        UInt64(bitPattern: number << 1 ^ number >> 63)
    }

    private static func byteCount(_ number: UInt64) -> Int { max(1, (70 - number.leadingZeroBitCount) / 7) }

    private static func byteCount(block count: Int) -> Int { byteCount(UInt64(count)) + count }

    private static func write(_ number: Int64, to output: inout OutputSpan<UInt8>) {
        output.append(PropertyListTag.integer)
        write(varint: zigzag(number), to: &output)
    }

    private static func write(varint number: UInt64, to output: inout OutputSpan<UInt8>) {
        var rest = number
        while rest >= 0x80 {
            output.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        output.append(UInt8(truncatingIfNeeded: rest))
    }

    private static func write(_ number: Double, to output: inout OutputSpan<UInt8>) {
        for shift in stride(from: UInt64(56), through: 0, by: -8) {
            output.append(UInt8(truncatingIfNeeded: number.bitPattern >> shift))
        }
    }

    private static func write(_ text: String, to output: inout OutputSpan<UInt8>) {
        var text = text
        text.withUTF8 { buffer in
            // The span does not outlive the call that lends the bytes.
            let bytes = unsafe Span(_unsafeElements: buffer)
            write(varint: UInt64(bytes.count), to: &output)
            for position in bytes.indices { output.append(bytes[position]) }
        }
    }
}
