/// The size of a hub's configuration on the wire, limited so that each watch can always be sent all of it.
///
/// A snapshot has room for the cells and for the conflict log, even if both are full.
package struct ConfigurationSize: Hashable, Sendable {
    /// The most bytes of the cells that watches see.
    ///
    /// Two hundred records of eight cells, as an application uses for 200 devices, need about 675,000 bytes.
    static let cellByteCountMax = Snapshot.byteCountMax - conflictByteCountMax
    /// The last quarter of these bytes, which is divided among the hub and its watches.
    static let dividedByteCount = cellByteCountMax / 4
    /// The most bytes of the conflict log.
    static let conflictByteCountMax = 98_304
    /// The most bytes that a cell needs in addition to its names and its value, including a comma.
    private static let cellOverhead = {
        let place = Cell.Place(epoch: Epoch(number: .max), revision: .max)
        let cell = Cell(
            value: "", dot: RandomID(high: .max, low: .max),
            stamp: Stamp(milliseconds: .min, counter: .max, node: .max), written: place, created: place)
        let key = CellKey(kind: "", record: RandomID(high: .max, low: .max), group: "")
        return Snapshot.json(key: key, cell: cell).encoded.count + 1
    }()
    /// The most bytes of the identifiers, names and numbers of a conflict.
    private static let conflictOverhead = 960
    /// The most bytes of a conflict that is logged with all three values: the log has room for as many of these as
    /// one edit can have changes.
    private static let wholeConflictByteCountMax = conflictByteCountMax / Edit.changeCountMax
    /// The most bytes of the conflicts of one edit.
    ///
    /// A control character takes six bytes; the base and the winning value of so large a conflict are left out.
    static let largestEditByteCount = Edit.changeCountMax * (conflictOverhead + 6 * Edit.valueByteCountMax)

    private(set) var cellByteCount = 0
    /// The bytes of the cells that each watch wrote last, by the node of its stamps.
    private var byteCounts: [UInt64: Int] = [:]
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

    /// Replaces one cell by another.
    mutating func replace(_ old: Cell?, by new: Cell?, at key: CellKey) {
        guard schema.projects(key) else { return }
        for (cell, sign) in [(old, -1), (new, 1)] {
            guard let cell else { continue }
            let byteCount = sign * Self.byteCount(of: cell, at: key)
            cellByteCount += byteCount
            guard cell.stamp.node != 0 else { continue }
            let sum = cellByteCount(of: cell.stamp.node) + byteCount
            byteCounts[cell.stamp.node] = sum == 0 ? nil : sum
        }
    }

    /// The bytes of the cells that a watch wrote last.
    func cellByteCount(of node: UInt64) -> Int { byteCounts[node] ?? 0 }

    /// Whether a watch may make the cells larger.
    ///
    /// A watch that would have more than its part of the last quarter cannot grow the cells into that quarter. So
    /// whatever some watches write, each other one still has its part, and the hub has one. Only the hub, which people
    /// trust, may use all of it.
    ///
    /// - Parameters:
    ///   - growth: The bytes that would be added to all cells.
    ///   - own: The bytes that would be added to those that the watch wrote last.
    ///   - node: The watch.
    ///   - watchCount: The number of paired watches.
    /// - Returns: Whether there is room.
    func hasRoom(for growth: Int, own: Int, of node: UInt64, watchCount: Int) -> Bool {
        let after = cellByteCount + growth
        if after <= Self.cellByteCountMax - Self.dividedByteCount { return true }
        let part = Self.dividedByteCount / (max(1, watchCount) + 1)
        return after <= Self.cellByteCountMax && cellByteCount(of: node) + own <= part
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

    /// Adds a conflict to the log.
    mutating func log(_ conflict: Conflict) {
        conflictCount += 1
        conflictByteCount += Self.byteCount(of: conflict)
    }

    /// Removes a settled conflict from the log.
    mutating func settle(_ conflict: Conflict) {
        conflictCount -= 1
        conflictByteCount -= Self.byteCount(of: conflict)
    }

    static func byteCount(of cell: Cell?, at key: CellKey) -> Int {
        byteCount(of: cell?.value, at: key)
    }

    static func byteCount(of value: String?, at key: CellKey) -> Int {
        guard let value else { return 0 }
        return cellOverhead + [key.kind, key.group, value].reduce(0) { $0 + escapedByteCount($1) }
    }

    /// The conflict as it is logged: without its base or its winner if it would be too large with them.
    ///
    /// A control character takes six bytes in JSON, so one edit full of them could fill a frame. The losing value is
    /// always kept; the winning value is in its cell, where everybody can read it.
    static func trimmed(_ conflict: Conflict) -> Conflict {
        var trimmed = conflict
        if byteCount(of: trimmed) > wholeConflictByteCountMax { trimmed.base = nil }
        if byteCount(of: trimmed) > wholeConflictByteCountMax { trimmed.winner?.value = nil }
        return trimmed
    }

    static func byteCount(of conflict: Conflict) -> Int {
        byteCount(ofConflicts: 1, values: [conflict.base, conflict.loser.value, conflict.winner?.value])
    }

    static func byteCount(ofConflicts count: Int, values: [String?]) -> Int {
        values.reduce(count * conflictOverhead) { $0 + ($1.map(escapedByteCount) ?? 0) }
    }

    /// The bytes of a text between its quotation marks in JSON.
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
