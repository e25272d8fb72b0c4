/// A device of a run.
package enum DeviceID: Hashable, Sendable {
    case hub
    case watch(Int)
}

/// One end of what the hub and a watch exchange.
package struct Side: Hashable, Sendable {
    package let watch: Int
    package let isHub: Bool

    package init(watch: Int, isHub: Bool) {
        self.watch = watch
        self.isHub = isHub
    }

    /// The place in lists of all sides: a watch's own first, then the hub's.
    package var index: Int { 2 * watch + (isHub ? 1 : 0) }

    /// The end that it exchanges with.
    var other: Side { Side(watch: watch, isHub: !isHub) }

    /// The device that it belongs to.
    package var device: DeviceID { isHub ? .hub : .watch(watch) }

    /// The name for messages.
    var name: String { isHub ? "the hub with watch \(watch)" : "watch \(watch)" }
}
