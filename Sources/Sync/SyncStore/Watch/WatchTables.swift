internal import FoundationEssentials
internal import GRDB
internal import SyncCore

extension DatabaseKind {
    /// The store of a watch, whose first numbering of uploads has this name.
    static func watch(newIncarnation incarnation: RandomID) -> DatabaseKind {
        DatabaseKind(
            fileName: "watch.sqlite", applicationID: 0x5053_5757,
            steps: [
                Step(name: "1 state and registers", sql: stateAndRegisters),
                Step(name: "2 edits", sql: ReplicaRows.sql) { database in
                    try ReplicaRows.takeOverSnapshot(database)
                    try WatchHead(incarnation: incarnation).put(into: database)
                },
                ExchangeTables.step, ItemRenumbering.step,
            ]
        ) { database in
            // Written from the start, so that a missing row shows.
            try database.putFence(EpochFence())
        }
    }

    private static let stateAndRegisters = """
        CREATE TABLE state (
            name TEXT PRIMARY KEY, json BLOB, checksum INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE register (
            name BLOB PRIMARY KEY, epoch TEXT NOT NULL, place TEXT NOT NULL, value BLOB NOT NULL,
            checksum INTEGER NOT NULL
        ) STRICT;
        """
}

/// The one row that says how far a watch has numbered its uploads, and what the other rows must add up to.
struct WatchHead {
    var incarnation: RandomID
    var nextSequence: UInt64 = 1
    /// The writes to the store so far, by which one is known again whose end was in doubt.
    var writeCount: Int64 = 0
    /// The uploads that wait, and the edits in the journal.
    var sum = RowSum()

    init(incarnation: RandomID) {
        self.incarnation = incarnation
    }

    init(_ database: Database) throws {
        let rows = try database.rows(of: "numbering")
        guard var row = rows.first, rows.count == 1 else {
            throw Damage(finding: "the table numbering has no single row")
        }
        _ = try row.integer()
        incarnation = try row.identifier()
        nextSequence = try row.number()
        writeCount = try row.integer()
        sum = try RowSum(&row)
    }

    func put(into database: Database) throws {
        try database.put(
            [1, incarnation.hexadecimal, nextSequence.column, writeCount] + sum.columns, into: "numbering")
    }
}

extension Database {
    func putFence(_ fence: EpochFence) throws {
        let json = JSONValue.members([
            "current": fence.current.map { .hexadecimal($0.number) } ?? .null,
            "abandoned": .array(fence.abandoned.map { .hexadecimal($0.number) }),
        ])
        try put(["fence", Data(json.encoded)], into: "state")
    }

    func fence() throws -> EpochFence {
        guard var row = try rows(of: "state", sql: "WHERE name = 'fence'").first else {
            throw Damage(finding: "the table state has no row fence")
        }
        _ = try row.word()
        let json = try JSONValue(decoding: row.bytes())
        guard let abandoned = json["abandoned"]?.array else {
            throw Damage(finding: "the fence of epochs is not what the program writes")
        }
        return EpochFence(
            current: json["current"]?.hexadecimal.map { Epoch(number: $0) },
            abandoned: abandoned.compactMap { $0.hexadecimal.map { Epoch(number: $0) } })
    }

    func putDeletions(_ deletions: [SeenDeletion]) throws {
        try put(["deletions", Data(deletions.json.encoded)], into: "state")
    }

    /// The cells that the watch saw disappear; before the first one there is no row.
    func deletions() throws -> [SeenDeletion] {
        guard var row = try rows(of: "state", sql: "WHERE name = 'deletions'").first else { return [] }
        _ = try row.word()
        return try [SeenDeletion](decoding: row.bytes())
    }

    func putRegister(_ held: HeldRegister) throws {
        let register = held.register
        try put(
            [register.key.column, held.epoch.number.column, register.order.column, Data(register.value)],
            into: "register")
    }
}

extension RowReader {
    /// The register of a row.
    mutating func register() throws -> HeldRegister {
        let key = try text()
        let epoch = Epoch(number: try number())
        return HeldRegister(register: Register(key: key, order: try number(), value: try bytes()), epoch: epoch)
    }
}
