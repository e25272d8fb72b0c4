/// One end of what the hub and a watch exchange.
struct Side: Hashable {
    let watch: Int
    let isHub: Bool

    /// The place in lists of all sides: a watch's own first, then the hub's.
    var index: Int { 2 * watch + (isHub ? 1 : 0) }

    /// The end that it exchanges with.
    var other: Side { Side(watch: watch, isHub: !isHub) }

    /// The name for messages.
    var name: String { isHub ? "the hub with watch \(watch)" : "watch \(watch)" }
}
