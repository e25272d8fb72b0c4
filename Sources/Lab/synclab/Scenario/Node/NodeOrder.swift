import SyncSimulation

/// An order to a node: a line of JSON on its standard input.
struct NodeOrder: Codable, Sendable {
    /// What to do.
    enum Deed: String, Codable, Sendable {
        /// Report the present state.
        case look
        /// Change cells.
        case change
        /// Settle a conflict.
        case settle
        /// Send user info.
        case item
        /// Send a live message and wait for its outcome.
        case ask
        /// Answer a question that will come.
        case script
        /// Send a file.
        case file
        /// Lose messages.
        case cut
        /// Lose messages once a part of a file has arrived.
        case cutAtFile
        /// Show another time on the wall clock.
        case clock
        /// Cause faults as a seed decides.
        case swarm
        /// End all faults.
        case heal
        /// Invite a watch.
        case invite
        /// Forget a watch.
        case unpair
    }

    /// A cell and its new value; nil to delete it.
    struct Change: Codable, Sendable {
        var cell: String
        var value: String?
    }

    /// The number that comes back with the report.
    var id = 0
    /// What to do.
    var deed: Deed
    /// At a hub, the watch that it is about.
    var watch: String?
    /// The cells to change.
    var changes: [Change] = []
    /// The conflict to settle.
    var conflict: String?
    /// Whether to restore the value that lost.
    var isRestoring = false
    /// The user info, the question, or the question that will come and get the reply.
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
    /// How much of it.
    var percent = 0
    /// The milliseconds that the wall clock is ahead of the machine's.
    var milliseconds: Int64 = 0
    /// The seed of the faults.
    var seed: UInt64 = 0
    /// Whether messages to the hub are lost.
    var losesOutgoing = false
    /// Whether messages from the hub are lost.
    var losesIncoming = false

    init(_ deed: Deed) {
        self.deed = deed
    }
}

/// A report of a node: a line of JSON on its standard output.
struct NodeReport: Codable, Sendable {
    /// The number of the order, nil for the first report.
    var id: Int?
    /// The endpoint of a hub, or a text from a watch that is ready.
    var ready: String?
    /// Why the order could not be carried out.
    var failure: String?
    /// The present state.
    var sight: DeviceObservation?
    /// An invitation, or the outcome of a question.
    var text: String?
}
