/// CONTEXT: a whole snapshot, and what the hub says with it of the watch's uploads.
///
/// The body holds the version and the receipt, which differ from watch to watch; the blob holds the contents, which are
/// the same for all and are encoded once.
struct ContextFrame {
    /// The snapshot.
    var snapshot: Snapshot
    /// How far the watch's uploads were taken in, nil if it brought none.
    var receipt: UploadReceipt?

    /// The frame of contents that are encoded already.
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

    init(_ frame: Frame) throws(FrameFault) {
        let reader = try BodyReader(frame)
        let version = Version(
            epoch: Epoch(number: try reader.hexadecimal("epoch")), revision: frame.sequence,
            chain: try reader.hexadecimal("chain"))
        snapshot = try Snapshot(version: version, contents: frame.blob)
        receipt = try reader.objectOrNull("receipt").map { (receipt) throws(FrameFault) in try UploadReceipt(receipt) }
    }
}

extension Snapshot {
    /// The bytes that the contents of a snapshot take on the wire at most; a configuration that would need more is refused.
    ///
    /// A frame takes 225,280 more: for the receipt, and for one edit of the largest values, which an empty log of
    /// conflicts takes in whatever it needs.
    public static let byteCountMax = 819_200

    /// The contents as canonical JSON: the cells, the open conflicts, the lineage and the stamp, without the version.
    public var contents: [UInt8] {
        JSONValue.members([
            "cells": .array(cells.pairs.map { Self.json(key: $0.key, cell: $0.value) }),
            "conflicts": .array(conflicts.values.map(\.json)),
            "lineage": .array(
                lineage.pairs.map {
                    .members(["epoch": .hexadecimal($0.key.number), "left": .hexadecimal($0.value)])
                }),
            "records": .integer(Int64(records)), "stamp": stamp?.json ?? .null,
        ]).encoded
    }

    /// A cell as it stands in the contents.
    static func json(key: CellKey, cell: Cell) -> JSONValue {
        .members(
            key.members + [
                ("value", cell.value.json), ("dot", .string(cell.dot.hexadecimal)), ("stamp", cell.stamp.json),
                ("written", cell.written.json), ("created", cell.created.json),
            ])
    }

    /// Decodes the contents of a version.
    ///
    /// - Throws: ``FrameFault``.
    public init(version: Version, contents: [UInt8]) throws(FrameFault) {
        let reader = try BodyReader(contents)
        self.init(
            version: version, records: UInt32(try reader.integer("records", in: 0...Int64(UInt32.max))),
            cells: SortedMap())
        stamp = try reader.objectOrNull("stamp").map { (stamp) throws(FrameFault) in try Stamp(stamp) }
        for entry in try reader.objects("cells") {
            cells[try CellKey(entry)] = Cell(
                value: try entry.textOrNull("value", byteCountMax: Self.byteCountMax),
                dot: try entry.identifier("dot"), stamp: try Stamp(try entry.object("stamp")),
                written: try Cell.Place(try entry.object("written")),
                created: try Cell.Place(try entry.object("created")))
        }
        for entry in try reader.objects("conflicts") {
            let conflict = try Conflict(entry)
            conflicts[conflict.id] = conflict
        }
        for entry in try reader.objects("lineage") {
            lineage[Epoch(number: try entry.hexadecimal("epoch"))] = try entry.hexadecimal("left")
        }
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
