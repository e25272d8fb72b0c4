import PoolModel
import SyncCore

/// The cells of a hub: reads and changes them.
///
/// There is one type for a running hub and one for a hub that does not run.
protocol HubLedger: Sendable {
    /// The current contents.
    func contents() async throws -> LedgerContents
    /// Changes cells, all or none, if the version still is the expected one.
    func transact(_ changes: [CellChange], expected: Version, author: String?) async throws
    /// Settles an open conflict: restores the value that lost together with the rest of its edit, or dismisses it.
    func settle(_ conflict: RandomID, restoring: Bool, author: String?) async throws
}

extension HubLedger {
    /// Changes cells without naming an author.
    func transact(_ changes: [CellChange], expected: Version) async throws {
        try await transact(changes, expected: expected, author: nil)
    }

    /// Settles a conflict without naming an author.
    func settle(_ conflict: RandomID, restoring: Bool) async throws {
        try await settle(conflict, restoring: restoring, author: nil)
    }
}

/// A ledger for the commands of one author: each change names the author.
struct AuthoredLedger: HubLedger {
    let base: any HubLedger
    let author: String
    /// The only revision that may be read and changed; nil for any.
    let revision: UInt64?

    func contents() async throws -> LedgerContents {
        let contents = try await base.contents()
        if let revision, contents.version.revision != revision { throw RevisionMoved(now: contents.version.revision) }
        return contents
    }

    func transact(_ changes: [CellChange], expected: Version, author: String?) async throws {
        try await base.transact(changes, expected: expected, author: author ?? self.author)
    }

    func settle(_ conflict: RandomID, restoring: Bool, author: String?) async throws {
        try await base.settle(conflict, restoring: restoring, author: author ?? self.author)
    }
}

/// The configuration has another revision than a command expected.
struct RevisionMoved: Error, CustomStringConvertible {
    /// The current revision.
    let now: UInt64

    /// The error, and what to do about it.
    var description: String { "the configuration has changed to revision \(now): check it and try again" }
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
