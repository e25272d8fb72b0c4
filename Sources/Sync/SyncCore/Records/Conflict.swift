/// A value that a person entered and that is not shown: what lost against what, by which rule, and when.
///
/// It stays open, at the hub and on all watches, until a person restores it or puts it aside.
public struct Conflict: Hashable, Sendable {
    /// The most conflicts that are open at the same time; beyond that the hub takes no edit that makes one more.
    ///
    /// One watch's uploads may bring a half of them.
    public static let countMax = 100

    /// Why a value is not shown.
    public enum Rule: String, CaseIterable, Sendable {
        /// The two were written without knowing of each other, and the other one is newer.
        case newest
        /// The two were written without knowing of each other, and the record belongs to the other one's author.
        case owner
        /// The record was deleted by somebody who had not seen this value.
        case deleted
        /// A deletion by somebody who had not seen the value that stands.
        case unseen
        /// Another cell of the same edit lost.
        case together
        /// Only the hub may change the cell, or only another watch.
        case readOnly
        /// The watch's program is too old to change the cell, or the cell is no longer in use.
        case schema
        /// The application at the hub does not take the value.
        case invalid
        /// The configuration would become too large.
        case tooLarge
        /// The hub lost a part of its past, a watch still knew it.
        case lostInRestore
        /// The hub lost a part of its past in which the record was deleted.
        case deletionLostInRestore
        /// Not judged yet: the log of conflicts is full. The upload waits at its watch until a person settles some.
        case logFull
        /// Not judged yet: this watch's half of the log is full. The upload waits until a person settles some of them.
        case shareFull

        /// Whether the loser lost against something that its author had not seen; otherwise it could not stand at all.
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
        /// Who wrote it: a watch's name, or `hub`.
        public var author: String

        /// Creates a side.
        public init(value: String?, dot: RandomID, stamp: Stamp, author: String) {
            self.value = value
            self.dot = dot
            self.stamp = stamp
            self.author = author
        }
    }

    /// The name of the conflict: the write that lost.
    public var id: RandomID
    /// The edit that lost, of which this is one cell; conflicts of one edit are restored together.
    public var edit: RandomID
    /// The cell.
    public var key: CellKey
    /// The value that the loser's author had seen, nil if there was none or it is not known.
    public var base: String?
    /// What lost.
    public var loser: Side
    /// What stood in the cell when it was logged; nil if there was nothing.
    public var winner: Side?
    /// Why.
    public var rule: Rule
    /// The place in the history at which it was logged.
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

    /// What a hub remembers salvage by: the name of the write, its cell and its value.
    ///
    /// The name alone would not do: who brings salvage tells of what others wrote, and may lie about it.
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
    /// Those of the edit that lost with the conflict of this name, that one among them; none if it is not here.
    ///
    /// To put one aside or back does the same with all of them: an edit takes effect as a whole, or not at all.
    public func ofEdit(with id: RandomID) -> [Conflict] {
        guard let edit = first(where: { $0.id == id })?.edit else { return [] }
        return filter { $0.edit == edit }
    }
}
