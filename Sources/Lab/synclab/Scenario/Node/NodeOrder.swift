import SyncSimulation

/// An order to a node: a line of JSON on its standard input.
struct NodeOrder: Codable, Sendable {
    /// The kind of an order.
    enum Action: String, Codable, Sendable {
        /// Report the present state.
        case look
        /// Change cells.
        case change
        /// Resolve a conflict.
        case settle
        /// Send user info.
        case item
        /// Send a live message and wait for its outcome.
        case ask
        /// Set the answer to a later question.
        case script
        /// Send a file.
        case file
        /// Lose messages.
        case cut
        /// Lose messages after a part of a file has arrived.
        case cutAtFile
        /// Set the offset of the wall clock.
        case clock
        /// Inject faults chosen by a seed.
        case swarm
        /// End all faults.
        case heal
        /// Invite a watch.
        case invite
        /// Unpair a watch.
        case unpair
    }

    /// A cell and its new value; nil to delete it.
    struct Change: Codable, Sendable {
        var cell: String
        var value: String?
    }

    /// The number of the order, which its report repeats.
    var id = 0
    /// The kind of the order.
    var action: Action
    /// The watch, if the order is for a hub.
    var watch: String?
    /// The cells to change.
    var changes: [Change] = []
    /// The conflict to resolve.
    var conflict: String?
    /// Whether to restore the rejected value.
    var isRestoring = false
    /// The user info, the question to ask, or the question to answer later.
    var text: String?
    /// How long a question waits for its outcome, in milliseconds; nil for the engine's default.
    var patience: Int64?
    /// The reply to the question; nil for none.
    var reply: String?
    /// Whether to send user info with priority.
    var isUrgent = false
    /// The file.
    var file: String?
    /// Its size.
    var byteCount = 0
    /// The percentage of the file.
    var percent = 0
    /// The offset of the wall clock from the machine's clock, in milliseconds.
    var milliseconds: Int64 = 0
    /// The seed of the faults.
    var seed: UInt64 = 0
    /// Whether messages to the hub are lost.
    var losesOutgoing = false
    /// Whether messages from the hub are lost.
    var losesIncoming = false

    init(_ action: Action) {
        self.action = action
    }
}

/// A report of a node: a line of JSON on its standard output.
struct NodeReport: Codable, Sendable {
    /// The number of the order, nil for the first report.
    var id: Int?
    /// The endpoint of a hub, or a text from a watch that is ready.
    var ready: String?
    /// Why the order failed; nil if it did not.
    var failure: String?
    /// The present state of the device.
    var observation: DeviceObservation?
    /// An invitation, or the outcome of a question.
    var text: String?
}
