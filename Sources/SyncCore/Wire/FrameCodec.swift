/// Turns frames into message parts and back.
///
/// Decoding is total: any parts give a frame or a fault, and no limit is checked too late.
public enum FrameCodec {
    /// The version of the layout; a peer with another one is refused.
    public static let wireMajor: UInt8 = 1
    /// The version of the kinds within the layout.
    public static let wireMinor: UInt8 = 0
    /// The bytes of a header.
    public static let headerByteCount = 40
    /// The most bytes of a body and a blob together; 1 MiB less room for the header.
    public static let contentByteCountMax = 1_048_576 - 4096

    private static let magic: [UInt8] = Array("PSW1".utf8)
    private static let mustUnderstand: UInt16 = 1

    /// The message parts of a frame: header, body, and the blob if there is one.
    public static func parts(of frame: Frame) -> [[UInt8]] {
        let header = header(of: frame)
        return frame.blob.isEmpty ? [header, frame.body] : [header, frame.body, frame.blob]
    }

    private static func header(of frame: Frame) -> [UInt8] {
        var crc = CRC32C()
        crc.update(frame.body)
        crc.update(frame.blob)
        var header: [UInt8] = []
        header.reserveCapacity(headerByteCount)
        header += magic
        header += [wireMajor, wireMinor]
        header.append(bigEndian: frame.kind.rawValue)
        header.append(bigEndian: UInt16(0))
        header.append(bigEndian: UInt16(headerByteCount))
        header.append(bigEndian: crc.value)
        header.append(bigEndian: frame.session)
        header.append(bigEndian: frame.sequence)
        header.append(bigEndian: UInt32(0))
        header.append(bigEndian: CRC32C.checksum(header))
        return header
    }

    /// The frame of some message parts.
    ///
    /// - Throws: ``FrameFault``.
    public static func frame(of parts: [[UInt8]]) throws(FrameFault) -> Frame {
        guard parts.count == 2 || parts.count == 3 else { throw .partCount(parts.count) }
        let header = parts[0]
        guard header.count >= headerByteCount else { throw .shortHeader(byteCount: header.count) }
        guard header.starts(with: magic) else { throw .foreign }
        guard header[4] == wireMajor else { throw .wireVersion(header[4]) }
        guard CRC32C.checksum(header[..<36]) == header.number(at: 36, as: UInt32.self) else { throw .damagedHeader }
        // A later minor version may append to the header; what it appends is skipped.
        guard header.number(at: 10, as: UInt16.self) == UInt16(clamping: header.count) else {
            throw .shortHeader(byteCount: header.count)
        }
        let blob = parts.count == 3 ? parts[2] : []
        let byteCount = parts[1].count + blob.count
        guard byteCount <= contentByteCountMax else { throw .tooLarge(byteCount: byteCount) }
        var crc = CRC32C()
        crc.update(parts[1])
        crc.update(blob)
        guard crc.value == header.number(at: 12, as: UInt32.self) else { throw .damagedBody }
        let number = header.number(at: 6, as: UInt16.self)
        guard let kind = FrameKind(rawValue: number) else {
            throw .unknownKind(number, mustUnderstand: header.number(at: 8, as: UInt16.self) & mustUnderstand != 0)
        }
        return Frame(
            kind: kind, session: header.number(at: 16, as: UInt64.self),
            sequence: header.number(at: 24, as: UInt64.self), body: parts[1], blob: blob)
    }
}

extension [UInt8] {
    /// Appends a number, most significant byte first.
    fileprivate mutating func append<Number: FixedWidthInteger>(bigEndian number: Number) {
        for shift in stride(from: Number.bitWidth - 8, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    /// The number that starts at an offset, most significant byte first.
    fileprivate func number<Number: FixedWidthInteger>(at offset: Int, as type: Number.Type) -> Number {
        self[offset..<offset + Number.bitWidth / 8].reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }
}
