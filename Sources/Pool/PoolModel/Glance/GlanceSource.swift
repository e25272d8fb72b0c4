/// The source of a glance, for a command that shows it once.
public enum GlanceSource: Equatable, Codable, Sendable {
    /// The hub has just answered: this is its present state.
    case hub
    /// The hub did not answer, for this reason in words: this is the watch's cached state.
    case kept(reason: String)
}

extension Glance {
    /// Whether this is the hub's state: it has just answered or, if it was not asked, the link is up.
    public var isFromHub: Bool {
        switch source {
        case .hub?: true
        case .kept?: false
        case nil: link.isLinked
        }
    }
}
