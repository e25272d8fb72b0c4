package import Primitives

/// A value for a place such as `$1` in a statement; it is sent in binary, apart from the text.
package enum Parameter: Hashable, Sendable {
    case int(Int?)
    case bool(Bool?)
    case double(Double?)
    case text(String?)
    case bytes([UInt8]?)
    /// A moment, as `timestamptz`.
    case time(Timestamp?)
    case ints([Int])
    case doubles([Double])
    case texts([String])
    case times([Timestamp])

    /// The microseconds from 1970 to 2000, where PostgreSQL's times begin.
    static let epochMicroseconds: Int64 = 946_684_800_000_000

    /// The type's number in every PostgreSQL, from its pg_type.dat.
    var type: UInt32 {
        switch self {
        case .int: 20
        case .bool: 16
        case .double: 701
        case .text: 25
        case .bytes: 17
        case .time: 1184
        case .ints: 1016
        case .doubles: 1022
        case .texts: 1009
        case .times: 1185
        }
    }

    /// The bytes in the format of the type's receive function; nil for NULL.
    var encoded: [UInt8]? {
        switch self {
        case .int(let value): value.map { Self.bigEndian(Int64($0)) }
        case .bool(let value): value.map { [$0 ? 1 : 0] }
        case .double(let value): value.map { Self.bigEndian($0.bitPattern) }
        case .text(let value): value.map { Array($0.utf8) }
        case .bytes(let value): value
        case .time(let value): value.map(Self.bytes)
        case .ints(let values): Self.array(of: 20, values.map { Self.bigEndian(Int64($0)) })
        case .doubles(let values): Self.array(of: 701, values.map { Self.bigEndian($0.bitPattern) })
        case .texts(let values): Self.array(of: 25, values.map { Array($0.utf8) })
        case .times(let values): Self.array(of: 1184, values.map(Self.bytes))
        }
    }

    /// The times that PostgreSQL has, in milliseconds since 1970: from the year -4713 to 294276.
    ///
    /// Source: MIN_TIMESTAMP and END_TIMESTAMP in PostgreSQL's datatype/timestamp.h, moved to 1970.
    private static let times: Range<Int64> = -210_866_803_200_000..<9_224_318_016_000_000

    /// A time that PostgreSQL does not have is infinite.
    private static func bytes(_ time: Timestamp) -> [UInt8] {
        guard times.contains(time.milliseconds) else {
            return bigEndian(time.milliseconds < 0 ? Int64.min : .max)
        }
        return bigEndian((time.milliseconds - epochMicroseconds / 1000) * 1000)
    }

    private static func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
        (0..<(number.bitWidth / 8)).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    /// An array of one dimension that begins at 1.
    ///
    /// Source: array_recv in PostgreSQL's arrayfuncs.c.
    private static func array(of type: UInt32, _ elements: [[UInt8]]) -> [UInt8] {
        guard !elements.isEmpty else { return bigEndian(Int32(0)) + bigEndian(Int32(0)) + bigEndian(type) }
        var bytes = bigEndian(Int32(1)) + bigEndian(Int32(0)) + bigEndian(type)
        bytes += bigEndian(Int32(elements.count)) + bigEndian(Int32(1))
        for element in elements { bytes += bigEndian(Int32(element.count)) + element }
        return bytes
    }
}
