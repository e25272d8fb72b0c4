import PoolModel
import SyncCore

/// The cells of a hub, and a way to change them.
///
/// A running hub and one at rest differ in nothing else.
protocol HubLedger: Sendable {
    /// What it holds now.
    func contents() async throws -> LedgerContents
    /// Changes cells, all or none, if the version still is the expected one.
    func transact(_ changes: [CellChange], expected: Version, author: String?) async throws
    /// Settles an open conflict: puts back the value that lost, with all of its edit, or puts it aside.
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

/// A ledger on behalf of somebody: what it changes names the author, and only while the revision is the expected one.
struct AuthoredLedger: HubLedger {
    let base: any HubLedger
    let author: String
    /// The only revision at which anything is changed; nil for any.
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
    /// The revision that it has.
    let now: UInt64

    var description: String { "the configuration has changed, it is at revision \(now): read it again and try again" }
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
