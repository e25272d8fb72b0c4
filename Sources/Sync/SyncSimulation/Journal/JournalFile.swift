import SyncCore

/// The file of a journal: after eight bytes that name it, records, each with its length and a checksum.
///
/// A process that is killed may leave a part of a record at the end. A reader accepts the complete records, and a
/// writer that continues the file first cuts off the rest. Anything else is damage: it is not read past, and it is not
/// cut off.
public enum JournalFile {
    /// What each journal begins with.
    public static let beginning = name + Array("3".utf8)
    /// What journals of all versions begin with.
    private static let name = Array("SYNCJRN".utf8)
    /// The most bytes of a record: as many as of a journal, unless the caller allows more.
    static let recordByteCountMax = EngineRecorder.defaultByteCountMax
    /// The bytes of a record's length and checksum.
    private static let headByteCount = 8

    /// The bytes of a record in the file.
    static func framed(_ record: [UInt8]) -> [UInt8] {
        number(UInt32(record.count)) + number(CRC32C.checksum(record)) + record
    }

    /// The complete records, and how many bytes of the file they occupy.
    ///
    /// - Throws: ``JournalError``.
    static func records(_ bytes: [UInt8]) throws(JournalError) -> (records: [[UInt8]], byteCount: Int) {
        guard bytes.starts(with: beginning) else {
            // A process that is killed at once leaves a part of the beginning.
            if beginning.starts(with: bytes) { return ([], 0) }
            guard bytes.starts(with: name) else { throw .notAJournal }
            throw .malformed("it was kept by another version of this program: replay it with that one")
        }
        var records: [[UInt8]] = []
        var position = beginning.count
        while let record = Self.record(at: position, in: bytes) {
            records.append(record)
            position += headByteCount + record.count
        }
        guard isTorn(at: position, in: bytes) else {
            throw .damaged(record: records.count + 1, offset: position)
        }
        return (records, position)
    }

    /// The complete record at a place, or nil.
    private static func record(at position: Int, in bytes: [UInt8]) -> [UInt8]? {
        let start = position + headByteCount
        guard start < bytes.count else { return nil }
        let length = Self.length(at: position, in: bytes)
        guard (1...recordByteCountMax).contains(length), length <= bytes.count - start else { return nil }
        let record = Array(bytes[start..<start + length])
        return CRC32C.checksum(record) == number(bytes[position + 4..<start]) ? record : nil
    }

    private static func length(at position: Int, in bytes: [UInt8]) -> Int {
        Int(number(bytes[position..<position + 4]))
    }

    /// Whether the rest of a file, at which there is no complete record, is what a killed process leaves of one.
    ///
    /// That is less than the record's head promises. A whole record behind it shows that the head is wrong.
    private static func isTorn(at position: Int, in bytes: [UInt8]) -> Bool {
        let restByteCount = bytes.count - position
        guard restByteCount >= headByteCount else { return true }
        let length = Self.length(at: position, in: bytes)
        guard (1...recordByteCountMax).contains(length), restByteCount - headByteCount < length else { return false }
        return !(position + 1..<bytes.count).contains { place in
            let first = place + headByteCount
            // Most places are ruled out by the byte of the kind.
            guard first < bytes.count, JournalKind(rawValue: bytes[first]) != nil else { return false }
            return record(at: place, in: bytes) != nil
        }
    }

    /// How many bytes of a file are complete records: the rest is cut off before more is written.
    ///
    /// - Throws: ``JournalError``.
    public static func wholeByteCount(_ bytes: [UInt8]) throws(JournalError) -> Int {
        try records(bytes).byteCount
    }

    /// The device that keeps a journal, nil if the journal holds no start of a process yet.
    ///
    /// - Throws: ``JournalError``.
    public static func device(_ bytes: [UInt8]) throws(JournalError) -> JournalDevice? {
        guard let first = try records(bytes).records.first else { return nil }
        do throws(CodecError) {
            var coder = RecordCoder(reading: first)
            guard try coder.byte(nil) == JournalKind.start.rawValue else {
                throw CodecError("the first record is no start of a life")
            }
            return try coder.next(JournalStart.self).device
        } catch {
            throw .malformed(error.description)
        }
    }

    private static func number(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
