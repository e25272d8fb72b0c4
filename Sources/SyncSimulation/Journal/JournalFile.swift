import SyncCore

/// The file of a journal: after eight bytes that name it, records, each with its length and a checksum.
///
/// A process that is killed may leave a part of a record at the end. Whoever reads takes what is whole, and whoever goes
/// on writing first cuts off the rest.
public enum JournalFile {
    /// What each journal begins with.
    public static let beginning = name + Array("2".utf8)
    /// What journals of all versions begin with.
    private static let name = Array("SYNCJRN".utf8)

    /// The bytes of a record in the file.
    static func framed(_ record: [UInt8]) -> [UInt8] {
        number(UInt32(record.count)) + number(CRC32C.checksum(record)) + record
    }

    /// The records that are whole, and how many bytes of the file they take.
    ///
    /// - Throws: ``JournalFault``.
    static func records(_ bytes: [UInt8]) throws(JournalFault) -> (records: [[UInt8]], byteCount: Int) {
        guard bytes.starts(with: beginning) else {
            // A process that is killed at once leaves a part of the beginning.
            if beginning.starts(with: bytes) { return ([], 0) }
            guard bytes.starts(with: name) else { throw .notAJournal }
            throw .malformed("it was kept by another version of this program: replay it with that one")
        }
        var records: [[UInt8]] = []
        var position = beginning.count
        while bytes.count - position >= 8 {
            let length = Int(number(bytes[position..<position + 4]))
            let sum = number(bytes[position + 4..<position + 8])
            guard length <= bytes.count - position - 8 else { break }
            let record = Array(bytes[position + 8..<position + 8 + length])
            guard CRC32C.checksum(record) == sum else {
                // A death leaves a part of one record, not a wrong one with others behind it.
                guard position + 8 + length == bytes.count else {
                    throw .malformed("record \(records.count + 1), at byte \(position), is damaged")
                }
                break
            }
            records.append(record)
            position += 8 + length
        }
        return (records, position)
    }

    /// How many bytes of a file are whole records: what follows is cut off before more is written.
    ///
    /// - Throws: ``JournalFault``.
    public static func wholeByteCount(_ bytes: [UInt8]) throws(JournalFault) -> Int {
        try records(bytes).byteCount
    }

    /// Who keeps a journal, nil if it holds no life yet.
    ///
    /// - Throws: ``JournalFault``.
    public static func device(_ bytes: [UInt8]) throws(JournalFault) -> JournalDevice? {
        guard let first = try records(bytes).records.first else { return nil }
        var coder = JournalCoder(reading: first)
        guard try coder.byte(nil) == JournalKind.start.rawValue else {
            throw .malformed("the first record is no start of a life")
        }
        return try coder.next(JournalStart.self).device
    }

    private static func number(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
