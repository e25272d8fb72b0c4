extension Snapshot {
    /// The most bytes of a snapshot's contents on the wire; a larger configuration is refused.
    ///
    /// A frame has room for 225,280 bytes more: for the receipt, and for one edit with the largest values, which an
    /// empty conflict log always accepts.
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

    /// A cell as it appears in the contents.
    static func json(key: CellKey, cell: Cell) -> JSONValue {
        .members(
            key.members + [
                ("value", cell.value.json), ("dot", .string(cell.dot.hexadecimal)), ("stamp", cell.stamp.json),
                ("written", cell.written.json), ("created", cell.created.json),
            ])
    }

    /// Decodes the contents of a version.
    ///
    /// - Throws: ``FrameError``.
    public init(version: Version, contents: [UInt8]) throws(FrameError) {
        let reader = try BodyReader(contents)
        self.init(
            version: version, records: UInt32(try reader.integer("records", in: 0...Int64(UInt32.max))),
            cells: SortedMap())
        stamp = try reader.objectOrNull("stamp").map { (stamp) throws(FrameError) in try Stamp(stamp) }
        for entry in try reader.objects("cells") { cells[try CellKey(entry)] = try Cell(entry) }
        for entry in try reader.objects("conflicts") {
            let conflict = try Conflict(entry)
            conflicts[conflict.id] = conflict
        }
        for entry in try reader.objects("lineage") {
            lineage[Epoch(number: try entry.hexadecimal("epoch"))] = try entry.hexadecimal("left")
        }
    }
}

extension Cell {
    /// Reads a cell as it appears in contents.
    init(_ entry: BodyReader) throws(FrameError) {
        self.init(
            value: try entry.textOrNull("value", byteCountMax: Snapshot.byteCountMax),
            dot: try entry.identifier("dot"), stamp: try Stamp(try entry.object("stamp")),
            written: try Place(try entry.object("written")), created: try Place(try entry.object("created")))
    }
}
