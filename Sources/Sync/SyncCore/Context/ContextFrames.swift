/// CONTEXT: a whole snapshot, and the hub's receipt for the watch's uploads.
///
/// The body has the version and the receipt, which differ between watches; the blob has the contents, which are the
/// same for all and are encoded once.
struct ContextFrame {
    /// The snapshot.
    var snapshot: Snapshot
    /// How far the hub has taken in the watch's uploads; nil if there were none.
    var receipt: UploadReceipt?

    /// The frame for contents that are already encoded.
    static func frame(
        version: Version, contents: [UInt8], receipt: UploadReceipt?, session: UInt64
    ) -> Frame {
        let body = JSONValue.members([
            "epoch": .hexadecimal(version.epoch.number), "chain": .hexadecimal(version.chain),
            "receipt": receipt?.json ?? .null,
        ])
        return Frame(
            kind: .context, session: session, sequence: version.revision, body: body.encoded, blob: contents)
    }

    init(_ frame: Frame) throws(FrameError) {
        let reader = try BodyReader(frame)
        let version = Version(
            epoch: Epoch(number: try reader.hexadecimal("epoch")), revision: frame.sequence,
            chain: try reader.hexadecimal("chain"))
        snapshot = try Snapshot(version: version, contents: frame.blob)
        receipt = try reader.objectOrNull("receipt").map { (receipt) throws(FrameError) in try UploadReceipt(receipt) }
    }
}

extension Version {
    /// CONTEXT_ACK: the watch holds this version durably.
    func acknowledgement(session: UInt64) -> Frame {
        let body = JSONValue.members(["epoch": .hexadecimal(epoch.number), "chain": .hexadecimal(chain)])
        return Frame(kind: .contextAcknowledged, session: session, sequence: revision, body: body.encoded)
    }

    init(acknowledgedBy frame: Frame) throws(FrameError) {
        let reader = try BodyReader(frame)
        self.init(
            epoch: Epoch(number: try reader.hexadecimal("epoch")), revision: frame.sequence,
            chain: try reader.hexadecimal("chain"))
    }
}
