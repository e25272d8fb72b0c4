extension UploadBatch {
    /// The most bytes of the uploads in a frame, with the commas between them, unless a single one is larger.
    static let byteCountMax = 65_536
    /// The bytes of a body besides those of its uploads.
    static let envelopeByteCount = UploadBatch(
        incarnation: RandomID(high: 0, low: 0), firstPending: 0, uploads: []
    ).body.count

    /// UPLOAD: a watch sends uploads that the hub has not confirmed.
    package func frame(session: UInt64) -> Frame {
        Frame(kind: .upload, session: session, sequence: uploads.first?.sequence ?? 0, body: body)
    }

    private var body: [UInt8] {
        JSONValue.members([
            "incarnation": .string(incarnation.hexadecimal), "first": .hexadecimal(firstPending),
            "uploads": .array(uploads.map(\.json)),
        ]).encoded
    }

    init(_ frame: Frame) throws(FrameError) {
        let reader = try BodyReader(frame)
        let entries = try reader.objects("uploads")
        guard (1...Self.countMax).contains(entries.count) else {
            throw .body("uploads: expected a list of 1…\(Self.countMax)")
        }
        let byteCount = frame.body.count - Self.envelopeByteCount
        guard entries.count == 1 || byteCount <= Self.byteCountMax else {
            throw .body(
                "uploads: \(entries.count) of \(byteCount) bytes, expected at most \(Self.byteCountMax) bytes, or one "
                    + "alone")
        }
        var uploads: [NumberedUpload] = []
        for entry in entries { uploads.append(try NumberedUpload(entry)) }
        self.init(
            incarnation: try reader.identifier("incarnation"), firstPending: try reader.hexadecimal("first"),
            uploads: uploads)
        for (upload, next) in zip(uploads, uploads.dropFirst()) where upload.sequence &+ 1 != next.sequence {
            throw .body("uploads: expected numbers without a hole")
        }
        guard uploads.first?.sequence == frame.sequence else {
            throw .body("uploads: expected the first with the number in the header, \(frame.sequence)")
        }
        for upload in uploads { try upload.upload.checkCells() }
    }
}

extension Upload {
    /// Checks contents that an old store may have, but no frame may have.
    fileprivate func checkCells() throws(FrameError) {
        switch self {
        case .edit(let edit):
            let keys = edit.changes.map(\.key)
            guard Set(keys).count == keys.count else { throw .body("changes: expected each cell once") }
            for key in keys { try key.checkNames() }
        case .salvage(let conflict): try conflict.key.checkNames()
        }
    }
}

extension CellKey {
    fileprivate func checkNames() throws(FrameError) {
        for (name, value) in [("kind", kind), ("group", group)] where value.isEmpty {
            throw .body("\(name): expected 1…64 bytes")
        }
    }
}
