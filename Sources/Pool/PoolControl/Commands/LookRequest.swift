/// What somebody who looks has seen already.
package struct LookRequest: Codable, Hashable, Sendable {
    /// The ``HubState/change`` of the last look; nil to see everything in any case.
    package var after: UInt64?
    /// The number of the last event that was seen; 0 for none.
    package var eventsAfter: UInt64

    /// Creates a request.
    package init(after: UInt64? = nil, eventsAfter: UInt64 = 0) {
        self.after = after
        self.eventsAfter = eventsAfter
    }
}
