/// Where a glance comes from, for somebody who looks once.
public enum GlanceSource: Equatable, Codable, Sendable {
    /// The hub was asked and has just answered: this is what it has now.
    case hub
    /// The hub was asked and did not answer, for this reason in words: this is what the watch kept.
    case kept(reason: String)
}

extension Glance {
    /// Whether this is what the hub has: it has just answered or, where nobody asked it, the link is up.
    public var isFromHub: Bool {
        switch source {
        case .hub?: true
        case .kept?: false
        case nil: link.isLinked
        }
    }
}
