/// What the last groups of transactions of a hub have touched: enough to say what has changed since a recent version.
///
/// A watch never holds a version within a group. The history begins empty when a hub starts and when an epoch begins. The contents of cells and conflicts are not in it: what
/// counts is their present contents.
package struct DeltaHistory: Sendable {
    /// The most groups that are remembered.
    static let groupCountMax = 256
    /// The most cells and conflicts that they touched; beyond that the oldest groups are forgotten.
    static let touchCountMax = 4096

    /// A cell or a conflict that a group touched.
    private struct Touch<Name: Hashable & Sendable>: Sendable {
        var name: Name
        /// The cell, or the cell that the conflict is about; nil if there was no such cell or conflict before.
        var before: CellKey?
    }

    private struct Step: Sendable {
        /// The version before the group.
        var before: Version
        var cells: [Touch<CellKey>]
        var conflicts: [Touch<RandomID>]

        var count: Int { cells.count + conflicts.count }
    }

    /// Oldest first; each begins at the version that the one before it leads to.
    private var steps: [Step] = []
    /// The number of touched cells and conflicts in all steps.
    private var touchCount = 0

    /// Creates an empty history.
    package init() {}

    /// Remembers a group of transactions that is about to be applied to a state.
    package mutating func add(_ group: [Transaction], to state: LedgerState) {
        guard let first = group.first, !group.contains(where: \.forks) else {
            self = DeltaHistory()
            return
        }
        let cells = Set(group.flatMap { $0.written.keys + $0.removed })
        let conflicts = Set(group.flatMap { $0.logged.keys + $0.settled })
        let step = Step(
            before: first.before,
            cells: cells.map { Touch(name: $0, before: state.cells[$0]?.value == nil ? nil : $0) },
            conflicts: conflicts.map { Touch(name: $0, before: state.conflicts[$0]?.key) })
        steps.append(step)
        touchCount += step.count
        var excess = max(0, steps.count - Self.groupCountMax)
        for old in steps.prefix(excess) { touchCount -= old.count }
        while touchCount > Self.touchCountMax, excess < steps.count {
            touchCount -= steps[excess].count
            excess += 1
        }
        steps.removeFirst(excess)
    }

    /// What has changed in a watch's snapshot since a version; nil if that is not known.
    ///
    /// - Parameters:
    ///   - base: The version that the watch holds.
    ///   - ledger: The present.
    ///   - schema: What watches see.
    ///   - records: The record version that the watch reads.
    /// - Returns: The delta from the base to the present version.
    package func delta(from base: Version, to ledger: Ledger, schema: Schema, records: UInt32) -> SnapshotDelta? {
        let state = ledger.state
        var delta = SnapshotDelta(base: base, version: state.version, records: records, stamp: state.lastStamp)
        guard base != state.version else { return delta }
        guard let first = steps.lastIndex(where: { $0.before == base }) else { return nil }
        for touch in Self.merged(steps[first...].map(\.cells)) where schema.projects(touch.name, to: records) {
            if let cell = state.cells[touch.name], cell.value != nil {
                delta.written[touch.name] = cell
            } else if touch.before != nil {
                delta.gone.append(touch.name)
            }
        }
        for touch in Self.merged(steps[first...].map(\.conflicts)) {
            if let conflict = state.conflicts[touch.name], schema.projects(conflict.key, to: records) {
                delta.logged[touch.name] = conflict
            } else if let before = touch.before, schema.projects(before, to: records) {
                delta.settled.append(touch.name)
            }
        }
        return delta
    }

    /// What some steps touched, each once, in ascending order.
    ///
    /// The first step that touched something knows whether the base had it.
    private static func merged<Name: Comparable>(_ steps: [[Touch<Name>]]) -> [Touch<Name>] {
        var first: [Name: Touch<Name>] = [:]
        for touch in steps.joined() where first[touch.name] == nil { first[touch.name] = touch }
        return first.values.sorted { $0.name < $1.name }
    }
}
