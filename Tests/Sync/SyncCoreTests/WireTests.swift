import Foundation
import TestSupport
import Testing

@testable import SyncCore

@Suite(.longWork) struct WireTests {
    private static let golden = Repository.url("Fixtures/wire/frames.txt")

    @Test func `there is a frame of each kind`() {
        #expect(Set(WireSamples.frames.map(\.kind)) == Set(FrameKind.allCases))
    }

    /// The bytes to which the protocol page refers; `BLESS=1` writes them.
    @Test func `each frame has the bytes that are written down`() throws {
        let lines = WireSamples.frames.flatMap { frame in
            ["\(frame.kind)"] + FrameCodec.parts(of: frame).map { "  " + Hexadecimal.text($0) }
        }
        let text = lines.joined(separator: "\n") + "\n"
        if ProcessInfo.processInfo.environment["BLESS"] != nil {
            try Data(text.utf8).write(to: Self.golden)
        }
        #expect(try String(contentsOf: Self.golden, encoding: .utf8) == text)
    }

    @Test(arguments: WireSamples.frames)
    func `a frame survives the wire, and each flipped bit is noticed`(_ frame: Frame) throws {
        let parts = FrameCodec.parts(of: frame)
        #expect(try FrameCodec.frame(of: parts) == frame)
        for part in parts.indices {
            for offset in parts[part].indices {
                var damaged = parts
                damaged[part][offset] ^= 1 << UInt8(offset % 8)
                #expect(throws: FrameError.self) { try FrameCodec.frame(of: damaged) }
            }
            var short = parts
            short[part] = Array(parts[part].dropLast())
            if !parts[part].isEmpty { #expect(throws: FrameError.self) { try FrameCodec.frame(of: short) } }
        }
        #expect(throws: FrameError.partCount(0)) { try FrameCodec.frame(of: []) }
        #expect(throws: FrameError.partCount(2)) { try FrameCodec.frame(of: parts + [[]]) }
    }

    @Test func `random bytes are never a frame and never a crash`() {
        var generator = SplitMix64(seed: 1)
        for _ in 0..<2000 {
            let parts = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                (0..<Int.random(in: 0...80, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator)
                }
            }
            #expect(throws: FrameError.self) { try FrameCodec.frame(of: parts) }
        }
    }

    @Test(arguments: WireSamples.frames)
    func `any body is read or refused by name`(_ frame: Frame) {
        var generator = SplitMix64(seed: 2)
        for _ in 0..<100 {
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
        var frame = WireSamples.frames[3]
        let bodyByteCount = frame.kind.bodyByteCountMax
        frame.body = Array(repeating: 0x20, count: bodyByteCount)
        frame.blob = Array(repeating: 0x20, count: FrameCodec.contentByteCountMax - bodyByteCount)
        #expect(throws: Never.self) { try FrameCodec.frame(of: FrameCodec.parts(of: frame)) }
        frame.blob.append(0)
        #expect(throws: FrameError.tooLarge(byteCount: FrameCodec.contentByteCountMax + 1)) {
            try FrameCodec.frame(of: FrameCodec.parts(of: frame))
        }
    }

    @Test func `the delta on the page of the protocol has its bytes`() throws {
        // PROTOCOL §18
        let stamp = Stamp(milliseconds: 1_790_000_000_000, counter: 1, node: 0)
        func name(_ number: UInt64) -> CellKey {
            CellKey(kind: "device", record: RandomID(high: 0, low: number), group: "name")
        }
        var delta = SnapshotDelta(
            base: version(16, epoch: 4, chain: 8), version: version(17, epoch: 4, chain: 9), records: 1, stamp: stamp,
            gone: [name(0xBB)], settled: [RandomID(high: 5, low: 7)])
        delta.written[name(0xAA)] = Cell(
            value: #"{"name":"Lagoon"}"#, dot: RandomID(high: 1, low: 2), stamp: stamp,
            written: Cell.Place(epoch: Epoch(number: 4), revision: 17),
            created: Cell.Place(epoch: Epoch(number: 4), revision: 3))
        let frame = ContextFrame.frame(
            version: delta.version, base: delta.base, contents: delta.contents, receipt: nil,
            session: WireSamples.session)
        let page = try String(contentsOf: Repository.url("Docs/internals/protocol.md"), encoding: .utf8)
            .replacing("\n    ", with: "")
        let bytes = FrameCodec.parts(of: frame).flatMap { $0 }
        #expect(page.contains(Hexadecimal.text(bytes.prefix(40))))
        #expect(page.contains(String(decoding: frame.body, as: UTF8.self)))
        #expect(page.contains(String(decoding: frame.blob, as: UTF8.self)))
        #expect(frame.body.count == 163)
        #expect(frame.blob.count == 597)
    }

    @Test func `the checksum is the one of the standard`() {
        // RFC 3720, appendix B.4.
        #expect(CRC32C.checksum(Array("123456789".utf8)) == 0xE306_9283)
        #expect(CRC32C.checksum(Array(repeating: 0, count: 32)) == 0x8A91_36AA)
    }

    @Test func `the checksum is the same in whatever pieces the bytes come`() {
        var generator = SplitMix64(seed: 3)
        let bytes = (0..<7000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        // Bit by bit, as the standard defines it.
        func slow(_ bytes: some Sequence<UInt8>) -> UInt32 {
            var remainder: UInt32 = .max
            for byte in bytes {
                remainder ^= UInt32(byte)
                for _ in 0..<8 { remainder = remainder & 1 == 1 ? 0x82F6_3B78 ^ (remainder >> 1) : remainder >> 1 }
            }
            return ~remainder
        }
        let whole = slow(bytes)
        // Long inputs are processed in three lanes of 1024 bytes each.
        for count in Array(0...64) + [3071, 3072, 3073, 3100, 6143, 6144, 6999] {
            #expect(CRC32C.checksum(bytes.prefix(count)) == slow(bytes.prefix(count)))
            var crc = CRC32C()
            crc.update(bytes[..<count])
            crc.update(bytes[count...].lazy.map { $0 })
            #expect(crc.value == whole)
        }
    }

    @Test func `a fault in a body names its place`() throws {
        let context = try #require(WireSamples.frames.first { $0.kind == .context })
        var damaged = context
        let text = String(decoding: context.blob, as: UTF8.self)
        damaged.blob = Array(text.replacing("\"node\":\"0", with: "\"node\":\"x", maxReplacements: 1).utf8)
        #expect(throws: FrameError.body("cells[0].stamp.node: expected 16 hexadecimal digits")) {
            try ContextFrame(damaged)
        }
    }

    @Test func `what a frame of the configuration held is what is read from it`() throws {
        let frames = WireSamples.frames.filter { $0.kind == .context }
        let contexts = try frames.map { frame throws(FrameError) in try ContextFrame(frame) }
        #expect(contexts.map(\.snapshot) == [WireSamples.snapshot, WireSamples.snapshot, nil])
        #expect(contexts.map(\.receipt) == [nil, WireSamples.receipt, WireSamples.receipt])
        guard case .delta(WireSamples.delta)? = contexts.last?.contents else {
            Issue.record("wanted the sample's delta, got \(contexts)")
            return
        }
        let welcomes = try WireSamples.frames.filter { $0.kind == .welcome }
            .map { frame throws(FrameError) in try Welcome(frame) }
        #expect(welcomes.map(\.uploads) == [nil, WireSamples.receipt])
        #expect(welcomes.map(\.items) == [ItemPositions(), WireSamples.positions])
        let batch = try UploadBatch(try #require(WireSamples.frames.first { $0.kind == .upload }))
        #expect(batch.firstPending == 3)
        #expect(batch.uploads.map(\.sequence) == [3, 4])
        #expect(batch.uploads.map(\.upload) == [.edit(WireSamples.edit), .salvage(WireSamples.conflict)])
    }

    @Test func `a batch has 1…64 uploads whose numbers have no hole`() {
        func frame(_ numbers: [UInt64]) -> Frame {
            UploadBatch(
                incarnation: RandomID(high: 1, low: 1), firstPending: 1,
                uploads: numbers.map { NumberedUpload(sequence: $0, upload: .edit(WireSamples.edit)) }
            ).frame(session: 1)
        }
        let full = Array(1...UInt64(UploadBatch.countMax))
        #expect(throws: Never.self) { try UploadBatch(frame(full)) }
        for numbers in [[], full + [65], [1, 3], [2, 1]] as [[UInt64]] {
            #expect(throws: FrameError.self) { try UploadBatch(frame(numbers)) }
        }
    }

    @Test func `an edit with too many cells or a too long value is no edit`() {
        func decodes(_ change: (inout Edit) -> Void) -> Bool {
            var edit = WireSamples.edit
            change(&edit)
            return (try? Edit(decoding: edit.json.encoded)) == edit
        }
        let long = String(repeating: "x", count: Edit.valueByteCountMax)
        #expect(decodes { $0.changes[0].value = long })
        #expect(!decodes { $0.changes[0].value = long + "x" })
        #expect(!decodes { $0.changes[0].seen = long + "x" })
        #expect(decodes { $0.changes = Array(repeating: $0.changes[0], count: Edit.changeCountMax) })
        #expect(!decodes { $0.changes = Array(repeating: $0.changes[0], count: Edit.changeCountMax + 1) })
        #expect(!decodes { $0.changes[0].key.kind = String(repeating: "k", count: 65) })
    }

    @Test(arguments: WireSamples.frames)
    func `any body or blob is read or refused by name, by whichever reader`(_ frame: Frame) {
        var generator = SplitMix64(seed: 5)
        for round in 0..<100 {
            var mutated = frame
            let isBlob = !frame.blob.isEmpty && (round.isMultiple(of: 2) || frame.body.isEmpty)
            if isBlob {
                mutated.blob = Self.mutated(frame.blob, &generator)
            } else {
                mutated.body = Self.mutated(frame.body, &generator)
            }
            mutated.sequence = Bool.random(using: &generator) ? frame.sequence : generator.next()
            Self.readAsEveryKind(mutated)
        }
    }

    /// The bytes with one of them changed, with a part missing, or with a part repeated.
    private static func mutated(_ bytes: [UInt8], _ generator: inout SplitMix64) -> [UInt8] {
        guard !bytes.isEmpty else { return [UInt8.random(in: 0...255, using: &generator)] }
        let start = Int.random(in: bytes.indices, using: &generator)
        let end = min(bytes.count, start + Int.random(in: 0...8, using: &generator))
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: return Array(bytes[..<start] + bytes[end...])
        case 1: return Array(bytes[..<end] + bytes[start...])
        case 2: return Array(bytes[..<start])
        default:
            var bytes = bytes
            bytes[start] = UInt8.random(in: 0...255, using: &generator)
            return bytes
        }
    }

    /// Decodes a frame as every kind: an error is accepted, a trap is not.
    private static func readAsEveryKind(_ frame: Frame) {
        // Only whether the calls return matters, not their results.
        _ = try? Hello(frame)
        _ = try? Welcome(frame)
        _ = try? Refusal(frame)
        _ = try? Pong(frame)
        _ = Ping(frame)
        _ = try? Credit(frame)
        _ = try? PairRequest(frame)
        _ = try? PairAnswer(frame)
        _ = try? Register.read(frame)
        _ = try? MessageFrame(frame)
        _ = try? MessageAnswerFrame(frame)
        _ = try? ContextFrame(frame)
        _ = try? Version(acknowledgedBy: frame)
        _ = try? UploadBatch(frame)
        _ = try? ItemFrame(frame)
        _ = try? ItemAcknowledgement(frame)
        _ = try? FileOffer(frame)
        _ = try? FilePull(frame)
        _ = try? FileChunk(frame)
        _ = try? FileDone(frame)
        _ = try? FileAbort(frame)
    }
}
