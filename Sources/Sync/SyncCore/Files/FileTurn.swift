/// The data that both directions of an exchange share while they handle an input.
struct FileTurn: Hashable, Sendable {
    /// The durable state.
    var state: FileExchange.State
    var now = Instant(nanoseconds: 0)
    var session: UInt64?
    /// The number of the last pull in the session.
    var lastPull: UInt64 = 0
    var outputs: [FileExchange.Output] = []

    init(state: FileExchange.State) {
        self.state = state
    }

    mutating func put(_ output: FileExchange.Output) {
        outputs.append(output)
    }

    mutating func drop(_ reason: FileExchange.Drop) {
        outputs.append(.event(.dropped(reason)))
    }

    /// Sends a frame, which is created for the session's number, if there is a session.
    mutating func send(_ frame: (_ session: UInt64) -> Frame) {
        guard let session else { return }
        outputs.append(.send(frame(session)))
    }
}
