/// The state of a watch's link to the hub.
public enum LinkState: Hashable, Codable, Sendable {
    /// The state of a watch that was never paired.
    case unpaired
    /// The state while the hub has not answered yet; `waitingFor` says in words what is missing.
    case connecting(waitingFor: String)
    /// The state while the hub answers pings.
    case linked
    /// The state after the link was lost, with the whole seconds since the last frame from the hub.
    case lost(seconds: Int)
    /// The state after the hub refused the watch; `reason` is the hub's text for a person.
    case refused(reason: String)

    /// Whether the hub answers.
    public var isLinked: Bool { self == .linked }
}
