internal import PoolModel
internal import SyncCore

/// What a watch knows at a moment: the newest of everything that it received, in this life or an earlier one.
///
/// The engine has judged what is newer before it comes here, by order and epoch; so nothing in here compares again.
struct WatchMemory {
    /// The configuration that is durable, with the own edits over it; empty before the first one.
    private(set) var configuration = WatchConfiguration()
    /// Its revision, nil before the first one.
    private(set) var revision: UInt64?
    /// The edits of this watch that wait for the hub, in words, oldest first.
    private(set) var pending: [PendingNote] = []
    /// The open conflicts, in words.
    private(set) var conflicts: [ConflictNote] = []
    /// The person's own edits.
    private(set) var edits = OwnEdits()
    /// The last snapshot that is durable.
    private var snapshot: Snapshot?
    /// The newest readings of each device, also of devices that the configuration does not have yet.
    private(set) var readings: [DeviceID: DeviceReadings] = [:]
    /// The last day of each device, as far as this life of the watch saw it.
    private(set) var histories: [DeviceID: ValueHistory] = [:]
    /// The state of the hub's connections.
    private(set) var reports: [ServerID: ServerReport] = [:]
    /// What is known of the link.
    var link = LinkKnowledge()

    /// How many readings arrived, also of devices that are gone.
    private(set) var tallies: [DeviceID: ReadingsTally] = [:]
    /// The open alerts, as the hub told them last.
    private(set) var alerts = AlertState()
    /// How many configurations arrived in this life.
    private(set) var snapshotCount = 0
    /// How many values of registers could not be read.
    private(set) var undecodableRegisterCount = 0
    /// What is wrong with the configuration.
    private(set) var problems: Set<ConfigurationProblem> = []
    private var undecodableKeys: Set<String> = []

    /// Something that is worth one line in the log.
    enum Remark: Hashable {
        /// A piece of the configuration cannot be taken as it is.
        case problem(ConfigurationProblem)
        /// A register's value cannot be read.
        case undecodable(key: String, reason: String)
    }

    /// Takes in what the store kept of an earlier life.
    mutating func recall(_ state: WatchEngine.State) -> [Remark] {
        edits.recall(state.replica)
        var remarks = state.replica.snapshot.map { show(ReceivedConfiguration($0, under: edits.pending)) } ?? []
        for register in state.registers.values.map(\.register) {
            let received = ReceivedRegister(register)
            if case .readings(let readings) = received {
                tallies[readings.deviceID] = ReadingsTally(newestOrder: register.order)
            }
            remarks += keep(received, of: register)
        }
        return remarks
    }

    /// Takes in a newer snapshot; gives what was not said before.
    mutating func receive(_ snapshot: Snapshot) -> [Remark] {
        receive(ReceivedConfiguration(snapshot, under: edits.pending))
    }

    /// Takes in an own edit that is durable.
    mutating func accept(_ edit: Edit) {
        edits.accept(edit)
        showEdits()
    }

    /// Takes in what became of own edits.
    mutating func confirm(_ confirmed: [ConfirmedEdit]) {
        edits.confirm(confirmed)
        showEdits()
    }

    /// What became of the last own edits of this life, in words, oldest first.
    var outcomes: [OutcomeNote] {
        let words = EntryWords(snapshot.map { ReplicaContents($0, under: edits.pending).entries } ?? [])
        return edits.confirmed.map { OutcomeNote($0, words) }
    }

    private mutating func showEdits() {
        // What is wrong with an own edit was said to its author.
        if let snapshot { _ = show(ReceivedConfiguration(snapshot, under: edits.pending)) }
    }

    /// Takes in a newer configuration; gives what was not said before.
    mutating func receive(_ received: ReceivedConfiguration) -> [Remark] {
        snapshotCount += 1
        return show(received)
    }

    /// Takes in a newer value of a register; gives what was not said before.
    mutating func receive(_ received: ReceivedRegister, of register: Register) -> [Remark] {
        if case .readings(let readings) = received {
            tallies[readings.deviceID, default: ReadingsTally(newestOrder: register.order)].count(register.order)
        }
        return keep(received, of: register)
    }

    // MARK: - Keeping

    private mutating func show(_ received: ReceivedConfiguration) -> [Remark] {
        let gone = Set(configuration.devices.map(\.id)).subtracting(received.configuration.devices.map(\.id))
        // An identity is never used again. What came for devices that were not in a configuration yet is kept.
        for id in gone {
            readings[id] = nil
            histories[id] = nil
        }
        configuration = received.configuration
        revision = received.revision
        pending = received.pending
        conflicts = received.conflicts
        snapshot = received.snapshot
        let news = received.problems.filter { !problems.contains($0) }
        problems = Set(received.problems)
        return news.map(Remark.problem)
    }

    private mutating func keep(_ received: ReceivedRegister, of register: Register) -> [Remark] {
        switch received {
        case .readings(let newest):
            readings[newest.deviceID] = newest
            histories[newest.deviceID, default: ValueHistory()].record(newest)
            return []
        case .alerts(let state):
            alerts = state
            return []
        case .report(let report, let id):
            reports[id] = report
            return []
        case .undecodable(let reason):
            undecodableRegisterCount += 1
            // The engine bounds the registers, and so this set.
            guard undecodableKeys.insert(register.key).inserted else { return [] }
            return [.undecodable(key: register.key, reason: reason)]
        }
    }
}

/// How many readings of one device arrived.
struct ReadingsTally: Hashable {
    /// The order of the newest one, of this or an earlier life.
    private(set) var newestOrder: UInt64
    /// How many different ones arrived in this life.
    private(set) var receivedCount: UInt64 = 0
    /// The tally of a device of which nothing arrived in this life.
    init(newestOrder: UInt64) {
        self.newestOrder = newestOrder
    }

    /// Counts one that arrived.
    mutating func count(_ order: UInt64) {
        receivedCount += 1
        newestOrder = order
    }
}
