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
    /// The cells that leave without a trace, because no watch ever saw them or all know that they are gone.
    public var removed: [CellKey]
    /// The conflicts that it adds to the log, by the write that lost.
    public var logged: SortedMap<RandomID, Conflict>
    /// The conflicts that it settles.
    public var settled: [RandomID]
    /// What it takes in from a watch, nil if it comes from the hub.
    public var progress: UploadProgress?
    /// The watches with which user info, messages and files are over, because they are no longer paired.
    ///
    /// What they brought of the configuration is remembered still: a watch that is paired again may bring it again.
    public var forgotten: [PeerKey]
    /// The watches whose uploads are forgotten, because they were unpaired longest ago.
    public var released: [PeerKey]

    /// Creates a transaction.
    public init(
        before: Version, after: Version, stamp: Stamp, written: SortedMap<CellKey, Cell> = SortedMap(),
        removed: [CellKey] = [], logged: SortedMap<RandomID, Conflict> = SortedMap(), settled: [RandomID] = [],
        progress: UploadProgress? = nil, forgotten: [PeerKey] = [],
        released: [PeerKey] = []
    ) {
        self.before = before
        self.after = after
        self.stamp = stamp
        self.written = written
        self.removed = removed
        self.logged = logged
        self.settled = settled
        self.progress = progress
        self.forgotten = forgotten
        self.released = released
    }

    /// Whether it begins a new epoch.
    public var forks: Bool { before.epoch != after.epoch }

    /// The hub's own writes in it.
    public var ownWrites: [RandomID] { written.values.filter { $0.stamp.node == 0 }.map(\.dot) }

    /// Whether it changes nothing but the version.
    var isEmpty: Bool {
        written.isEmpty && removed.isEmpty && logged.isEmpty && settled.isEmpty && progress == nil && forgotten.isEmpty
            && released.isEmpty
    }
}
