/// Why bytes are not those of a record, or why a value has no form as a record.
package struct CodecError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong, for people.
    package let description: String

    /// Creates an error.
    package init(_ description: String) {
        self.description = description
    }
}

/// A value that stores and journals hold: its fields are listed once, for writing and for reading.
package protocol RecordCodable {
    /// Writes the value, or reads one if it is nil.
    ///
    /// - Throws: ``CodecError`` if what is read is no such value, or if the value is one that no record holds.
    static func code(_ value: Self?, _ coder: inout RecordCoder) throws(CodecError) -> Self
}

/// Writes values into bytes, or reads them back; the bytes are the same on the disk and in journals.
///
/// Small numbers take one byte: 7 bits of a number a byte, the lowest first, the upper bit says that more follow.
package struct RecordCoder: Sendable {
    /// The bytes that were written, or that are read.
    package private(set) var bytes: [UInt8]
    /// Whether values are read.
    package let isReading: Bool
    private var position = 0

    /// Begins to write.
    package init() {
        bytes = []
        isReading = false
    }

    /// Begins to read.
    package init(reading bytes: [UInt8]) {
        self.bytes = bytes
        isReading = true
    }

    /// The bytes of a value.
    ///
    /// - Throws: ``CodecError``.
    package static func bytes(of value: some RecordCodable) throws(CodecError) -> [UInt8] {
        var coder = RecordCoder()
        _ = try coder(value)
        return coder.bytes
    }

    /// The value that takes all of some bytes.
    ///
    /// - Throws: ``CodecError``.
    package static func value<Value: RecordCodable>(of bytes: [UInt8]) throws(CodecError) -> Value {
        var coder = RecordCoder(reading: bytes)
        let value = try coder.next(Value.self)
        guard coder.isAtEnd else { throw CodecError("a record is longer than what it says") }
        return value
    }

    /// Whether all was read.
    package var isAtEnd: Bool { position == bytes.count }

    /// Writes a value, or reads one if it is nil.
    package mutating func callAsFunction<Value: RecordCodable>(_ value: Value?) throws(CodecError) -> Value {
        try Value.code(value, &self)
    }

    /// Writes a value that may be missing, or reads one.
    package mutating func optional<Value: RecordCodable>(_ value: Value?) throws(CodecError) -> Value? {
        guard try self(isReading ? nil : value != nil) else { return nil }
        return try self(value)
    }

    /// Reads a value.
    package mutating func next<Value: RecordCodable>(_ type: Value.Type = Value.self) throws(CodecError) -> Value {
        try Value.code(nil, &self)
    }

    /// Writes or reads one byte.
    package mutating func byte(_ value: UInt8?) throws(CodecError) -> UInt8 {
        if let value {
            bytes.append(value)
            return value
        }
        guard position < bytes.count else { throw CodecError("a record ends too soon") }
        defer { position += 1 }
        return bytes[position]
    }

    /// Writes or reads bytes, with their number before them.
    package mutating func bytes(_ value: [UInt8]?) throws(CodecError) -> [UInt8] {
        let count = try self(value.map { UInt64($0.count) })
        if let value {
            bytes += value
            return value
        }
        guard count <= UInt64(bytes.count - position) else { throw CodecError("a record ends too soon") }
        defer { position += Int(count) }
        return Array(bytes[position..<position + Int(count)])
    }

    /// Writes or reads a number as eight bytes, the lowest first: most are random.
    package mutating func word(_ value: UInt64?) throws(CodecError) -> UInt64 {
        if let value {
            // A number has no padding: all of it is bytes.
            unsafe withUnsafeBytes(of: value.littleEndian) { unsafe bytes.append(contentsOf: $0) }
            return value
        }
        guard bytes.count - position >= 8 else { throw CodecError("a record ends too soon") }
        defer { position += 8 }
        return bytes[position..<position + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension UInt64: RecordCodable {
    package static func code(_ value: UInt64?, _ coder: inout RecordCoder) throws(CodecError) -> UInt64 {
        if let value {
            var rest = value
            while rest > 0x7F {
                _ = try coder.byte(UInt8(truncatingIfNeeded: rest) | 0x80)
                rest >>= 7
            }
            _ = try coder.byte(UInt8(rest))
            return value
        }
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), through: 63, by: 7) {
            let byte = try coder.byte(nil)
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
        }
        throw CodecError("a number has more than ten bytes")
    }
}

extension Int64: RecordCodable {
    /// Numbers near zero are small on both sides of it.
    package static func code(_ value: Int64?, _ coder: inout RecordCoder) throws(CodecError) -> Int64 {
        let folded = try coder(value.map { UInt64(bitPattern: ($0 << 1) ^ ($0 >> 63)) })
        return Int64(bitPattern: folded >> 1) ^ -Int64(bitPattern: folded & 1)
    }
}

extension UInt32: RecordCodable {
    package static func code(_ value: UInt32?, _ coder: inout RecordCoder) throws(CodecError) -> UInt32 {
        guard let number = UInt32(exactly: try coder(value.map(UInt64.init))) else {
            throw CodecError("a number is too large")
        }
        return number
    }
}

extension Bool: RecordCodable {
    package static func code(_ value: Bool?, _ coder: inout RecordCoder) throws(CodecError) -> Bool {
        try coder.byte(value.map { $0 ? 1 : 0 }) != 0
    }
}

extension String: RecordCodable {
    package static func code(_ value: String?, _ coder: inout RecordCoder) throws(CodecError) -> String {
        String(decoding: try coder.bytes(value.map { Array($0.utf8) }), as: UTF8.self)
    }
}

extension Array: RecordCodable where Element: RecordCodable {
    package static func code(_ value: [Element]?, _ coder: inout RecordCoder) throws(CodecError) -> [Element] {
        let count = try coder(value.map { UInt64($0.count) })
        if let value {
            for element in value { _ = try coder(element) }
            return value
        }
        var elements: [Element] = []
        for _ in 0..<count { elements.append(try coder.next()) }
        return elements
    }
}

extension SortedMap: RecordCodable where Key: RecordCodable, Value: RecordCodable {
    package static func code(
        _ value: SortedMap<Key, Value>?, _ coder: inout RecordCoder
    ) throws(CodecError) -> SortedMap<Key, Value> {
        let count = try coder(value.map { UInt64($0.count) })
        if let value {
            for (key, element) in value.pairs {
                _ = try coder(key)
                _ = try coder(element)
            }
            return value
        }
        var map = SortedMap<Key, Value>()
        for _ in 0..<count {
            let key = try coder.next(Key.self)
            map[key] = try coder.next(Value.self)
        }
        return map
    }
}
