import PoolControl
import PoolModel

/// What people were told of the connections to servers, so that an attempt that fails like an earlier one is not told
/// again.
struct ServerStateChanges {
    /// The milliseconds after which the same is told again.
    static let silence: Int64 = 3_600_000
    /// The reasons that are remembered of a server.
    private static let reasonCountMax = 16

    private struct Memory {
        /// What was told last.
        var last: String?
        /// When each reason was told, since the last connection.
        var reasons: [String: Timestamp] = [:]
        /// The settings that it is about: with other ones everything is news.
        var server: Server
    }

    private var memories: [ServerID: Memory] = [:]

    /// Whether a state is worth telling; then it counts as told.
    ///
    /// The first attempt is, a connection after a failure or with other settings, and each reason for a failure: once, and
    /// again after an hour.
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
            if let told = memory.reasons[words], abs(moment.milliseconds(since: told)) < Self.silence { return false }
            if memory.reasons.count >= Self.reasonCountMax { memory.reasons = [:] }
            memory.reasons[words] = moment
        }
        memory.last = words
        return true
    }
}
