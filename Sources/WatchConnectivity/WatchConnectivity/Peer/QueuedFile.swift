import SyncCore

/// A file that the app queued, and how it is stored: the request once, and the copy and the stage, its mark, each time
/// that they change.
struct QueuedFile: QueuedTransfer {
    /// The progress of a file.
    enum Stage: Hashable, Sendable {
        /// The request is being made durable.
        case storing
        /// The file is being copied.
        case copying
        /// The copy is durable, and waits to be handed over.
        case copied
        /// The engine was asked to accept it, and has not answered yet.
        case handing
        /// The engine was asked, and its transport ended: the engine may have it or not.
        case unknown
        /// The engine has it, under this id.
        case held(RandomID)
        /// It was received, or failed, and the app has to be notified.
        ///
        /// The id is the engine's, if it had one.
        case finished(WCError.Code?, RandomID?)
        /// The app cancelled it after the engine was asked to take it.
        case cancelled(RandomID?)
    }

    var id: RandomID
    var path: String
    var metadata: [UInt8]?
    var copy: PeerState.CopiedFile?
    /// Whether the device may hold the app's own file until it is copied.
    var isSourceHeld = true
    var sentByteCount: UInt64 = 0
    var stage: Stage

    var isOutstanding: Bool {
        switch stage {
        case .finished, .cancelled: false
        case .storing, .copying, .copied, .handing, .unknown, .held: true
        }
    }

    var outstanding: PeerState.OutstandingFile {
        PeerState.OutstandingFile(
            id: id, path: path, metadata: metadata, sentByteCount: sentByteCount, byteCount: copy?.byteCount)
    }

    /// The engine's id, if known.
    var engineID: RandomID? {
        switch stage {
        case .held(let id): id
        case .finished(_, let id), .cancelled(let id): id
        case .storing, .copying, .copied, .handing, .unknown: nil
        }
    }
}

// MARK: - Stored form

extension QueuedFile {
    init?(_ bytes: [UInt8]) {
        var unpacker = ByteReader(bytes)
        guard let id = unpacker.id(), let path = unpacker.text(), let hasMetadata = unpacker.byte() else { return nil }
        self.init(id: id, path: path, metadata: hasMetadata == 1 ? unpacker.all() : nil, stage: .storing)
    }

    var packed: [UInt8] {
        var packer = ByteWriter(byteCount: path.utf8.count + (metadata?.count ?? 0) + 25)
        packer.put(id)
        packer.put(path)
        packer.put(UInt8(metadata == nil ? 0 : 1))
        packer.putRest(metadata ?? [])
        return packer.bytes
    }

    /// The stored form of the copy and the stage.
    var packedMark: [UInt8] {
        var packer = ByteWriter()
        if let copy {
            packer.put(UInt8(1))
            packer.put(copy.file)
            packer.put(copy.name)
            packer.put(copy.byteCount)
            packer.put(copy.digest.bytes)
        } else {
            packer.put(UInt8(0))
        }
        var code: WCError.Code?
        var kind = UInt8(0)
        switch stage {
        case .storing, .copying, .copied, .handing, .unknown: break
        case .held: kind = 1
        case .cancelled: kind = 2
        case .finished(let failure, _): (kind, code) = (3, failure)
        }
        packer.put(kind)
        packer.put(UInt64(code?.rawValue ?? 0))
        if let engineID { packer.put(engineID) }
        return packer.bytes
    }

    /// Reads what ``packedMark`` wrote.
    mutating func take(_ mark: [UInt8]) {
        var unpacker = ByteReader(mark)
        if unpacker.byte() == 1 {
            guard let file = unpacker.text(), let name = unpacker.text(), let byteCount = unpacker.number(),
                let digest = unpacker.counted().flatMap({ FileDigest(bytes: $0) })
            else { return }
            copy = PeerState.CopiedFile(file: file, name: name, byteCount: byteCount, digest: digest)
            isSourceHeld = false
            stage = .copied
        }
        guard let kind = unpacker.byte(), let code = unpacker.number() else { return }
        let engineID = unpacker.id()
        switch (kind, engineID) {
        case (1, let id?): stage = .held(id)
        case (2, _): stage = .cancelled(engineID)
        case (3, _): stage = .finished(WCError.Code(rawValue: Int(truncatingIfNeeded: code)), engineID)
        default: break
        }
    }
}
