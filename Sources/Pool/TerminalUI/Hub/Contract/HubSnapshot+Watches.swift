public import PoolModel

/// A paired watch as the screens show it.
public struct WatchItem: Equatable, Sendable {
    /// What is known of the link to it.
    public enum Link: Equatable, Sendable {
        /// It has a session now.
        case linked
        /// It was last heard so many seconds ago.
        case lost(seconds: Int)
        /// It was not heard in this life of the hub.
        case unheard
    }

    /// The name, unique among the watches.
    public var name: String
    /// The first digits of its public key.
    public var key: String
    /// The link.
    public var link: Link
    /// The revision that it is known to hold, nil if it never held one.
    public var revision: UInt64?
    /// The values that wait for it or are on their way.
    public var queue: Int
    /// The round trip of its last ping or acknowledgement, in milliseconds; nil if not known.
    public var lagMilliseconds: Int?
    /// What goes wrong on its link on purpose.
    public var trouble: LinkTrouble
    /// What went wrong so far on purpose, in this life of the hub.
    public var troubleCounts: LinkTroubleCounts

    /// Creates an item.
    public init(
        name: String, key: String, link: Link, revision: UInt64? = nil, queue: Int = 0, lagMilliseconds: Int? = nil,
        trouble: LinkTrouble = LinkTrouble(), troubleCounts: LinkTroubleCounts = LinkTroubleCounts()
    ) {
        self.name = name
        self.key = key
        self.link = link
        self.revision = revision
        self.queue = queue
        self.lagMilliseconds = lagMilliseconds
        self.trouble = trouble
        self.troubleCounts = troubleCounts
    }
}

/// What shall go wrong on the link of a watch, on purpose, in both directions.
public struct LinkTrouble: Hashable, Sendable {
    /// Whether nothing gets through.
    public var isCut = false
    /// The longest delay of a message in milliseconds; 0…5000.
    ///
    /// Each is late by something between none and this.
    public var delayMilliseconds = 0
    /// How many of a hundred messages are lost; 0…100.
    public var dropPercent = 0
    /// How many of a hundred messages arrive twice; 0…100.
    public var duplicatePercent = 0
    /// How many of a hundred messages are overtaken by later ones; 0…100.
    public var reorderPercent = 0

    /// Creates an undisturbed link.
    public init() {}

    /// Whether anything goes wrong.
    public var isAny: Bool { self != LinkTrouble() }
}

/// How often something went wrong on purpose.
public struct LinkTroubleCounts: Hashable, Sendable {
    /// The messages that passed through, in both directions.
    public var messages = 0
    /// Those that were lost one by one.
    public var dropped = 0
    /// Those that arrived twice.
    public var duplicated = 0
    /// Those that were late.
    public var delayed = 0
    /// Those that were overtaken.
    public var reordered = 0
    /// Those that were lost while the link was cut.
    public var lostInCuts = 0

    /// Creates counts of zero.
    public init() {}
}

/// An invitation of a watch.
public struct InvitationItem: Equatable, Sendable {
    /// The code that the watch needs: what the QR code holds, too.
    public var code: String
    /// The name that the watch will get, nil if it chooses.
    public var name: String?
    /// Until when it can be used.
    public var validUntil: Timestamp
    /// The watch that used it, nil while none did.
    public var usedBy: String?

    /// Creates an invitation.
    public init(code: String, name: String? = nil, validUntil: Timestamp, usedBy: String? = nil) {
        self.code = code
        self.name = name
        self.validUntil = validUntil
        self.usedBy = usedBy
    }
}
