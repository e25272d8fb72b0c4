import Foundation
import Testing

@testable import SyncCore

@Suite struct WireTests {
    /// One frame of each kind.
    static let frames: [Frame] = [
        Hello(
            nonce: 1, wire: 1...1, schema: 1...2, name: "wrist", epoch: Epoch(number: 4),
            known: version(17, epoch: 4, chain: 9), window: 64
        ).frame,
        welcome(1).frame(session: 0xABCD),
        Refusal(code: .notPaired, text: "pair it", retryAfterMilliseconds: 10_000).frame(nonce: 1),
        Ping(number: 3).frame(session: 0xABCD),
        Pong(number: 3, hubMilliseconds: 1_790_000_000_001).frame(session: 0xABCD),
        Frame(kind: .bye, session: 0xABCD),
        Credit(highest: 9, missing: [7]).frame(session: 0xABCD),
        PairRequest(nonce: 1, key: key(7), name: "wrist").frame,
        PairAnswer(nonce: 1, name: "wrist").frame,
        register("device/a", 12).frame(session: 0xABCD, number: 9, epoch: Epoch(number: 4)),
        Snapshot(
            version: version(17, epoch: 4, chain: 9),
            cells: {
                var cells = SortedMap<CellKey, Cell>()
                let place = Cell.Place(epoch: Epoch(number: 4), revision: 17)
                cells[note(1)] = Cell(
                    value: "{\"text\":\"é\"}", dot: RandomID(high: 1, low: 2),
                    stamp: Stamp(milliseconds: 1_790_000_000_000, counter: 1, node: 0), written: place, created: place)
                return cells
            }()
        ).frame(session: 0xABCD),
        version(17, epoch: 4, chain: 9).acknowledgement(session: 0xABCD),
    ]

    private static let golden = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Fixtures/wire/frames.txt").standardizedFileURL

    @Test func `there is a frame of each kind`() {
        #expect(Set(Self.frames.map(\.kind)) == Set(FrameKind.allCases))
    }

    /// The bytes that the protocol's page points at; `BLESS=1` writes them.
    @Test func `each frame has the bytes that are written down`() throws {
        let lines = Self.frames.flatMap { frame in
            ["\(frame.kind)"] + FrameCodec.parts(of: frame).map { "  " + Hexadecimal.text($0) }
        }
        let text = lines.joined(separator: "\n") + "\n"
        if ProcessInfo.processInfo.environment["BLESS"] != nil {
            try Data(text.utf8).write(to: Self.golden)
        }
        #expect(try String(contentsOf: Self.golden, encoding: .utf8) == text)
    }

    @Test(arguments: frames)
    func `a frame survives the wire, and each flipped bit is noticed`(_ frame: Frame) throws {
        let parts = FrameCodec.parts(of: frame)
        #expect(try FrameCodec.frame(of: parts) == frame)
        for part in parts.indices {
            for offset in parts[part].indices {
                var damaged = parts
                damaged[part][offset] ^= 1 << UInt8(offset % 8)
                #expect(throws: FrameFault.self) { try FrameCodec.frame(of: damaged) }
            }
            var short = parts
            short[part] = Array(parts[part].dropLast())
            if !parts[part].isEmpty { #expect(throws: FrameFault.self) { try FrameCodec.frame(of: short) } }
        }
        #expect(throws: FrameFault.partCount(1)) { try FrameCodec.frame(of: [parts[0]]) }
        #expect(throws: FrameFault.partCount(4)) { try FrameCodec.frame(of: parts + [[], []].prefix(4 - parts.count)) }
    }

    @Test func `random bytes are never a frame and never a crash`() {
        var generator = SplitMix64(seed: 1)
        for _ in 0..<5000 {
            let parts = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                (0..<Int.random(in: 0...80, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator)
                }
            }
            #expect(throws: FrameFault.self) { try FrameCodec.frame(of: parts) }
        }
    }

    @Test(arguments: frames)
    func `any body is read or refused by name`(_ frame: Frame) {
        var generator = SplitMix64(seed: 2)
        for _ in 0..<300 {
            var mutated = frame
            guard !mutated.body.isEmpty else { return }
            let position = Int.random(in: mutated.body.indices, using: &generator)
            mutated.body[position] = UInt8.random(in: 32...126, using: &generator)
            var hub = HubScript()
            hub.pair(key(1), at: 0)
            hub.send(mutated, key(1), connection(1), at: 1)
            var watch = WatchScript()
            watch.receive(mutated, at: 1)
        }
    }

    @Test func `a body over the limit is refused before it is looked into`() {
        var frame = Self.frames[3]
        frame.body = Array(repeating: 0x20, count: FrameCodec.contentByteCountMax)
        #expect(throws: Never.self) { try FrameCodec.frame(of: FrameCodec.parts(of: frame)) }
        frame.blob = [0]
        #expect(throws: FrameFault.tooLarge(byteCount: FrameCodec.contentByteCountMax + 1)) {
            try FrameCodec.frame(of: FrameCodec.parts(of: frame))
        }
    }

    @Test func `the checksum is the one of the standard`() {
        // RFC 3720, appendix B.4.
        #expect(CRC32C.checksum(Array("123456789".utf8)) == 0xE306_9283)
        #expect(CRC32C.checksum(Array(repeating: 0, count: 32)) == 0x8A91_36AA)
    }
}
