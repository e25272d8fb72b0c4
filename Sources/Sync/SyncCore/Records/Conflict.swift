/// A value that a person entered and that is not shown: the losing value, the winning one, the rule, and where it
/// happened.
///
/// It stays open, at the hub and on all watches, until a person restores it or dismisses it.
public struct Conflict: Hashable, Sendable {
    /// The most open conflicts; an edit that would add one more waits at its watch.
    ///
    /// Half of them are divided among the paired watches; of the other half, each watch may cause as many as it leaves
    /// free.
    public static let countMax = 100

    /// Why a value is not shown.
    public enum Rule: String, CaseIterable, Sendable {
        /// Neither author had seen the other's value, and the other value is newer.
        case newest
        /// Neither author had seen the other's value, and the record belongs to the other author.
        case owner
        /// Somebody who had not seen this value deleted the record.
        case deleted
        /// A deletion whose author had not seen the current value.
        case unseen
        /// Another cell of the same edit lost.
        case together
        /// Only the hub may change the cell, or only another watch.
        case readOnly
        /// The watch's program is too old to change the cell, or the cell is no longer in use.
        case schema
        /// The application at the hub does not accept the value.
        case invalid
        /// The configuration would become too large.
        case tooLarge
        /// The hub lost a part of its history that a watch still knew.
        case lostInRestore
        /// The hub lost a part of its history in which the record was deleted.
        case deletionLostInRestore
        /// Not judged yet: the conflict log is full.
        ///
        /// The upload waits at its watch until a person settles conflicts.
        case logFull
        /// Not judged yet: this watch's share of the log is full.
        ///
        /// The upload waits until a person settles some of its conflicts.
        case shareFull

        /// Whether the value lost against something that its author had not seen; otherwise it could not take effect
        /// in any case.
        var isConcurrency: Bool {
            switch self {
            case .newest, .owner, .deleted, .unseen, .lostInRestore, .deletionLostInRestore, .logFull, .shareFull: true
            case .together, .readOnly, .schema, .invalid, .tooLarge: false
            }
        }
    }

    /// One of the two values.
    public struct Side: Hashable, Sendable {
        /// The value, nil if it is a deletion.
        public var value: String?
        /// The write.
        public var dot: RandomID
        /// When it was written.
        public var stamp: Stamp
        /// The author: a watch's name, or `hub`.
        public var author: String

        /// Creates a side.
        public init(value: String?, dot: RandomID, stamp: Stamp, author: String) {
            self.value = value
            self.dot = dot
            self.stamp = stamp
            self.author = author
        }
    }

    /// The identifier of the conflict: that of the write that lost.
    public var id: RandomID
    /// The edit that lost, which this cell is a part of; conflicts of one edit are restored together.
    public var edit: RandomID
    /// The cell.
    public var key: CellKey
    /// The value that the loser's author had seen; nil if there was none or it is unknown.
    public var base: String?
    /// The losing value.
    public var loser: Side
    /// The contents of the cell when the conflict was logged; nil if there was no cell.
    public var winner: Side?
    /// The reason.
    public var rule: Rule
    /// The point in the history at which it was logged.
    public var place: Cell.Place

    /// Creates a conflict.
    public init(
        id: RandomID, edit: RandomID, key: CellKey, base: String?, loser: Side, winner: Side?, rule: Rule,
        place: Cell.Place
    ) {
        self.id = id
        self.edit = edit
        self.key = key
        self.base = base
        self.loser = loser
        self.winner = winner
        self.rule = rule
        self.place = place
    }

    /// The key by which a hub recognises salvage: a digest of the write's identifier, its cell and its value.
    ///
    /// The identifier alone is not enough: salvage concerns writes of others, and a watch may lie about them.
    var mark: RandomID {
        var mark = DerivedName("salvage")
        mark.feed(id)
        mark.feed(key)
        mark.feed(loser.value)
        return mark.id
    }

    /// Whether it is a deletion that a watch saw, and that a hub may have lost.
    var isSeenDeletion: Bool { rule == .deletionLostInRestore && loser.value == nil }
}

extension Sequence<Conflict> {
    /// The conflicts of the edit that lost with the conflict `id`, including that one; none if it is not here.
    ///
    /// They are dismissed or restored together: an edit takes effect as a whole, or not at all.
    public func ofEdit(with id: RandomID) -> [Conflict] {
        guard let edit = first(where: { $0.id == id })?.edit else { return [] }
        return filter { $0.edit == edit }
    }
}
