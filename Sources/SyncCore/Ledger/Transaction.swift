/// One step of a hub's history: what it changes, and the version that it leads to.
///
/// It takes effect when it is durable, not before, and then as a whole.
public struct Transaction: Hashable, Sendable {
    /// The version that it applies to.
    public var before: Version
    /// The version that it leads to; another epoch if the transaction forks the history.
    public var after: Version
    /// When it was made.
    public var stamp: Stamp
    /// The cells as they stand afterwards.
    public var written: SortedMap<CellKey, Cell>
    /// The cells that leave without a trace, because no watch ever saw them.
    public var removed: [CellKey]

    /// Whether it begins a new epoch.
    public var forks: Bool { before.epoch != after.epoch }
}

/// All that a hub's history has come to: what a store loads when a hub starts.
public struct LedgerState: Hashable, Sendable {
    /// The version of the configuration.
    public var version: Version
    /// The digests of the current epoch's last revisions, by revision.
    public var chain: SortedMap<UInt64, UInt64>
    /// The epochs that this history left, each with the revision at which it did.
    public var lineage: SortedMap<Epoch, UInt64>
    /// The cells, deleted ones included.
    public var cells: SortedMap<CellKey, Cell>
    /// The last stamp that was made, nil before the first.
    public var lastStamp: Stamp?

    /// Creates the state of a store.
    public init(
        version: Version, chain: SortedMap<UInt64, UInt64>, lineage: SortedMap<Epoch, UInt64>,
        cells: SortedMap<CellKey, Cell>, lastStamp: Stamp?
    ) {
        self.version = version
        self.chain = chain
        self.lineage = lineage
        self.cells = cells
        self.lastStamp = lastStamp
    }

    /// The state of a hub that never ran: revision 0 of a new epoch.
    public init(newEpoch epoch: Epoch) {
        self.init(
            version: Version(epoch: epoch, revision: 0, chain: 0), chain: SortedMap(), lineage: SortedMap(),
            cells: SortedMap(), lastStamp: nil)
        chain[0] = 0
    }
}
