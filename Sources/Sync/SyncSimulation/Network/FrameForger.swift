import SyncCore

/// Forges messages of a watch for an attacker who has its key: valid and invalid frames, and some that are not frames.
struct FrameForger {
    /// The last messages that the watch sent, oldest first.
    let captured: [VirtualNetwork.Message]
    /// The connection that the watch uses.
    let connection: Int

    /// A greeting that is larger than allowed, or as large as allowed.
    static func greeting(nonce: UInt64, isTooLarge: Bool) -> Frame {
        let digits = String(nonce, radix: 16)
        let nonce = String(repeating: "0", count: 16 - digits.count) + digits
        let hello = """
            {"epoch":null,"items":{"ordinary":null,"urgent":null},"known":null,"knownRecords":0,"name":"wrist",\
            "nonce":"\(nonce)","schema":[1,1],"window":64,"wire":[1,1]}
            """
        // Blanks are allowed, and have to be read.
        let blanks = String(repeating: " ", count: (isTooLarge ? 8192 : 4096) - hello.utf8.count)
        return Frame(kind: .hello, session: 0, body: Array((hello + blanks).utf8))
    }

    /// An upload of one edit, in a numbering of its own, that deletes as many cells as it may, of which it says that it
    /// saw them.
    static func deletions(session: UInt64, _ draws: inout SplitMix64) -> Frame {
        let changes = (0..<Edit.changeCountMax).map { _ in
            Edit.Change(
                key: CellKey(kind: "lamp", record: RandomID(using: &draws), group: "name"), value: nil,
                base: RandomID(using: &draws), seen: nil)
        }
        let edit = Edit(
            id: RandomID(using: &draws), changes: changes, stamp: Stamp(milliseconds: 0, counter: 0, node: 0),
            schema: 1,
            resolves: nil)
        let upload = NumberedUpload(sequence: 1, upload: .edit(edit))
        return UploadBatch(incarnation: RandomID(using: &draws), firstPending: 1, uploads: [upload])
            .frame(session: session)
    }

    /// A message to the hub, nil if the drawn pattern cannot be read.
    func forgery(_ draws: inout SplitMix64) -> [[UInt8]]? {
        guard draws.chance(0.8), !captured.isEmpty else {
            return [(0..<draws.below(100)).map { _ in UInt8(truncatingIfNeeded: draws.next()) }]
        }
        // What cannot be read was damaged before: it is no use as a pattern.
        guard var frame = try? FrameCodec.frame(of: draws.pick(captured).parts) else { return nil }
        let ofSession = captured.last { $0.connection == connection }
        if let latest = ofSession.flatMap({ try? FrameCodec.frame(of: $0.parts) }), draws.chance(0.9) {
            frame.session = latest.session
        }
        switch draws.below(6) {
        case 0: frame.sequence = draws.next() >> UInt64(draws.below(64))
        case 1: frame.sequence = draws.pick([0, 1, .max, UInt64(Int64.max), frame.sequence &+ 1])
        case 2, 3:
            frame.body = Self.changed(frame.body, &draws)
            // A forged upload needs the same number in its header, or the hub does not read it further.
            if frame.kind == .upload, let first = Self.firstNumber(frame.body) { frame.sequence = first }
        case 4: frame.kind = draws.pick(FrameKind.allCases)
        default: frame.blob = [UInt8](repeating: 7, count: draws.below(300))
        }
        return FrameCodec.parts(of: frame)
    }

    /// The number of the first upload in the body of an UPLOAD.
    private static func firstNumber(_ body: [UInt8]) -> UInt64? {
        let text = String(decoding: body, as: UTF8.self)
        return text.firstMatch(of: /"sequence":"([0-9a-f]{16})"/).flatMap { UInt64($0.output.1, radix: 16) }
    }

    /// JSON with other digits in some places.
    private static func changed(_ body: [UInt8], _ draws: inout SplitMix64) -> [UInt8] {
        var body = body
        let digits = body.indices.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(body[$0]) }
        guard !digits.isEmpty else { return body }
        for _ in 0..<1 + draws.below(3) {
            body[draws.pick(digits)] = UInt8(ascii: "0") + UInt8(draws.below(10))
        }
        return body
    }
}
