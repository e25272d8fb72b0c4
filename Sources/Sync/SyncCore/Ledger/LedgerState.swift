/// The sum of a hub's history: what a store loads when a hub starts.
public struct LedgerState: Hashable, Sendable {
    /// The number of digests that are kept to recognise a watch with another history; more would only cost memory.
    public static let chainCountMax = 4096
    /// The number of past epochs that are remembered; a watch that still follows an older one uploads more salvage
    /// than needed.
    public static let lineageCountMax = 256

    /// The version of the configuration.
    public var version: Version
    /// The digests of the current epoch's last revisions, by revision.
    public var chain: SortedMap<UInt64, UInt64>
    /// The past epochs of this history, each with the revision at which it ended.
    public var lineage: SortedMap<Epoch, UInt64>
    /// The cells, deleted ones included.
    public var cells: SortedMap<CellKey, Cell>
    /// The open conflicts, by the write that lost.
    public var conflicts: SortedMap<RandomID, Conflict>
    /// The watch whose upload caused an open conflict; no entry for a conflict that was logged before this was
    /// recorded.
    public var bringers: SortedMap<RandomID, PeerKey>
    /// How far the hub has taken in each watch's uploads.
    public var uploads: SortedMap<PeerKey, UploadMark>
    /// The hub's own last writes, to recognise them when a watch uploads them as salvage.
    public var written: RecentIDs
    /// The last stamp of the hub, nil before the first.
    public var lastStamp: Stamp?

    /// Creates the state of a store.
    public init(
        version: Version, chain: SortedMap<UInt64, UInt64>, lineage: SortedMap<Epoch, UInt64>,
        cells: SortedMap<CellKey, Cell>, conflicts: SortedMap<RandomID, Conflict> = SortedMap(),
        bringers: SortedMap<RandomID, PeerKey> = SortedMap(), uploads: SortedMap<PeerKey, UploadMark> = SortedMap(),
        written: RecentIDs = RecentIDs(), lastStamp: Stamp?
    ) {
        self.version = version
        self.chain = chain
        self.lineage = lineage
        self.cells = cells
        self.conflicts = conflicts
        self.bringers = bringers
        self.uploads = uploads
        self.written = written
        self.lastStamp = lastStamp
    }

    /// The state of a hub that has never run: revision 0 of a new epoch.
    public init(newEpoch epoch: Epoch) {
        self.init(
            version: Version(epoch: epoch, revision: 0, chain: 0), chain: SortedMap(), lineage: SortedMap(),
            cells: SortedMap(), lastStamp: nil)
        chain[0] = 0
    }

    /// Applies a transaction, which must be for the current version.
    ///
    /// A store that keeps rows does the same to its rows; the store's tests compare the two.
    public mutating func apply(_ transaction: Transaction) {
        _ = advance(by: transaction)
    }

    /// As ``apply(_:)``; returns how what it remembers of the uploads of the transaction's watch has changed.
    mutating func advance(by transaction: Transaction) -> UploadMark.Difference {
        precondition(
            transaction.before == version, "a transaction for \(transaction.before) was applied to \(version)")
        cells.merge(transaction.written)
        written.append(transaction.ownWrites)
        cells.remove(transaction.removed)
        for (id, conflict) in transaction.logged.pairs {
            conflicts[id] = conflict
            bringers[id] = transaction.progress?.peer
        }
        for id in transaction.settled {
            conflicts[id] = nil
            bringers[id] = nil
        }
        var taken = UploadMark.Difference()
        if let progress = transaction.progress {
            taken = uploads.update(progress.peer, default: UploadMark(incarnation: progress.incarnation)) {
                $0.advance(progress)
            }
        }
        for peer in transaction.released { uploads[peer] = nil }
        if transaction.forks { leaveEpoch(of: transaction.before) }
        version = transaction.after
        chain[transaction.after.revision] = transaction.after.chain
        if let oldest = chain.pairs.first?.key, chain.count > Self.chainCountMax { chain[oldest] = nil }
        lastStamp = transaction.stamp
        return taken
    }

    private mutating func leaveEpoch(of version: Version) {
        lineage[version.epoch] = version.revision
        if lineage.count > Self.lineageCountMax,
            let oldest = lineage.pairs.min(by: { $0.value < $1.value })?.key
        {
            lineage[oldest] = nil
        }
        chain = SortedMap()
    }
}
