extension NumberedUpload {
    /// The upload as canonical JSON, for UPLOAD and for stores.
    public var json: JSONValue {
        let sequence = JSONValue.hexadecimal(sequence)
        switch upload {
        case .edit(let edit): return .members(["sequence": sequence, "edit": edit.json, "salvage": .null])
        case .salvage(let conflict):
            return .members(["sequence": sequence, "edit": .null, "salvage": conflict.json])
        }
    }

    /// Reads an upload.
    init(_ reader: BodyReader) throws(FrameError) {
        let sequence = try reader.hexadecimal("sequence")
        let (edit, salvage) = (try reader.objectOrNull("edit"), try reader.objectOrNull("salvage"))
        switch (edit, salvage) {
        case (let edit?, nil): self.init(sequence: sequence, upload: .edit(try Edit(edit)))
        case (nil, let salvage?): self.init(sequence: sequence, upload: .salvage(try Conflict(salvage)))
        default: throw .body("edit and salvage: expected one of them, and null for the other")
        }
    }

    /// Reads an upload from the canonical JSON of ``json``.
    ///
    /// - Throws: ``FrameError``.
    public init(decoding bytes: [UInt8]) throws(FrameError) {
        try self.init(BodyReader(bytes))
    }
}

extension Edit {
    /// The edit as canonical JSON.
    public var json: JSONValue {
        .members([
            "id": .string(id.hexadecimal), "stamp": stamp.json, "schema": .integer(Int64(schema)),
            "resolves": resolves.json,
            "changes": .array(
                changes.map { change in
                    .members(
                        change.key.members + [
                            ("value", change.value.json), ("base", change.base.json), ("seen", change.seen.json),
                        ])
                }),
        ])
    }

    /// Reads an edit.
    init(_ reader: BodyReader) throws(FrameError) {
        var changes: [Change] = []
        for entry in try reader.objects("changes") {
            changes.append(
                Change(
                    key: try CellKey(entry), value: try entry.textOrNull("value", byteCountMax: Self.valueByteCountMax),
                    base: try entry.identifierOrNull("base"),
                    seen: try entry.textOrNull("seen", byteCountMax: Self.valueByteCountMax)))
        }
        guard changes.count <= Self.changeCountMax else {
            throw .body("changes: expected at most \(Self.changeCountMax)")
        }
        self.init(
            id: try reader.identifier("id"), changes: changes, stamp: try Stamp(try reader.object("stamp")),
            schema: UInt32(try reader.integer("schema", in: 0...Int64(UInt32.max))),
            resolves: try reader.identifierOrNull("resolves"))
    }

    /// Reads an edit from the canonical JSON of ``json``.
    ///
    /// - Throws: ``FrameError``.
    public init(decoding bytes: [UInt8]) throws(FrameError) {
        try self.init(BodyReader(bytes))
    }
}

extension Conflict {
    /// The conflict as canonical JSON, for snapshots, UPLOAD and stores.
    public var json: JSONValue {
        .members(
            key.members + [
                ("id", .string(id.hexadecimal)), ("edit", .string(edit.hexadecimal)), ("base", base.json),
                ("loser", loser.json), ("winner", winner?.json ?? .null), ("rule", .string(rule.rawValue)),
                ("logged", place.json),
            ])
    }

    /// Reads a conflict.
    init(_ reader: BodyReader) throws(FrameError) {
        let limit = Cell.valueByteCountMax
        self.init(
            id: try reader.identifier("id"), edit: try reader.identifier("edit"), key: try CellKey(reader),
            base: try reader.textOrNull("base", byteCountMax: limit), loser: try Side(try reader.object("loser")),
            winner: try reader.objectOrNull("winner").map { (side) throws(FrameError) in try Side(side) },
            // A later version may send an unknown rule; both values are still read.
            rule: Rule(rawValue: try reader.text("rule")) ?? .newest,
            place: try Cell.Place(try reader.object("logged")))
    }

    /// Reads a conflict from the canonical JSON of ``json``.
    ///
    /// - Throws: ``FrameError``.
    public init(decoding bytes: [UInt8]) throws(FrameError) {
        try self.init(BodyReader(bytes))
    }
}

extension Conflict.Side {
    fileprivate var json: JSONValue {
        .members([
            "value": value.json, "dot": .string(dot.hexadecimal), "stamp": stamp.json, "author": .string(author),
        ])
    }

    fileprivate init(_ reader: BodyReader) throws(FrameError) {
        self.init(
            value: try reader.textOrNull("value", byteCountMax: Cell.valueByteCountMax),
            dot: try reader.identifier("dot"), stamp: try Stamp(try reader.object("stamp")),
            author: try reader.text("author", byteCountMax: 256))
    }
}

extension UploadReceipt {
    /// The receipt as canonical JSON, for CONTEXT and WELCOME.
    var json: JSONValue {
        .members([
            "incarnation": .string(incarnation.hexadecimal), "highest": .hexadecimal(highest), "last": last.json,
            "outcomes": .array(outcomes.map(\.json)),
        ])
    }

    /// Reads a receipt.
    init(_ reader: BodyReader) throws(FrameError) {
        var outcomes: [UploadOutcome] = []
        for entry in try reader.objects("outcomes") { outcomes.append(try UploadOutcome(entry)) }
        self.init(
            incarnation: try reader.identifier("incarnation"), highest: try reader.hexadecimal("highest"),
            last: try reader.identifierOrNull("last"), outcomes: outcomes)
    }
}

extension UploadOutcome {
    /// The outcome as canonical JSON.
    public var json: JSONValue {
        .members([
            "sequence": .hexadecimal(sequence), "id": .string(id.hexadecimal), "rule": .string(rule.rawValue),
        ])
    }

    /// Reads an outcome.
    init(_ reader: BodyReader) throws(FrameError) {
        self.init(
            sequence: try reader.hexadecimal("sequence"), id: try reader.identifier("id"),
            rule: Conflict.Rule(rawValue: try reader.text("rule")) ?? .newest)
    }
}

// MARK: - Parts of edits

extension CellKey {
    var members: [(String, JSONValue)] {
        [("kind", .string(kind)), ("record", .string(record.hexadecimal)), ("group", .string(group))]
    }

    init(_ reader: BodyReader) throws(FrameError) {
        self.init(
            kind: try reader.text("kind", byteCountMax: 64), record: try reader.identifier("record"),
            group: try reader.text("group", byteCountMax: 64))
    }
}

extension Stamp {
    var json: JSONValue {
        .members([
            "time": .integer(milliseconds), "counter": .integer(Int64(counter)), "node": .hexadecimal(node),
        ])
    }

    init(_ reader: BodyReader) throws(FrameError) {
        self.init(
            milliseconds: try reader.integer("time", in: Int64.min...Int64.max),
            counter: UInt32(try reader.integer("counter", in: 0...Int64(UInt32.max))),
            node: try reader.hexadecimal("node"))
    }
}

extension Cell.Place {
    var json: JSONValue { .members(["epoch": .hexadecimal(epoch.number), "revision": .hexadecimal(revision)]) }

    init(_ reader: BodyReader) throws(FrameError) {
        self.init(epoch: Epoch(number: try reader.hexadecimal("epoch")), revision: try reader.hexadecimal("revision"))
    }
}

extension String? {
    var json: JSONValue { map { .string($0) } ?? .null }
}

extension RandomID? {
    var json: JSONValue { map { .string($0.hexadecimal) } ?? .null }
}

extension JSONValue {
    /// An object with these members; of several pairs with the same name, the last one counts.
    static func members(_ pairs: [(String, JSONValue)]) -> JSONValue {
        .object(JSONMembers(pairs))
    }
}

extension BodyReader {
    /// Reads bytes that are not the body of a frame, such as those of a store.
    init(_ bytes: [UInt8]) throws(FrameError) {
        try self.init(Frame(kind: .context, session: 0, body: bytes))
    }

    func identifierOrNull(_ name: String) throws(FrameError) -> RandomID? {
        try textOrNull(name, byteCountMax: 32) == nil ? nil : try identifier(name)
    }
}
