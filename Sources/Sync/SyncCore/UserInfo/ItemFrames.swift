/// ITEM: one item of a numbered stream.
struct ItemFrame: Hashable, Sendable {
    /// The numbering.
    var stream: RandomID
    /// The item's number in it, from 1.
    var number: UInt64
    /// Whether it is the first item of the numbering: only with that one can a receiver start to follow it.
    var isFirst: Bool
    /// The item's id.
    var id: RandomID
    /// The track that it is sent on.
    var track: ItemTrack
    /// The bytes of the application.
    var payload: [UInt8]

    /// The position of a receiver that has accepted this item.
    var position: ItemPosition { ItemPosition(stream: stream, highest: number, lastID: id) }

    init(
        stream: RandomID, number: UInt64, isFirst: Bool, id: RandomID, track: ItemTrack, payload: [UInt8]
    ) {
        self.stream = stream
        self.number = number
        self.isFirst = isFirst
        self.id = id
        self.track = track
        self.payload = payload
    }

    func frame(session: UInt64) -> Frame {
        let body = JSONValue.members([
            "stream": .string(stream.hexadecimal), "id": .string(id.hexadecimal),
            "urgent": .integer(track == .urgent ? 1 : 0), "first": .integer(isFirst ? 1 : 0),
        ])
        return Frame(kind: .item, session: session, sequence: number, body: body.encoded, blob: payload)
    }

    init(_ frame: Frame) throws(FrameError) {
        let reader = try BodyReader(frame)
        stream = try reader.identifier("stream")
        id = try reader.identifier("id")
        track = try reader.integer("urgent", in: 0...1) == 1 ? .urgent : .ordinary
        isFirst = try reader.integer("first", in: 0...1) == 1
        number = frame.sequence
        guard ItemPosition.numbers.contains(number) else {
            throw .body("sequence: expected a number in \(ItemPosition.numbers)")
        }
        payload = frame.blob
    }
}

/// ITEM_ACK: the receiver's durable position in a stream, and whether the next item is missing.
struct ItemAcknowledgement: Hashable, Sendable {
    /// The receiver's position.
    var position: ItemPosition
    /// Whether later items arrived, but not the next one.
    var isMissingNext: Bool

    init(_ position: ItemPosition, isMissingNext: Bool = false) {
        self.position = position
        self.isMissingNext = isMissingNext
    }

    func frame(session: UInt64) -> Frame {
        let body = JSONValue.members([
            "stream": .string(position.stream.hexadecimal), "id": .string(position.lastID.hexadecimal),
            "missing": .integer(isMissingNext ? 1 : 0),
        ])
        return Frame(kind: .itemAcknowledged, session: session, sequence: position.highest, body: body.encoded)
    }

    init(_ frame: Frame) throws(FrameError) {
        let reader = try BodyReader(frame)
        position = ItemPosition(
            stream: try reader.identifier("stream"), highest: frame.sequence, lastID: try reader.identifier("id"))
        isMissingNext = try reader.integer("missing", in: 0...1) == 1
    }
}

extension ItemPosition {
    /// The accepted numbers; a greater one cannot be a real count.
    static let numbers: ClosedRange<UInt64> = 1...UInt64(Int64.max)

    /// The JSON object in a greeting.
    public var json: JSONValue {
        .members([
            "stream": .string(stream.hexadecimal), "highest": .hexadecimal(highest),
            "id": .string(lastID.hexadecimal),
        ])
    }

    init(_ reader: BodyReader) throws(FrameError) {
        self.init(
            stream: try reader.identifier("stream"), highest: try reader.hexadecimal("highest"),
            lastID: try reader.identifier("id"))
        guard Self.numbers.contains(highest) else { throw .body("highest: expected a number in \(Self.numbers)") }
    }
}

extension PerTrack where Value == ItemPosition? {
    /// The JSON object in a greeting; null for a track without a position.
    public var json: JSONValue {
        .members(["urgent": urgent?.json ?? .null, "ordinary": ordinary?.json ?? .null])
    }

    init(_ reader: BodyReader) throws(FrameError) {
        self.init(
            urgent: try reader.objectOrNull("urgent").map { (object) throws(FrameError) in
                try ItemPosition(object)
            },
            ordinary: try reader.objectOrNull("ordinary").map { (object) throws(FrameError) in
                try ItemPosition(object)
            })
    }
}
