internal import SyncCore

extension Snapshot {
    /// Reads a snapshot as the first version of the store wrote it, which never changes.
    ///
    /// There were no conflicts then, and watches did not know which epochs a history had left.
    init(firstVersion json: JSONValue) throws {
        guard let place = Cell.Place(firstVersion: json), let chain = json["chain"]?.hexadecimal,
            let entries = json["cells"]?.array
        else { throw Damage(finding: "the snapshot is not what the program writes") }
        self.init(
            version: Version(epoch: place.epoch, revision: place.revision, chain: chain), cells: SortedMap())
        for entry in entries {
            guard let key = CellKey(firstVersion: entry), let cell = Cell(firstVersion: entry) else {
                throw Damage(finding: "a cell of the snapshot is not what the program writes")
            }
            cells[key] = cell
        }
    }
}

extension CellKey {
    fileprivate init?(firstVersion json: JSONValue) {
        guard let kind = json["kind"]?.string, let group = json["group"]?.string,
            let record = json["record"]?.string.flatMap({ RandomID(hexadecimal: $0) })
        else { return nil }
        self.init(kind: kind, record: record, group: group)
    }
}

extension Cell {
    fileprivate init?(firstVersion json: JSONValue) {
        guard let dot = json["dot"]?.string.flatMap({ RandomID(hexadecimal: $0) }),
            let stamp = json["stamp"].flatMap({ Stamp(firstVersion: $0) }),
            let written = json["written"].flatMap({ Place(firstVersion: $0) }),
            let created = json["created"].flatMap({ Place(firstVersion: $0) })
        else { return nil }
        self.init(value: json["value"]?.string, dot: dot, stamp: stamp, written: written, created: created)
    }
}

extension Cell.Place {
    fileprivate init?(firstVersion json: JSONValue) {
        guard let epoch = json["epoch"]?.hexadecimal, let revision = json["revision"]?.hexadecimal else { return nil }
        self.init(epoch: Epoch(number: epoch), revision: revision)
    }
}

extension Stamp {
    fileprivate init?(firstVersion json: JSONValue) {
        guard let time = json["time"]?.integer, let counter = json["counter"]?.integer.flatMap({ UInt32(exactly: $0) }),
            let node = json["node"]?.hexadecimal
        else { return nil }
        self.init(milliseconds: time, counter: counter, node: node)
    }
}
