extension SnapshotDelta {
    /// The contents as canonical JSON, without the two versions.
    package var contents: [UInt8] {
        JSONValue.members([
            "cells": .array(written.pairs.map { Snapshot.json(key: $0.key, cell: $0.value) }),
            "conflicts": .array(logged.values.map(\.json)), "gone": .array(gone.map { .members($0.members) }),
            "records": .integer(Int64(records)), "settled": .array(settled.map { .string($0.hexadecimal) }),
            "stamp": stamp?.json ?? .null,
        ]).encoded
    }

    /// Decodes the contents of a delta between two versions.
    ///
    /// - Throws: ``FrameError``, also for contents that no two versions of one history differ by.
    package init(base: Version, version: Version, contents: [UInt8]) throws(FrameError) {
        let reader = try BodyReader(contents)
        self.init(
            base: base, version: version, records: UInt32(try reader.integer("records", in: 0...Int64(UInt32.max))),
            settled: try reader.identifiers("settled").sorted())
        stamp = try reader.objectOrNull("stamp").map { (stamp) throws(FrameError) in try Stamp(stamp) }
        for entry in try reader.objects("cells") { written[try CellKey(entry)] = try Cell(entry) }
        for entry in try reader.objects("conflicts") {
            let conflict = try Conflict(entry)
            logged[conflict.id] = conflict
        }
        for entry in try reader.objects("gone") { gone.append(try CellKey(entry)) }
        gone.sort()
        try check()
    }

    private func check() throws(FrameError) {
        let isLater = base.epoch == version.epoch && base.revision < version.revision
        guard isLater || base == version && isEmpty else {
            throw .body("base: expected an earlier version of the same epoch, or the same one and no changes")
        }
        guard Set(gone).count == gone.count, gone.allSatisfy({ written[$0] == nil }) else {
            throw .body("gone: expected each cell once, and none of cells")
        }
        guard Set(settled).count == settled.count, settled.allSatisfy({ logged[$0] == nil }) else {
            throw .body("settled: expected each conflict once, and none of conflicts")
        }
    }
}
