extension UploadBatch {
    /// The bytes of the uploads of one frame at most, unless a single one is larger.
    static let byteCountMax = 65_536

    /// UPLOAD: a watch brings what the hub has not confirmed.
    func frame(session: UInt64) -> Frame {
        let body = JSONValue.members([
            "incarnation": .string(incarnation.hexadecimal), "first": .hexadecimal(firstPending),
            "uploads": .array(uploads.map(\.json)),
        ])
        return Frame(kind: .upload, session: session, sequence: uploads.first?.sequence ?? 0, body: body.encoded)
    }

    init(_ frame: Frame) throws(FrameFault) {
        let reader = try BodyReader(frame)
        let entries = try reader.objects("uploads")
        guard (1...Self.countMax).contains(entries.count) else {
            throw .body("uploads: expected a list of 1…\(Self.countMax)")
        }
        var uploads: [NumberedUpload] = []
        for entry in entries { uploads.append(try NumberedUpload(entry)) }
        self.init(
            incarnation: try reader.identifier("incarnation"), firstPending: try reader.hexadecimal("first"),
            uploads: uploads)
        for (upload, next) in zip(uploads, uploads.dropFirst()) where upload.sequence &+ 1 != next.sequence {
            throw .body("uploads: expected numbers without a hole")
        }
    }
}
