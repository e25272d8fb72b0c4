import PoolModel
import SyncCore

/// The cells of a hub: reads and changes them.
///
/// There is one type for a running hub and one for a hub that does not run.
protocol HubLedger: Sendable {
    /// The current contents.
    func contents() async throws -> LedgerContents
    /// Changes cells, all or none, if the version still is the expected one.
    func transact(_ changes: [CellChange], expected: Version) async throws
    /// Settles an open conflict: restores the value that lost together with the rest of its edit, or dismisses it.
    func settle(_ conflict: RandomID, restoring: Bool) async throws
}

/// The contents of a hub's ledger at one point in time.
struct LedgerContents: Sendable {
    /// All cells, deleted ones included.
    var cells: SortedMap<CellKey, Cell>
    /// Their version.
    var version: Version
    /// The open conflicts, in the order of their identities.
    var conflicts: [Conflict]

    /// The entries of the configuration.
    var entries: [ConfigurationEntry] { ConfigurationEntry.entries(in: cells) }
}
