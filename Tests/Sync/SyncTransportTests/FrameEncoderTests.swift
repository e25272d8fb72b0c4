import SyncCore
import Testing

@testable import SyncTransport

/// Many registers cost one checksum per value, and each message is the same as without the cache.
@Suite struct FrameEncoderTests {
    private var encoder = FrameEncoder()

    /// A register's frame with unique contents.
    private static func frame(
        _ number: Int, body: Int = 100, blob: Int = 100, session: UInt64 = 1, kind: FrameKind = .register
    ) -> Frame {
        Frame(
            kind: kind, session: session, sequence: UInt64(number),
            body: Array(repeating: UInt8(truncatingIfNeeded: number), count: body),
            blob: Array(repeating: UInt8(truncatingIfNeeded: number &* 3), count: blob))
    }

    /// Encodes a frame.
    ///
    /// The message must be the same as without the cache, and decodable.
    private mutating func check(_ frame: Frame, _ comment: Comment? = nil) {
        let parts = encoder.parts(of: frame)
        #expect(parts == FrameCodec.parts(of: frame), comment)
        #expect((try? FrameCodec.frame(of: parts)) == frame, comment)
    }

    @Test mutating func `the same content goes to many sessions`() {
        for session in 1...50 as ClosedRange<UInt64> { check(Self.frame(1, session: session)) }
    }

    @Test mutating func `more contents than are remembered, in turn and in disorder`() {
        for round in 0..<3 {
            for number in 0..<40 { check(Self.frame(number), "round \(round), content \(number)") }
        }
        var generator = SplitMix64(seed: 5)
        for _ in 0..<500 { check(Self.frame(Int(generator.next() % 24), session: generator.next())) }
    }

    @Test mutating func `contents that share a part are different ones`() {
        // One differs only in the body, one only in the blob, one in the end of the body.
        let known = Self.frame(1)
        check(known)
        var other = known
        other.body[99] ^= 1
        check(other)
        other = known
        other.blob[0] ^= 1
        check(other)
        other = known
        other.body = known.body + known.blob.prefix(1)
        other.blob = Array(known.blob.dropFirst())
        check(other)
        other.body = known.body + known.blob
        other.blob = []
        check(other)
        check(known)
    }

    @Test mutating func `small contents and other kinds are encoded, too`() {
        for byteCount in [0, 1, 63, 64, 65] { check(Self.frame(7, body: byteCount, blob: byteCount)) }
        for kind in [FrameKind.context, .ping, .register] { check(Self.frame(8, kind: kind)) }
    }
}
