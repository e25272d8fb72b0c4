/// The state and the events that the sender has already received.
package struct LookRequest: Codable, Hashable, Sendable {
    /// The ``HubState/change`` of the last received state; nil to get the state in any case.
    package var after: UInt64?
    /// The number of the last received event; 0 for none.
    package var eventsAfter: UInt64

    /// Creates a request.
    package init(after: UInt64? = nil, eventsAfter: UInt64 = 0) {
        self.after = after
        self.eventsAfter = eventsAfter
    }
}
