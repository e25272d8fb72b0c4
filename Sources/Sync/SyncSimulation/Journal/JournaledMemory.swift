import SyncCore

/// What a hub's journal says that its store holds.
struct JournaledHub {
    /// What was known when a version became durable.
    struct Past {
        var state: LedgerState
        var point: VersionChecker.Point
        var effects: Set<RandomID>
        var order: Int
    }

    let index: Int
    /// Whether the journal begins with the first version of all.
    let isFromStart: Bool
    private(set) var memory: HubMemory
    /// What the engine wants to be durable, oldest first.
    var waiting: [HubRecord] = []
    /// The requests of this process that wait for an answer, with the version that they expect.
    var requests: [HubEngine.RequestID: Version?] = [:]
    /// The peer of a connection.
    var peers: [ConnectionID: PeerKey] = [:]
    private(set) var history: [Version: Past] = [:]

    init(_ memory: HubMemory, index: Int, isFromStart: Bool) {
        self.memory = memory
        self.index = index
        self.isFromStart = isFromStart
    }

    /// A process starts with what the store loaded.
    mutating func begin(_ loaded: HubMemory) {
        memory = loaded
        (waiting, requests, peers) = ([], [:], [:])
    }

    mutating func apply(_ record: HubRecord) {
        drop()
        memory.apply(record)
    }

    /// The oldest record that waits is durable, or failed.
    mutating func drop() {
        if !waiting.isEmpty { waiting.removeFirst() }
    }

    /// The oldest group of transactions that waits; transfers before it are durable, too.
    mutating func waitingGroup() -> [Transaction]? {
        while let record = waiting.first {
            if case .group(let group) = record { return group }
            apply(record)
        }
        return nil
    }

    mutating func remember(point: VersionChecker.Point, effects: Set<RandomID>) {
        history[memory.ledger.version] = Past(
            state: memory.ledger, point: point, effects: effects, order: history.count)
    }
}

/// What a watch's journal says that its store holds.
struct JournaledWatch {
    private(set) var memory: WatchEngine.State
    /// What the engine wants to be durable, oldest first.
    var waiting: [WatchEngine.Record] = []
    /// The time of its last entry in the journal.
    var lastSeen = Instant(nanoseconds: 0)

    init(_ memory: WatchEngine.State) {
        self.memory = memory
    }

    /// What the store may hold if the process died now: records become durable in their order.
    var lastStates: [WatchEngine.State] {
        waiting.reduce(into: [memory]) { states, record in
            guard var state = states.last else { return }
            state.apply(record)
            states.append(state)
        }
    }

    mutating func begin(_ loaded: WatchEngine.State) {
        memory = loaded
        waiting = []
    }

    mutating func apply(_ record: WatchEngine.Record) {
        drop()
        memory.apply(record)
    }

    /// The oldest record that waits is durable, or failed.
    mutating func drop() {
        if !waiting.isEmpty { waiting.removeFirst() }
    }
}
