extension FileOffer {
    /// OFFER: the sender has a file.
    ///
    /// The numbers order the offers of one sender.
    func frame(session: UInt64, number: UInt64) -> Frame {
        let body = JSONValue.members([
            "id": .string(id.hexadecimal), "name": .string(name), "bytes": .hexadecimal(byteCount),
            "digest": .string(digest.hexadecimal),
        ])
        return Frame(kind: .offer, session: session, sequence: number, body: body.encoded, blob: metadata)
    }

    init(_ frame: Frame) throws(FrameError) {
        let reader = try BodyReader(frame)
        guard let digest = FileDigest(hexadecimal: try reader.text("digest", byteCountMax: 64)) else {
            throw .body("digest: expected 64 hexadecimal digits")
        }
        guard frame.blob.count <= Self.metadataByteCountMax else { throw .tooLarge(byteCount: frame.blob.count) }
        self.init(
            id: try reader.identifier("id"), name: try reader.text("name", byteCountMax: Self.nameByteCountMax),
            byteCount: try reader.hexadecimal("bytes"), digest: digest, metadata: frame.blob)
    }
}

/// The body of PULL: the receiver requests a part of a file.
struct FilePull: Hashable, Sendable {
    /// The file.
    var id: RandomID
    /// The number of this pull in the session, from 1; a pull that arrives after a later one is ignored.
    var number: UInt64
    /// Where the part begins.
    var offset: UInt64
    /// The bytes of the part; at most ``FileExchange/creditByteCount``.
    var byteCount: UInt64
    /// The bytes from the start of the file that have arrived; those between them and the offset are on their way.
    var arrived: UInt64

    init(id: RandomID, number: UInt64, offset: UInt64, byteCount: UInt64, arrived: UInt64) {
        self.id = id
        self.number = number
        self.offset = offset
        self.byteCount = byteCount
        self.arrived = arrived
    }

    func frame(session: UInt64) -> Frame {
        let body = JSONValue.members([
            "id": .string(id.hexadecimal), "offset": .hexadecimal(offset), "bytes": .hexadecimal(byteCount),
            "arrived": .hexadecimal(arrived),
        ])
        return Frame(kind: .pull, session: session, sequence: number, body: body.encoded)
    }

    init(_ frame: Frame) throws(FrameError) {
        let reader = try BodyReader(frame)
        id = try reader.identifier("id")
        number = frame.sequence
        offset = try reader.hexadecimal("offset")
        byteCount = try reader.hexadecimal("bytes")
        arrived = try reader.hexadecimal("arrived")
        guard byteCount <= FileExchange.creditByteCount else {
            throw .body("bytes: expected at most \(FileExchange.creditByteCount)")
        }
    }
}

/// CHUNK: a part of a file; the frame's number is its offset and the blob its bytes.
struct FileChunk: Hashable, Sendable {
    /// The file.
    var id: RandomID
    /// Where the part begins.
    var offset: UInt64
    /// The part; at most ``FileExchange/chunkByteCount`` bytes.
    var bytes: [UInt8]

    init(id: RandomID, offset: UInt64, bytes: [UInt8]) {
        self.id = id
        self.offset = offset
        self.bytes = bytes
    }

    func frame(session: UInt64) -> Frame {
        let body = JSONValue.members(["id": .string(id.hexadecimal)])
        return Frame(kind: .chunk, session: session, sequence: offset, body: body.encoded, blob: bytes)
    }

    init(_ frame: Frame) throws(FrameError) {
        id = try BodyReader(frame).identifier("id")
        offset = frame.sequence
        bytes = frame.blob
        guard bytes.count <= FileExchange.chunkByteCount else { throw .tooLarge(byteCount: bytes.count) }
    }
}

/// The body of DONE: the receiver holds the whole file durably.
struct FileDone: Hashable, Sendable {
    /// The file.
    var id: RandomID

    init(id: RandomID) {
        self.id = id
    }

    func frame(session: UInt64) -> Frame {
        let body = JSONValue.members(["id": .string(id.hexadecimal)])
        return Frame(kind: .done, session: session, body: body.encoded)
    }

    init(_ frame: Frame) throws(FrameError) {
        id = try BodyReader(frame).identifier("id")
    }
}

/// The body of ABORT: one end gives up a file.
struct FileAbort: Hashable, Sendable {
    /// The file.
    var id: RandomID
    /// The reason.
    var failure: FileFailure

    private static let wordsByteCountMax = 512

    init(id: RandomID, failure: FileFailure) {
        self.id = id
        self.failure = failure
    }

    func frame(session: UInt64) -> Frame {
        var words = failure.words
        while words.utf8.count > Self.wordsByteCountMax { words.removeLast() }
        let body = JSONValue.members([
            "id": .string(id.hexadecimal), "code": .string(failure.cause.code), "words": .string(words),
        ])
        return Frame(kind: .abort, session: session, body: body.encoded)
    }

    init(_ frame: Frame) throws(FrameError) {
        let reader = try BodyReader(frame)
        id = try reader.identifier("id")
        failure = FileFailure(
            FileFailure.Cause(code: try reader.text("code", byteCountMax: 64)),
            try reader.text("words", byteCountMax: Self.wordsByteCountMax))
    }
}
