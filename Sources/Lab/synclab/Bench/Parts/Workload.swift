/// What a hub and a crowd of watches do together in one run.
struct Workload: Codable, Equatable, Sendable {
    /// Who stands on both sides.
    enum Side: String, Codable, Sendable {
        /// The engine.
        case engine
        /// Bare ROUTER and DEALER sockets.
        case raw
        /// The same with each message in the parts of a frame of the engine.
        case rawInParts
    }

    /// What happens once all watches have come.
    enum Work: Codable, Equatable, Sendable {
        /// The hub sends messages to all as fast as it can.
        case flood(milliseconds: Int, byteCount: Int)
        /// Nothing but heartbeats.
        case rest(milliseconds: Int)
        /// The first watch asks the hub, again and again.
        case ask(count: Int)
        /// The first watch sends live messages one after the other, and waits for the reply to each.
        case converse(count: Int)
        /// The hub sends one file, which neither side has on a disk, to the only watch.
        case file(byteCount: Int)
        /// The hub changes one record of many, again and again.
        case change(count: Int)
    }

    var side: Side
    var watchCount: Int
    /// The records of the configuration.
    var recordCount = 0
    var work: Work

    /// The time between the coming of the last watch and the work, in seconds: who is to be idle has been so for a while.
    var pauseSeconds: Double {
        if case .rest = work { 2 } else { 0.2 }
    }
}

/// The part of a child process in a play.
struct BenchTask: Codable, Sendable {
    enum Role: String, Codable, Sendable {
        case hub
        case crowd
    }

    var role: Role
    var play: Workload
    /// Where the hub is; the crowd's only.
    var endpoint: String?
}

/// The hub is ready.
struct HubStart: Codable, Sendable {
    var endpoint: String
}

/// What the hub found out.
struct HubFindings: Codable, Sendable {
    /// The memory that each watch took, in bytes.
    var byteCountPerWatch: Double
    /// The time of the work, in seconds.
    var seconds: Double
    /// The processor time that the hub's process spent in it, in seconds.
    var processorSeconds: Double
}

/// What the crowd found out.
struct LoadFindings: Codable, Sendable {
    /// The time from the first connection until all watches were current, in seconds.
    var joinSeconds: Double
    /// The messages of the work that came to all watches together.
    var deliveryCount = 0
    /// The bytes of these messages.
    var byteCount = 0
    /// The time from the first to the last of them, in seconds.
    var seconds = 0.0
    /// The round trips, in seconds.
    var roundTrips: [Double] = []
}
