import SyncCore

/// Writes values one after the other, numbers with the most significant byte first.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    init() {}

    /// Reserves room for this many bytes.
    init(byteCount: Int) {
        bytes.reserveCapacity(byteCount)
    }

    mutating func put(_ byte: UInt8) {
        bytes.append(byte)
    }

    mutating func put(_ number: UInt64) {
        for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    mutating func put(_ id: RandomID) {
        put(id.high)
        put(id.low)
    }

    /// Writes bytes without a count; they must be the last value.
    mutating func putRest(_ rest: [UInt8]) {
        bytes += rest
    }

    /// Writes bytes after their count.
    mutating func put(_ counted: [UInt8]) {
        put(UInt64(counted.count))
        bytes += counted
    }

    mutating func put(_ text: String) {
        put(Array(text.utf8))
    }
}

/// Reads what a ``ByteWriter`` wrote; nil for missing values.
struct ByteReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func byte() -> UInt8? { rest.popFirst() }

    mutating func number() -> UInt64? {
        guard rest.count >= 8 else { return nil }
        defer { rest = rest.dropFirst(8) }
        return rest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// A number that can still be incremented; a store with another one is damaged.
    mutating func counter() -> UInt64? {
        number().flatMap { $0 < Hexadecimal16.counterMax ? $0 : nil }
    }

    mutating func id() -> RandomID? {
        guard let high = number(), let low = number() else { return nil }
        return RandomID(high: high, low: low)
    }

    mutating func counted() -> [UInt8]? {
        guard let count = number(), count <= UInt64(rest.count) else { return nil }
        defer { rest = rest.dropFirst(Int(count)) }
        return Array(rest.prefix(Int(count)))
    }

    mutating func text() -> String? {
        counted().flatMap { String(validating: $0, as: UTF8.self) }
    }

    mutating func all() -> [UInt8] {
        defer { rest = [] }
        return Array(rest)
    }
}

/// Writes numbers as sixteen hexadecimal digits, so that the order of keys is that of their numbers.
enum Hexadecimal16 {
    /// A limit that no counter reaches.
    static let counterMax: UInt64 = 1 << 62

    static func text(_ number: UInt64) -> String { Hexadecimal.text(number) }

    /// The number after a prefix; nil if the key does not have this form.
    static func number(_ key: String, after prefix: String) -> UInt64? {
        guard key.hasPrefix(prefix) else { return nil }
        let digits = key.dropFirst(prefix.count)
        guard let number = Hexadecimal.number(digits), number < counterMax else { return nil }
        return number
    }
}
