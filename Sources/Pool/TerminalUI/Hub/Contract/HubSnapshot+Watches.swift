package import PoolModel

/// A paired watch as the screens show it.
package struct WatchItem: Equatable, Sendable {
    /// What is known of the link to it.
    package enum Link: Equatable, Sendable {
        /// It has a session now.
        case linked
        /// It was last heard so many seconds ago.
        case lost(seconds: Int)
        /// It was not heard since the hub started.
        case unheard
    }

    /// The name, unique among the watches.
    package var name: String
    /// The first digits of its public key.
    package var key: String
    /// The link.
    package var link: Link
    /// The revision that it is known to hold, nil if it never held one.
    package var revision: UInt64?
    /// The values that wait for it or are on their way.
    package var queue: Int
    /// The round trip of its last ping or acknowledgement, in milliseconds; nil if not known.
    package var lagMilliseconds: Int?
    /// What goes wrong on its link on purpose.
    package var trouble: LinkTrouble
    /// What went wrong so far on purpose, since the hub started.
    package var troubleCounts: LinkTroubleCounts

    /// Creates an item.
    package init(
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
package struct LinkTrouble: Hashable, Sendable {
    /// Whether nothing gets through.
    package var isCut = false
    /// The longest delay of a message in milliseconds; 0…5000.
    ///
    /// Each is late by something between none and this.
    package var delayMilliseconds = 0
    /// How many of a hundred messages are lost; 0…100.
    package var dropPercent = 0
    /// How many of a hundred messages arrive twice; 0…100.
    package var duplicatePercent = 0
    /// How many of a hundred messages are overtaken by later ones; 0…100.
    package var reorderPercent = 0

    /// Creates an undisturbed link.
    package init() {}

    /// Whether anything goes wrong.
    package var isAny: Bool { self != LinkTrouble() }
}

/// How often something went wrong on purpose.
package struct LinkTroubleCounts: Hashable, Sendable {
    /// The messages that passed through, in both directions.
    package var messages = 0
    /// Those that were lost one by one.
    package var dropped = 0
    /// Those that arrived twice.
    package var duplicated = 0
    /// Those that were late.
    package var delayed = 0
    /// Those that were overtaken.
    package var reordered = 0
    /// Those that were lost while the link was cut.
    package var lostInCuts = 0

    /// Creates counts of zero.
    package init() {}
}

/// An invitation of a watch.
package struct InvitationItem: Equatable, Sendable {
    /// The code that the watch needs: what the QR code holds, too.
    package var code: String
    /// The name that the watch will get, nil if it chooses.
    package var name: String?
    /// Until when it can be used.
    package var validUntil: Timestamp
    /// The watch that used it, nil while none did.
    package var usedBy: String?

    /// Creates an invitation.
    package init(code: String, name: String? = nil, validUntil: Timestamp, usedBy: String? = nil) {
        self.code = code
        self.name = name
        self.validUntil = validUntil
        self.usedBy = usedBy
    }
}
