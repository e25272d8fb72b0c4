/// Converts frames to messages and back.
///
/// Decoding is total: any parts give a frame or an error, and each limit is checked before the bytes are used.
public enum FrameCodec {
    /// The version of the layout; a peer with another one is refused.
    public static let wireMajor: UInt8 = 1
    /// The version of the kinds within the layout.
    public static let wireMinor: UInt8 = 0
    /// The number of bytes of a header.
    public static let headerByteCount = 40
    /// The most bytes of body and blob together: 1 MiB minus room for the header.
    public static let contentByteCountMax = 1_048_576 - 4096

    /// "PSW1".
    private static let magic: UInt32 = 0x5053_5731
    private static let mustUnderstand: UInt16 = 1

    /// The one part of the message for a frame: header, body and blob, in this order.
    ///
    /// There is only one part because the transport encrypts each part separately.
    public static func parts(of frame: Frame) -> [[UInt8]] {
        parts(of: frame, contentChecksum: contentChecksum(of: frame))
    }

    /// The checksum of a frame's body and blob; it depends on nothing else.
    public static func contentChecksum(of frame: Frame) -> UInt32 {
        var crc = CRC32C()
        crc.update(frame.body)
        crc.update(frame.blob)
        return crc.value
    }

    /// The one part of the message for a frame whose ``contentChecksum(of:)`` is known.
    public static func parts(of frame: Frame, contentChecksum: UInt32) -> [[UInt8]] {
        let byteCount = byteCount(of: frame)
        // All of the requested bytes are written.
        let part = unsafe [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
            let room = unsafe UnsafeMutableRawBufferPointer(
                UnsafeMutableBufferPointer(rebasing: buffer[..<byteCount]))
            unsafe write(frame, contentChecksum: contentChecksum, to: room)
            count = byteCount
        }
        return [part]
    }

    /// The number of bytes of the message for a frame.
    public static func byteCount(of frame: Frame) -> Int {
        headerByteCount + frame.body.count + frame.blob.count
    }

    /// Writes the message for a frame whose ``contentChecksum(of:)`` is known.
    ///
    /// - Precondition: `room` has exactly ``byteCount(of:)`` bytes, all of which are written.
    public static func write(_ frame: Frame, contentChecksum: UInt32, to room: UnsafeMutableRawBufferPointer) {
        let byteCount = byteCount(of: frame)
        precondition(room.count == byteCount, "a frame of \(byteCount) bytes, and room for \(room.count)")
        let words = (
            UInt64(magic) << 32 | UInt64(wireMajor) << 24 | UInt64(wireMinor) << 16 | UInt64(frame.kind.rawValue),
            // The flags, which are 0, come before the length.
            UInt64(headerByteCount) << 32 | UInt64(contentChecksum)
        )
        // The header's words, then both arrays; the precondition guarantees the room.
        unsafe room.storeBytes(of: words.0.bigEndian, as: UInt64.self)
        unsafe room.storeBytes(of: words.1.bigEndian, toByteOffset: 8, as: UInt64.self)
        unsafe room.storeBytes(of: frame.session.bigEndian, toByteOffset: 16, as: UInt64.self)
        unsafe room.storeBytes(of: frame.sequence.bigEndian, toByteOffset: 24, as: UInt64.self)
        unsafe room.storeBytes(of: UInt32(frame.body.count).bigEndian, toByteOffset: 32, as: UInt32.self)
        var headerCRC = CRC32C()
        headerCRC.update(unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(rebasing: room[..<36])))
        unsafe room.storeBytes(of: headerCRC.value.bigEndian, toByteOffset: 36, as: UInt32.self)
        let bodyEnd = headerByteCount + frame.body.count
        unsafe UnsafeMutableRawBufferPointer(rebasing: room[headerByteCount..<bodyEnd]).copyBytes(from: frame.body)
        unsafe UnsafeMutableRawBufferPointer(rebasing: room[bodyEnd...]).copyBytes(from: frame.blob)
    }

    /// The frame in a message's parts.
    ///
    /// - Throws: ``FrameError``.
    public static func frame(of parts: [[UInt8]]) throws(FrameError) -> Frame {
        guard parts.count == 1 else { throw .partCount(parts.count) }
        let part = parts[0]
        let bytes = part.span
        guard bytes.count >= headerByteCount else { throw .shortHeader(byteCount: bytes.count) }
        guard bytes.number(at: 0, as: UInt32.self) == magic else { throw .foreign }
        guard bytes[4] == wireMajor else { throw .wireVersion(bytes[4]) }
        var headerCRC = CRC32C()
        headerCRC.update(bytes.extracting(first: 36))
        guard headerCRC.value == bytes.number(at: 36, as: UInt32.self) else { throw .damagedHeader }
        // A later minor version may extend the header; the extension is skipped.
        let headerLength = Int(bytes.number(at: 10, as: UInt16.self))
        guard headerLength >= headerByteCount, headerLength <= bytes.count else {
            throw .shortHeader(byteCount: headerLength)
        }
        let byteCount = bytes.count - headerLength
        guard byteCount <= contentByteCountMax else { throw .tooLarge(byteCount: byteCount) }
        let bodyByteCount = Int(bytes.number(at: 32, as: UInt32.self))
        let number = bytes.number(at: 6, as: UInt16.self)
        let kind = FrameKind(rawValue: number)
        // The header is intact, so the sender means this length; it is checked before any work on the body.
        if let kind, bodyByteCount > kind.bodyByteCountMax { throw .tooLarge(byteCount: bodyByteCount) }
        var crc = CRC32C()
        crc.update(bytes.extracting(headerLength..<bytes.count))
        guard bodyByteCount <= byteCount, crc.value == bytes.number(at: 12, as: UInt32.self) else {
            throw .damagedBody
        }
        guard let kind else {
            throw .unknownKind(number, mustUnderstand: bytes.number(at: 8, as: UInt16.self) & mustUnderstand != 0)
        }
        let bodyEnd = headerLength + bodyByteCount
        return Frame(
            kind: kind, session: bytes.number(at: 16, as: UInt64.self),
            sequence: bytes.number(at: 24, as: UInt64.self), body: Array(part[headerLength..<bodyEnd]),
            blob: Array(part[bodyEnd...]))
    }
}
