extension Snapshot {
    /// The bytes that a snapshot takes on the wire at most; a configuration whose snapshot would be larger is refused.
    public static let byteCountMax = 262_144

    /// The body of CONTEXT and of the stored snapshot: the version and the cells.
    public var encoded: [UInt8] {
        JSONValue.members([
            "epoch": .hexadecimal(version.epoch.number), "revision": .hexadecimal(version.revision),
            "chain": .hexadecimal(version.chain),
            "cells": .array(cells.pairs.map { Self.json(key: $0.key, cell: $0.value) }),
        ]).encoded
    }

    func frame(session: UInt64) -> Frame {
        Frame(kind: .context, session: session, sequence: version.revision, body: encoded)
    }

    private static func json(key: CellKey, cell: Cell) -> JSONValue {
        .members([
            "kind": .string(key.kind), "record": .string(key.record.hexadecimal), "group": .string(key.group),
            "value": cell.value.map { .string($0) } ?? .null, "dot": .string(cell.dot.hexadecimal),
            "stamp": .members([
                "time": .integer(cell.stamp.milliseconds), "counter": .integer(Int64(cell.stamp.counter)),
                "node": .hexadecimal(cell.stamp.node),
            ]),
            "written": json(cell.written), "created": json(cell.created),
        ])
    }

    private static func json(_ place: Cell.Place) -> JSONValue {
        .members(["epoch": .hexadecimal(place.epoch.number), "revision": .hexadecimal(place.revision)])
    }

    /// Decodes a snapshot.
    ///
    /// - Throws: ``FrameFault``.
    public init(decoding bytes: [UInt8]) throws(FrameFault) {
        try self.init(Frame(kind: .context, session: 0, body: bytes))
    }

    init(_ frame: Frame) throws(FrameFault) {
        let reader = try BodyReader(frame)
        version = Version(
            epoch: Epoch(number: try reader.hexadecimal("epoch")), revision: try reader.hexadecimal("revision"),
            chain: try reader.hexadecimal("chain"))
        cells = SortedMap()
        for entry in try reader.objects("cells") {
            let key = CellKey(
                kind: try entry.text("kind", byteCountMax: 64), record: try entry.identifier("record"),
                group: try entry.text("group", byteCountMax: 64))
            let stamp = try entry.object("stamp")
            cells[key] = Cell(
                value: try entry.textOrNull("value", byteCountMax: Self.byteCountMax),
                dot: try entry.identifier("dot"),
                stamp: Stamp(
                    milliseconds: try stamp.integer("time", in: Int64.min...Int64.max),
                    counter: UInt32(try stamp.integer("counter", in: 0...Int64(UInt32.max))),
                    node: try stamp.hexadecimal("node")),
                written: try Self.place(try entry.object("written")),
                created: try Self.place(try entry.object("created")))
        }
    }

    private static func place(_ reader: BodyReader) throws(FrameFault) -> Cell.Place {
        Cell.Place(
            epoch: Epoch(number: try reader.hexadecimal("epoch")), revision: try reader.hexadecimal("revision"))
    }
}

extension Version {
    /// CONTEXT_ACK: the watch holds this version durably.
    func acknowledgement(session: UInt64) -> Frame {
        let body = JSONValue.members(["epoch": .hexadecimal(epoch.number), "chain": .hexadecimal(chain)])
        return Frame(kind: .contextAcknowledged, session: session, sequence: revision, body: body.encoded)
    }

    init(acknowledgedBy frame: Frame) throws(FrameFault) {
        let reader = try BodyReader(frame)
        self.init(
            epoch: Epoch(number: try reader.hexadecimal("epoch")), revision: frame.sequence,
            chain: try reader.hexadecimal("chain"))
    }
}
