import PoolControl
import PoolModel

/// Decides which changes of connections are reported, so that a repeated failure is reported once.
struct ServerStateChanges {
    /// The milliseconds after which the same reason is reported again.
    static let silence: Int64 = 3_600_000
    /// The maximum number of remembered reasons of a server.
    private static let reasonCountMax = 16

    private struct Memory {
        /// The last reported state.
        var last: String?
        /// When each reason was reported, since the last connection.
        var reasons: [String: Timestamp] = [:]
        /// The settings of the server; a change of them resets the memory.
        var server: Server
    }

    private var memories: [ServerID: Memory] = [:]

    /// Whether to report a state; if so, it counts as reported.
    ///
    /// The first attempt is reported, a connection after a failure or with other settings, and each reason of a failure:
    /// once, and again after an hour.
    mutating func isNews(_ state: BrokerState, of server: Server, at moment: Timestamp) -> Bool {
        var memory = memories[server.id] ?? Memory(server: server)
        if memory.server != server { memory = Memory(server: server) }
        defer { memories[server.id] = memory }
        let words = "\(state)"
        switch state.phase {
        case .connecting:
            guard memory.last == nil else { return false }
        case .connected:
            memory.reasons = [:]
            guard memory.last != words else { return false }
        case .waiting:
            if let last = memory.reasons[words], abs(moment.milliseconds(since: last)) < Self.silence { return false }
            if memory.reasons.count >= Self.reasonCountMax { memory.reasons = [:] }
            memory.reasons[words] = moment
        }
        memory.last = words
        return true
    }
}
