// What the configuration is made of.

extension RandomID: RecordCodable {
    package static func code(_ value: RandomID?, _ coder: inout RecordCoder) throws(CodecError) -> RandomID {
        RandomID(high: try coder.word(value?.high), low: try coder.word(value?.low))
    }
}

extension Epoch: RecordCodable {
    package static func code(_ value: Epoch?, _ coder: inout RecordCoder) throws(CodecError) -> Epoch {
        Epoch(number: try coder.word(value?.number))
    }
}

extension Version: RecordCodable {
    package static func code(_ value: Version?, _ coder: inout RecordCoder) throws(CodecError) -> Version {
        Version(
            epoch: try coder(value?.epoch), revision: try coder(value?.revision), chain: try coder.word(value?.chain))
    }
}

extension PeerKey: RecordCodable {
    package static func code(_ value: PeerKey?, _ coder: inout RecordCoder) throws(CodecError) -> PeerKey {
        guard let key = PeerKey(bytes: try coder.bytes(value?.bytes)) else {
            throw CodecError("a key has not 32 bytes")
        }
        return key
    }
}

extension Stamp: RecordCodable {
    package static func code(_ value: Stamp?, _ coder: inout RecordCoder) throws(CodecError) -> Stamp {
        Stamp(
            milliseconds: try coder(value?.milliseconds), counter: try coder(value?.counter),
            node: try coder.word(value?.node))
    }
}

extension CellKey: RecordCodable {
    package static func code(_ value: CellKey?, _ coder: inout RecordCoder) throws(CodecError) -> CellKey {
        CellKey(kind: try coder(value?.kind), record: try coder(value?.record), group: try coder(value?.group))
    }
}

extension Cell.Place: RecordCodable {
    package static func code(_ value: Cell.Place?, _ coder: inout RecordCoder) throws(CodecError) -> Cell.Place {
        Cell.Place(epoch: try coder(value?.epoch), revision: try coder(value?.revision))
    }
}

extension Cell: RecordCodable {
    package static func code(_ value: Cell?, _ coder: inout RecordCoder) throws(CodecError) -> Cell {
        Cell(
            value: try coder.optional(value?.value), dot: try coder(value?.dot), stamp: try coder(value?.stamp),
            written: try coder(value?.written), created: try coder(value?.created))
    }
}

extension CellChange: RecordCodable {
    package static func code(_ value: CellChange?, _ coder: inout RecordCoder) throws(CodecError) -> CellChange {
        CellChange(key: try coder(value?.key), value: try coder.optional(value?.value))
    }
}

extension Conflict.Side: RecordCodable {
    package static func code(_ value: Conflict.Side?, _ coder: inout RecordCoder) throws(CodecError) -> Conflict.Side {
        Conflict.Side(
            value: try coder.optional(value?.value), dot: try coder(value?.dot), stamp: try coder(value?.stamp),
            author: try coder(value?.author))
    }
}

extension Conflict.Rule: RecordCodable {
    package static func code(_ value: Conflict.Rule?, _ coder: inout RecordCoder) throws(CodecError) -> Conflict.Rule {
        let name = try coder(value?.rawValue)
        guard let rule = Conflict.Rule(rawValue: name) else { throw CodecError("no rule is called \(name)") }
        return rule
    }
}

extension Conflict: RecordCodable {
    package static func code(_ value: Conflict?, _ coder: inout RecordCoder) throws(CodecError) -> Conflict {
        Conflict(
            id: try coder(value?.id), edit: try coder(value?.edit), key: try coder(value?.key),
            base: try coder.optional(value?.base), loser: try coder(value?.loser),
            winner: try coder.optional(value?.winner), rule: try coder(value?.rule), place: try coder(value?.place))
    }
}

extension Edit.Change: RecordCodable {
    package static func code(_ value: Edit.Change?, _ coder: inout RecordCoder) throws(CodecError) -> Edit.Change {
        Edit.Change(
            key: try coder(value?.key), value: try coder.optional(value?.value), base: try coder.optional(value?.base),
            seen: try coder.optional(value?.seen))
    }
}

extension Edit: RecordCodable {
    package static func code(_ value: Edit?, _ coder: inout RecordCoder) throws(CodecError) -> Edit {
        Edit(
            id: try coder(value?.id), changes: try coder(value?.changes), stamp: try coder(value?.stamp),
            schema: try coder(value?.schema), resolves: try coder.optional(value?.resolves))
    }
}

extension Upload: RecordCodable {
    package static func code(_ value: Upload?, _ coder: inout RecordCoder) throws(CodecError) -> Upload {
        switch value {
        case .edit(let edit):
            _ = try coder(true)
            return .edit(try coder(edit))
        case .salvage(let conflict):
            _ = try coder(false)
            return .salvage(try coder(conflict))
        case nil:
            return try coder.next(Bool.self) ? .edit(try coder.next()) : .salvage(try coder.next())
        }
    }
}

extension NumberedUpload: RecordCodable {
    package static func code(_ value: NumberedUpload?, _ coder: inout RecordCoder) throws(CodecError) -> NumberedUpload
    {
        NumberedUpload(sequence: try coder(value?.sequence), upload: try coder(value?.upload))
    }
}

extension Snapshot: RecordCodable {
    package static func code(_ value: Snapshot?, _ coder: inout RecordCoder) throws(CodecError) -> Snapshot {
        Snapshot(
            version: try coder(value?.version), records: try coder(value?.records),
            stamp: try coder.optional(value?.stamp), lineage: try coder(value?.lineage),
            cells: try coder(value?.cells), conflicts: try coder(value?.conflicts))
    }
}

extension SnapshotDelta: RecordCodable {
    package static func code(_ value: SnapshotDelta?, _ coder: inout RecordCoder) throws(CodecError) -> SnapshotDelta {
        SnapshotDelta(
            base: try coder(value?.base), version: try coder(value?.version), records: try coder(value?.records),
            stamp: try coder.optional(value?.stamp), written: try coder(value?.written), gone: try coder(value?.gone),
            logged: try coder(value?.logged), settled: try coder(value?.settled))
    }
}

extension UploadOutcome: RecordCodable {
    package static func code(_ value: UploadOutcome?, _ coder: inout RecordCoder) throws(CodecError) -> UploadOutcome {
        UploadOutcome(sequence: try coder(value?.sequence), id: try coder(value?.id), rule: try coder(value?.rule))
    }
}

extension UploadMark: RecordCodable {
    package static func code(_ value: UploadMark?, _ coder: inout RecordCoder) throws(CodecError) -> UploadMark {
        UploadMark(
            incarnation: try coder(value?.incarnation), highest: try coder(value?.highest),
            last: try coder.optional(value?.last), outcomes: try coder(value?.outcomes),
            taken: RecentIDs(try coder(value?.taken.ids)), rejected: try coder(value?.rejected))
    }
}

extension RejectedWrite: RecordCodable {
    package static func code(_ value: RejectedWrite?, _ coder: inout RecordCoder) throws(CodecError) -> RejectedWrite {
        RejectedWrite(dot: try coder(value?.dot), base: try coder.optional(value?.base))
    }
}

extension SeenDeletion: RecordCodable {
    package static func code(_ value: SeenDeletion?, _ coder: inout RecordCoder) throws(CodecError) -> SeenDeletion {
        SeenDeletion(key: try coder(value?.key), place: try coder(value?.place))
    }
}
