/// How often something went wrong on purpose on a link, since the hub started.
package struct LinkCounts: Codable, Hashable, Sendable {
    /// The messages that were looked at, in both directions.
    package var messages = 0
    /// The messages that were lost one by one.
    package var dropped = 0
    /// The messages that arrived twice.
    package var duplicated = 0
    /// The messages that were late in their place.
    package var delayed = 0
    /// The messages that were overtaken, if another came in their time.
    package var reordered = 0
    /// The messages with a changed byte.
    package var corrupted = 0
    /// The connections that broke.
    package var resets = 0
    /// The messages that were lost in a cut.
    package var lostInCuts = 0

    /// Creates counts of zero.
    package init() {}
}

/// A link as it is made to be.
package struct LinkReport: Codable, Hashable, Sendable {
    /// The name of the watch.
    package var watch: String
    /// Whether the watch has a session now.
    package var isLinked: Bool
    /// What goes wrong on purpose; nil for nothing.
    package var disturbance: LinkDisturbance?
    /// How often it did.
    package var counts: LinkCounts

    /// Creates a link report.
    package init(
        watch: String, isLinked: Bool, disturbance: LinkDisturbance? = nil, counts: LinkCounts
    ) {
        self.watch = watch
        self.isLinked = isLinked
        self.disturbance = disturbance
        self.counts = counts
    }
}
