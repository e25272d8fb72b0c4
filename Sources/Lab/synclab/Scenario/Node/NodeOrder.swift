import SyncSimulation

/// What a node is told to do: a line of JSON on its standard input.
struct NodeOrder: Codable, Sendable {
    /// What to do.
    enum Deed: String, Codable, Sendable {
        /// Show what can be seen.
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
        /// Lose messages once a file has arrived so far.
        case cutAtFile
        /// Show another time on the wall clock.
        case clock
        /// Let things go wrong as a seed decides.
        case swarm
        /// Let nothing go wrong any more.
        case heal
        /// Invite a watch.
        case invite
        /// Forget a watch.
        case unpair
    }

    /// A cell and the value that it shall have, nil to delete it.
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
    /// Whether the value that lost is put back.
    var isRestoring = false
    /// The user info, the question, or the answer to a question that comes.
    var text: String?
    /// How long a question waits for its outcome, in milliseconds; nil for the engine's own time.
    var patience: Int64?
    /// The reply to the question; nil for none.
    var reply: String?
    /// Whether user info goes with priority.
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

/// What a node tells: a line of JSON on its standard output.
struct NodeReport: Codable, Sendable {
    /// The number of the order, nil for the first report.
    var id: Int?
    /// Where a hub listens, or the word of a watch that is ready.
    var ready: String?
    /// Why the order could not be carried out.
    var failure: String?
    /// What can be seen.
    var sight: DeviceObservation?
    /// An invitation, or the outcome of a question.
    var text: String?
}
