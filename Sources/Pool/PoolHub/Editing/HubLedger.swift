import PoolModel
import SyncCore

/// The cells of a hub, and a way to change them.
///
/// A running hub and one at rest differ in nothing else.
protocol HubLedger: Sendable {
    /// What it holds now.
    func contents() async throws -> LedgerContents
    /// Changes cells, all or none, if the version still is the expected one.
    func transact(_ changes: [CellChange], expected: Version) async throws
    /// Settles an open conflict: puts back the value that lost, with all of its edit, or puts it aside.
    func settle(_ conflict: RandomID, restoring: Bool) async throws
}

/// What a hub holds at a moment.
struct LedgerContents: Sendable {
    /// All cells, deleted ones included.
    var cells: SortedMap<CellKey, Cell>
    /// Their version.
    var version: Version
    /// The open conflicts, in the order of their names.
    var conflicts: [Conflict]

    /// The entries of the configuration.
    var entries: [ConfigurationEntry] { ConfigurationEntry.entries(in: cells) }
}
