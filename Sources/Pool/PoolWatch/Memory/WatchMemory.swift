internal import PoolModel
internal import SyncCore

/// The newest of everything that a watch received, in this run or an earlier one.
///
/// The engine has already compared orders and epochs, so the data here are not compared again.
struct WatchMemory {
    /// The durable configuration with the edits of this watch applied; empty before the first one.
    private(set) var configuration = WatchConfiguration()
    /// Its revision; nil before the first one.
    private(set) var revision: UInt64?
    /// The edits of this watch that wait for the hub, in words, oldest first.
    private(set) var pending: [PendingEditSummary] = []
    /// The open conflicts, in words.
    private(set) var conflicts: [ConflictSummary] = []
    /// The edits of this watch.
    private(set) var edits = LocalEdits()
    /// The writes that waiting edits are based on.
    private var origins: [RandomID: [CellKey: RandomID]] = [:]
    /// The merge results of the last confirmed edits.
    private var findings: [RandomID: MergeResult] = [:]
    /// How often the hub returned with another history since the start, because it was restored.
    private(set) var restoreCount = 0
    /// How many edits waited at the last restore.
    private(set) var waitingAtRestore = 0
    /// Why the hub does not accept the waiting edits, in words; nil if there is no obstacle.
    var uploadObstacle: String?
    /// The last durable snapshot.
    private var snapshot: Snapshot?
    /// The newest readings of each device, also of devices that the configuration does not have yet.
    private(set) var readings: [DeviceID: DeviceReadings] = [:]
    /// The last day of each device, as received since the watch started.
    private(set) var histories: [DeviceID: ValueHistory] = [:]
    /// The state of the hub's connections.
    private(set) var reports: [ServerID: ServerReport] = [:]
    /// What the hub knows of each pool, and the order of its register.
    private(set) var cares: [PoolID: PoolCare] = [:]
    private(set) var careOrders: [PoolID: UInt64] = [:]
    /// The state of the link.
    var link = LinkStatus()

    /// The number of readings that arrived, also for devices that were removed.
    private(set) var tallies: [DeviceID: ReadingCount] = [:]
    /// The last open alerts from the hub.
    private(set) var alerts = AlertState()
    /// The order of the register with the alerts; 0 before the first.
    private(set) var alertsOrder: UInt64 = 0
    /// How many configurations arrived since the start.
    private(set) var snapshotCount = 0
    /// How many values of registers could not be read.
    private(set) var undecodableRegisterCount = 0
    /// The problems with the configuration.
    private(set) var problems: Set<ConfigurationProblem> = []
    private var undecodableKeys: Set<String> = []

    /// Something to write to the log in one line.
    enum Remark: Hashable {
        /// A part of the configuration cannot be used as it is.
        case problem(ConfigurationProblem)
        /// A register's value cannot be read.
        case undecodable(key: String, reason: String)
    }

    /// Restores the stored state of an earlier run.
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

    /// Applies a newer snapshot; returns the remarks that are new.
    mutating func receive(_ snapshot: Snapshot) -> [Remark] {
        if let held = self.snapshot, held.version.epoch != snapshot.version.epoch {
            restoreCount += 1
            waitingAtRestore = edits.pending.count
        }
        return take(snapshot)
    }

    /// Adds the last day of a device from the hub's history; devices that are not in the configuration are ignored.
    mutating func learn(_ series: TimeSeries, of device: DeviceID) {
        guard configuration.device(device) != nil else { return }
        var history = histories[device] ?? ValueHistory()
        for point in series.points {
            history.record(
                series.quantity, mean: point.mean, least: point.least, greatest: point.greatest, at: point.start)
        }
        histories[device] = history
    }

    /// Forgets the last day of all devices.
    mutating func forgetHistories() { histories = [:] }

    private mutating func take(_ snapshot: Snapshot) -> [Remark] {
        receive(ReceivedConfiguration(snapshot, under: edits.pending))
    }

    /// Adds a durable edit of this watch.
    mutating func accept(_ edit: Edit) {
        edits.accept(edit)
        if origins[edit.id] == nil { origins[edit.id] = MergeResult.origin(of: edit, in: snapshot) }
        showEdits()
    }

    /// Handles the results of edits of this watch.
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

    /// The results of the last edits since the watch started, in words, oldest first.
    var outcomes: [EditOutcomeSummary] {
        let words = EditFormatter(snapshot.map { ReplicaContents($0, under: edits.pending).entries } ?? [])
        return edits.confirmed.map { EditOutcomeSummary($0, findings[$0.edit.id], words) }
    }

    private mutating func showEdits() {
        // The author of an edit already knows its problems.
        if let snapshot { _ = show(ReceivedConfiguration(snapshot, under: edits.pending)) }
    }

    /// Applies a newer configuration; returns the remarks that are new.
    mutating func receive(_ received: ReceivedConfiguration) -> [Remark] {
        snapshotCount += 1
        return show(received)
    }

    /// Applies a newer value of a register; returns the remarks that are new.
    mutating func receive(_ received: ReceivedRegister, of register: Register) -> [Remark] {
        if case .readings(let readings) = received {
            tallies[readings.deviceID, default: ReadingCount(newestOrder: register.order)].count(register.order)
        }
        return keep(received, of: register)
    }

    // MARK: - Storing

    private mutating func show(_ received: ReceivedConfiguration) -> [Remark] {
        let gone = Set(configuration.devices.map(\.id)).subtracting(received.configuration.devices.map(\.id))
        // An identity is never reused. Data for devices that were not in any configuration yet are kept.
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
        case .care(let care, let id):
            cares[id] = care
            careOrders[id] = register.order
            return []
        case .report(let report, let id):
            reports[id] = report
            return []
        case .undecodable(let reason):
            undecodableRegisterCount += 1
            // The engine limits the number of registers, and so the size of this set.
            guard undecodableKeys.insert(register.key).inserted else { return [] }
            return [.undecodable(key: register.key, reason: reason)]
        }
    }
}

/// The number of readings of one device that arrived.
struct ReadingCount: Hashable {
    /// The order of the newest one, of this or an earlier run.
    private(set) var newestOrder: UInt64
    /// How many different readings arrived since the start.
    private(set) var receivedCount: UInt64 = 0
    /// Creates the count of a device from which nothing has arrived since the start.
    init(newestOrder: UInt64) {
        self.newestOrder = newestOrder
    }

    /// Counts a reading.
    mutating func count(_ order: UInt64) {
        receivedCount += 1
        newestOrder = order
    }
}
