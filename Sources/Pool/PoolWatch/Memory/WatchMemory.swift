internal import PoolModel
internal import SyncCore

/// What a watch knows at a moment: the newest of everything that it received, in this run or an earlier one.
///
/// The engine has judged what is newer before it comes here, by order and epoch; so nothing in here compares again.
struct WatchMemory {
    /// The configuration that is durable, with the own edits over it; empty before the first one.
    private(set) var configuration = WatchConfiguration()
    /// Its revision, nil before the first one.
    private(set) var revision: UInt64?
    /// The edits of this watch that wait for the hub, in words, oldest first.
    private(set) var pending: [PendingEditSummary] = []
    /// The open conflicts, in words.
    private(set) var conflicts: [ConflictSummary] = []
    /// The person's own edits.
    private(set) var edits = LocalEdits()
    /// What edits were based on, while they wait.
    private var origins: [RandomID: [CellKey: RandomID]] = [:]
    /// What the last confirmed edits met.
    private var findings: [RandomID: MergeResult] = [:]
    /// How often the hub came back with another history since the start, because it was restored.
    private(set) var restoreCount = 0
    /// How many edits waited when it did so last.
    private(set) var waitingAtRestore = 0
    /// Why the hub does not take in the edits that wait, in words; nil if nothing keeps them.
    var uploadObstacle: String?
    /// The last snapshot that is durable.
    private var snapshot: Snapshot?
    /// The newest readings of each device, also of devices that the configuration does not have yet.
    private(set) var readings: [DeviceID: DeviceReadings] = [:]
    /// The last day of each device, as far as this life of the watch saw it.
    private(set) var histories: [DeviceID: ValueHistory] = [:]
    /// The state of the hub's connections.
    private(set) var reports: [ServerID: ServerReport] = [:]
    /// What is known of the link.
    var link = LinkStatus()

    /// How many readings arrived, also of devices that are gone.
    private(set) var tallies: [DeviceID: ReadingCount] = [:]
    /// The open alerts, as the hub told them last.
    private(set) var alerts = AlertState()
    /// The order of the register that brought them, 0 before the first.
    private(set) var alertsOrder: UInt64 = 0
    /// How many configurations arrived since the start.
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

    /// Takes in what the store kept of an earlier run.
    mutating func recall(_ state: WatchEngine.State) -> [Remark] {
        edits.recall(state.replica)
        for edit in edits.pending { origins[edit.id] = MergeResult.origin(of: edit, in: state.replica.snapshot) }
        var remarks = state.replica.snapshot.map { show(ReceivedConfiguration($0, under: edits.pending)) } ?? []
        for register in state.registers.values.map(\.register) {
            let received = ReceivedRegister(register)
            if case .readings(let readings) = received {
                tallies[readings.deviceID] = ReadingCount(newestOrder: register.order)
            }
            remarks += keep(received, of: register)
        }
        return remarks
    }

    /// Takes in a newer snapshot; gives what was not said before.
    mutating func receive(_ snapshot: Snapshot) -> [Remark] {
        if let held = self.snapshot, held.version.epoch != snapshot.version.epoch {
            restoreCount += 1
            waitingAtRestore = edits.pending.count
        }
        return take(snapshot)
    }

    /// Takes in what the hub still knows of the last day of a device; devices that are not there are left out.
    mutating func learn(_ course: WatchCourse) {
        guard configuration.device(course.deviceID) != nil else { return }
        var history = histories[course.deviceID] ?? ValueHistory()
        for point in course.points {
            history.record(
                course.quantity, mean: point.mean, least: point.least, greatest: point.greatest, at: point.start)
        }
        histories[course.deviceID] = history
    }

    /// Forgets the last day of all devices.
    mutating func forgetHistories() { histories = [:] }

    private mutating func take(_ snapshot: Snapshot) -> [Remark] {
        receive(ReceivedConfiguration(snapshot, under: edits.pending))
    }

    /// Takes in an own edit that is durable.
    mutating func accept(_ edit: Edit) {
        edits.accept(edit)
        if origins[edit.id] == nil { origins[edit.id] = MergeResult.origin(of: edit, in: snapshot) }
        showEdits()
    }

    /// Takes in what became of own edits.
    mutating func confirm(_ confirmed: [ConfirmedEdit]) {
        edits.confirm(confirmed)
        if let snapshot {
            let own = edits.dots
            for edit in confirmed.map(\.edit) {
                findings[edit.id] = MergeResult(edit, since: origins[edit.id], in: snapshot, own: own)
            }
        }
        let kept = Set(edits.confirmed.map(\.edit.id))
        findings = findings.filter { kept.contains($0.key) }
        let waiting = Set(edits.pending.map(\.id))
        origins = origins.filter { waiting.contains($0.key) }
        if waiting.isEmpty { uploadObstacle = nil }
        showEdits()
    }

    /// What became of the last own edits of this life, in words, oldest first.
    var outcomes: [EditOutcomeSummary] {
        let words = EditFormatter(snapshot.map { ReplicaContents($0, under: edits.pending).entries } ?? [])
        return edits.confirmed.map { EditOutcomeSummary($0, findings[$0.edit.id], words) }
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
            tallies[readings.deviceID, default: ReadingCount(newestOrder: register.order)].count(register.order)
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
            alertsOrder = register.order
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
struct ReadingCount: Hashable {
    /// The order of the newest one, of this or an earlier run.
    private(set) var newestOrder: UInt64
    /// How many different ones arrived since the start.
    private(set) var receivedCount: UInt64 = 0
    /// The tally of a device of which nothing arrived since the start.
    init(newestOrder: UInt64) {
        self.newestOrder = newestOrder
    }

    /// Counts one that arrived.
    mutating func count(_ order: UInt64) {
        receivedCount += 1
        newestOrder = order
    }
}
