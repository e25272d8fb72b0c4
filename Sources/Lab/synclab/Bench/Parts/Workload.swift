/// The work of a hub and many watches in one run.
struct Workload: Codable, Equatable, Sendable {
    /// The implementation to measure.
    enum Side: String, Codable, Sendable {
        /// The engine.
        case engine
        /// Bare ROUTER and DEALER sockets.
        case raw
        /// Bare sockets, with each message in as many parts as a frame of the engine has.
        case rawInParts
    }

    /// The work that begins when all watches have joined.
    enum Work: Codable, Equatable, Sendable {
        /// The hub sends messages to all as fast as it can.
        case flood(milliseconds: Int, byteCount: Int)
        /// Only heartbeats are sent.
        case rest(milliseconds: Int)
        /// The first watch asks the hub repeatedly.
        case ask(count: Int)
        /// The first watch sends live messages one after the other, and waits for the reply to each.
        case converse(count: Int)
        /// The hub sends one file to the only watch; neither end stores it on a disk.
        case file(byteCount: Int)
    }

    var side: Side
    var watchCount: Int
    var work: Work

    /// The time from the arrival of the last watch to the start of the work, in seconds.
    ///
    /// It lets idle watches settle.
    var pauseSeconds: Double {
        if case .rest = work { 2 } else { 0.2 }
    }
}

/// The task of a child process in a run.
struct BenchTask: Codable, Sendable {
    enum Role: String, Codable, Sendable {
        case hub
        case load
    }

    var role: Role
    var workload: Workload
    /// The endpoint of the hub; for the watches' process only.
    var endpoint: String?
}

/// The hub is ready.
struct HubStart: Codable, Sendable {
    var endpoint: String
}

/// The measurements of the hub.
struct HubFindings: Codable, Sendable {
    /// The memory of the hub's process for each watch, in bytes.
    var byteCountPerWatch: Double
    /// The time of the work, in seconds.
    var seconds: Double
    /// The processor time that the hub's process spent in it, in seconds.
    var processorSeconds: Double
}

/// The measurements of the watches.
struct LoadFindings: Codable, Sendable {
    /// The time from the first connection until all watches were current, in seconds.
    var joinSeconds: Double
    /// The total number of messages of the work that came to all watches.
    var deliveryCount = 0
    /// The bytes of these messages.
    var byteCount = 0
    /// The time from the first to the last of them, in seconds.
    var seconds = 0.0
    /// The round trips, in seconds.
    var roundTrips: [Double] = []
}
