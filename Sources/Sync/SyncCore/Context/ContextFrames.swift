/// CONTEXT: a whole snapshot, or what has changed since the version that the watch holds, and the hub's receipt for the
/// watch's uploads.
///
/// The body has the versions and the receipt, which differ between watches; the blob has the contents, which are the
/// same for all watches with the same base and are encoded once.
struct ContextFrame {
    /// What the blob has.
    enum Contents {
        /// All cells and conflicts.
        case whole(Snapshot)
        /// The changes since a version.
        case delta(SnapshotDelta)
    }

    /// The snapshot, or the way to it.
    var contents: Contents
    /// How far the hub has taken in the watch's uploads; nil if there were none.
    var receipt: UploadReceipt?

    /// The version that the watch holds afterwards.
    var version: Version {
        switch contents {
        case .whole(let snapshot): snapshot.version
        case .delta(let delta): delta.version
        }
    }

    /// The whole snapshot; nil if it is a delta.
    var snapshot: Snapshot? {
        if case .whole(let snapshot) = contents { snapshot } else { nil }
    }

    /// The frame for contents that are already encoded; those of a delta if there is a `base`.
    static func frame(
        version: Version, base: Version? = nil, contents: [UInt8], receipt: UploadReceipt?, session: UInt64
    ) -> Frame {
        var members: [(String, JSONValue)] = [
            ("epoch", .hexadecimal(version.epoch.number)), ("chain", .hexadecimal(version.chain)),
            ("receipt", receipt?.json ?? .null),
        ]
        if let base { members.append(("base", base.json)) }
        return Frame(
            kind: .context, session: session, sequence: version.revision,
            body: JSONValue.members(JSONMembers(members)).encoded, blob: contents)
    }

    init(_ frame: Frame) throws(FrameError) {
        let reader = try BodyReader(frame)
        let version = Version(
            epoch: Epoch(number: try reader.hexadecimal("epoch")), revision: frame.sequence,
            chain: try reader.hexadecimal("chain"))
        if let base = try reader.objectIfPresent("base") {
            contents = .delta(try SnapshotDelta(base: try Version(base), version: version, contents: frame.blob))
        } else {
            contents = .whole(try Snapshot(version: version, contents: frame.blob))
        }
        receipt = try reader.objectOrNull("receipt").map { (receipt) throws(FrameError) in try UploadReceipt(receipt) }
    }
}

extension Version {
    /// The version as a member of a body.
    var json: JSONValue {
        .members([
            "epoch": .hexadecimal(epoch.number), "revision": .hexadecimal(revision), "chain": .hexadecimal(chain),
        ])
    }

    /// Reads a member of a body.
    init(_ reader: BodyReader) throws(FrameError) {
        self.init(
            epoch: Epoch(number: try reader.hexadecimal("epoch")), revision: try reader.hexadecimal("revision"),
            chain: try reader.hexadecimal("chain"))
    }

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
