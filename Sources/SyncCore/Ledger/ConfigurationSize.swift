/// How large a hub's configuration is on the wire, so that each watch can always be sent all of it.
///
/// A snapshot has room for both parts when both are full.
package struct ConfigurationSize: Hashable, Sendable {
    /// The most bytes of the cells that watches see.
    static let cellByteCountMax = Snapshot.byteCountMax * 5 / 8
    /// The most bytes of the log of conflicts.
    static let conflictByteCountMax = Snapshot.byteCountMax * 3 / 8
    /// What the names and numbers of a cell or of a conflict take at most.
    private static let cellOverhead = 480
    private static let conflictOverhead = 960

    private(set) var cellByteCount = 0
    private(set) var conflictByteCount = 0
    private(set) var conflictCount = 0
    private let schema: Schema

    /// Measures a whole configuration.
    package init(_ state: LedgerState, schema: Schema) {
        self.schema = schema
        for (key, cell) in state.cells.pairs {
            replace(nil, by: cell, at: key)
        }
        for conflict in state.conflicts.values {
            log(conflict)
        }
    }

    /// A cell takes the place of another one.
    mutating func replace(_ old: Cell?, by new: Cell?, at key: CellKey) {
        guard schema.projects(key) else { return }
        cellByteCount += Self.byteCount(of: new) - Self.byteCount(of: old)
    }

    /// The size after a transaction on a state.
    package func after(_ transaction: Transaction, _ state: LedgerState) -> ConfigurationSize {
        var after = self
        for (key, cell) in transaction.written.pairs { after.replace(state.cells[key], by: cell, at: key) }
        for key in transaction.removed { after.replace(state.cells[key], by: nil, at: key) }
        for (id, conflict) in transaction.logged.pairs {
            if let known = state.conflicts[id] { after.settle(known) }
            after.log(conflict)
        }
        for id in transaction.settled {
            if let conflict = state.conflicts[id] { after.settle(conflict) }
        }
        return after
    }

    /// A conflict is logged.
    mutating func log(_ conflict: Conflict) {
        conflictCount += 1
        conflictByteCount += Self.byteCount(of: conflict)
    }

    /// A conflict is settled.
    mutating func settle(_ conflict: Conflict) {
        conflictCount -= 1
        conflictByteCount -= Self.byteCount(of: conflict)
    }

    static func byteCount(of cell: Cell?) -> Int {
        byteCount(of: cell?.value)
    }

    static func byteCount(of value: String?) -> Int {
        value.map { cellOverhead + escapedByteCount($0) } ?? 0
    }

    static func byteCount(of conflict: Conflict) -> Int {
        byteCount(ofConflicts: 1, values: [conflict.base, conflict.loser.value, conflict.winner?.value])
    }

    static func byteCount(ofConflicts count: Int, values: [String?]) -> Int {
        values.reduce(count * conflictOverhead) { $0 + ($1.map(escapedByteCount) ?? 0) }
    }

    /// What a text takes within quotation marks.
    private static func escapedByteCount(_ text: String) -> Int {
        text.utf8.reduce(0) { count, byte in
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): count + 2
            case 0..<32: count + 6
            default: count + 1
            }
        }
    }
}
