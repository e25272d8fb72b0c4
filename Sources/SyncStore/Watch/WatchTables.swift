internal import FoundationEssentials
internal import GRDB
internal import SyncCore

extension DatabaseKind {
    /// The store of a watch.
    static let watch = DatabaseKind(
        fileName: "watch.sqlite", applicationID: 0x5053_5757,
        steps: [Step(name: "1 state and registers", sql: stateAndRegisters)]
    ) { database in
        // Written from the start, so that a missing row shows.
        try database.putSnapshot(nil)
        try database.putFence(EpochFence())
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

extension Database {
    func putSnapshot(_ snapshot: Snapshot?) throws {
        try put(["snapshot", snapshot.map { Data($0.encoded) }], into: "state")
    }

    func snapshot() throws -> Snapshot? {
        var row = try state("snapshot")
        return try row.optional { try Snapshot(decoding: $0.bytes()) }
    }

    func putFence(_ fence: EpochFence) throws {
        let json = JSONValue.members([
            "current": fence.current.map { .hexadecimal($0.number) } ?? .null,
            "abandoned": .array(fence.abandoned.map { .hexadecimal($0.number) }),
        ])
        try put(["fence", Data(json.encoded)], into: "state")
    }

    func fence() throws -> EpochFence {
        var row = try state("fence")
        let json = try JSONValue(decoding: row.bytes())
        guard let abandoned = json["abandoned"]?.array else {
            throw Damage(finding: "the fence of epochs is not what the program writes")
        }
        return EpochFence(
            current: json["current"]?.hexadecimal.map { Epoch(number: $0) },
            abandoned: abandoned.compactMap { $0.hexadecimal.map { Epoch(number: $0) } })
    }

    func putRegister(_ held: HeldRegister) throws {
        let register = held.register
        try put(
            [register.key.column, held.epoch.number.column, register.order.column, Data(register.value)],
            into: "register")
    }

    /// The row of a name in the table `state`, behind its name.
    private func state(_ name: String) throws -> RowReader {
        guard let row = try rows(of: "state", sql: "WHERE name = ?", arguments: [name]).first else {
            throw Damage(finding: "the table state has no row \(name)")
        }
        return RowReader(table: "state", values: Array(row.values.dropFirst()))
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
