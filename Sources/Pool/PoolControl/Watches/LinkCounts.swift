/// How often faults were injected into a link since the hub started.
package struct LinkCounts: Codable, Hashable, Sendable {
    /// Messages in both directions while faults were configured.
    package var messages = 0
    /// Messages that were dropped individually.
    package var dropped = 0
    /// Messages that were duplicated.
    package var duplicated = 0
    /// Messages that were delayed in order.
    package var delayed = 0
    /// Messages that were held back, so that later ones could overtake them.
    package var reordered = 0
    /// Messages in which a byte was changed.
    package var corrupted = 0
    /// Connections that were broken.
    package var resets = 0
    /// Messages that were lost in an interruption.
    package var lostInCuts = 0

    /// Creates counts of zero.
    package init() {}
}
