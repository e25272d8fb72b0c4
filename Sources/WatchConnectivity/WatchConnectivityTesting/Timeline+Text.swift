import Platform

extension TestPair {
    /// An event in ``timeline``.
    public typealias Event = TimelineEvent

    /// All events, in order.
    public var events: [Event] { stage.world.withLock(\.timeline.lines) }

    /// All events on all sides, one per line: seconds, place, kind, text.
    ///
    /// Two pairs with the same seed that are used in the same way have the same timeline.
    public var timeline: String { events.map(\.line).joined(separator: "\n") }

    /// The warnings for the developer, without their times.
    public var warnings: [String] { events.filter { $0.kind == .warning }.map { "\($0.place): \($0.text)" } }
}
