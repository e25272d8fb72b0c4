/// One step of a hub's history: its changes, and the version that results.
///
/// It takes effect as a whole, and only once it is durable.
public struct Transaction: Hashable, Sendable {
    /// The version that it applies to.
    public var before: Version
    /// The version that results from it; in another epoch if the transaction forks the history.
    public var after: Version
    /// When it was created.
    public var stamp: Stamp
    /// The new contents of the cells that it changes.
    public var written: SortedMap<CellKey, Cell>
    /// The cells that it removes without a tombstone, because no watch ever saw them or all watches know that they
    /// are deleted.
    public var removed: [CellKey]
    /// The conflicts that it adds to the log, by the write that lost.
    public var logged: SortedMap<RandomID, Conflict>
    /// The conflicts that it settles.
    public var settled: [RandomID]
    /// What it takes in from a watch; nil if the hub itself caused it.
    public var progress: UploadProgress?
    /// The watches whose user info, messages and files are removed, because they are no longer paired.
    ///
    /// The record of their configuration uploads stays: a watch that is paired again may upload them again.
    public var forgotten: [PeerKey]
    /// The watches whose upload records are removed, because they were unpaired the longest time ago.
    public var released: [PeerKey]
    /// Who wanted it, in the application's words; nil if nobody was named.
    ///
    /// It is for the log only: the history's digests do not cover it.
    public var author: String?

    /// Creates a transaction.
    public init(
        before: Version, after: Version, stamp: Stamp, written: SortedMap<CellKey, Cell> = SortedMap(),
        removed: [CellKey] = [], logged: SortedMap<RandomID, Conflict> = SortedMap(), settled: [RandomID] = [],
        progress: UploadProgress? = nil, forgotten: [PeerKey] = [],
        released: [PeerKey] = [], author: String? = nil
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
        self.author = author
    }

    /// Whether it begins a new epoch.
    public var forks: Bool { before.epoch != after.epoch }

    /// The hub's own writes in it.
    public var ownWrites: [RandomID] { written.values.filter { $0.stamp.node == 0 }.map(\.dot) }

    /// Whether it changes nothing except the version.
    var isEmpty: Bool {
        written.isEmpty && removed.isEmpty && logged.isEmpty && settled.isEmpty && progress == nil && forgotten.isEmpty
            && released.isEmpty
    }
}
