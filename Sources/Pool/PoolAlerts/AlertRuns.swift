import PoolModel

/// The states of all keys, and which of them must be settled.
struct AlertRuns: Sendable {
    /// The number of keys for which there was no room.
    private(set) var refusedCount: UInt64 = 0
    private var runs: [AlertKey: AlertRun] = [:]
    private var touched: Set<AlertKey> = []
    /// No key wakes before this time, so most inputs need not check every key.
    private var earliestWake = Int64.max

    /// When the next key must be settled even without an input; nil for never.
    var nextWake: Int64? { runs.values.compactMap(\.wakeAt).min() }

    /// All states, in no order.
    var all: some Collection<AlertRun> { runs.values }

    /// The state of a key; nil if there is none.
    subscript(_ key: AlertKey) -> AlertRun? { runs[key] }

    /// The state of a key, created if necessary; nil if there is no room.
    mutating func run(_ key: AlertKey, name: String) -> AlertRun? {
        if let run = runs[key] { return run }
        guard runs.count < AlertRecord.countMax else {
            refusedCount += 1
            return nil
        }
        return AlertRun(key: key, name: name)
    }

    /// Adds a state that was stored; it must be settled.
    mutating func restore(_ run: AlertRun) {
        runs[run.state.key] = run
        touched.insert(run.state.key)
    }

    /// Stores the changed state of a key, unless it is empty and always was; it must be settled.
    mutating func put(_ run: AlertRun) {
        let key = run.state.key
        guard runs[key] != nil || !run.state.isBlank else { return }
        runs[key] = run
        touched.insert(key)
    }

    /// Stores the settled state of a key.
    mutating func putSettled(_ run: AlertRun) {
        earliestWake = min(earliestWake, run.wakeAt ?? .max)
        runs[run.state.key] = run
    }

    /// Removes a key.
    mutating func remove(_ key: AlertKey) { runs[key] = nil }

    /// Removes keys, and returns their states in the order of the keys.
    mutating func removeAll(where isGone: (AlertKey) -> Bool) -> [AlertRun] {
        runs.keys.filter(isGone).sorted().compactMap { runs.removeValue(forKey: $0) }
    }

    /// The keys that fulfil a condition must be settled.
    mutating func touch(where isAffected: (AlertKey) -> Bool = { _ in true }) {
        touched.formUnion(runs.keys.filter(isAffected))
    }

    /// The keys whose time has come must be settled.
    mutating func wake(at now: Int64) {
        guard earliestWake <= now else { return }
        touched.formUnion(runs.filter { ($0.value.wakeAt ?? .max) <= now }.keys)
        earliestWake = runs.values.lazy.compactMap(\.wakeAt).filter { $0 > now }.min() ?? .max
    }

    /// The keys that must be settled, in their order; afterwards there are none.
    mutating func takeTouched() -> [AlertKey] {
        defer { touched = [] }
        return touched.sorted()
    }

    /// What a key depends on besides its own state.
    func surroundings(of state: AlertKeyState, sample: AlertSample?) -> AlertSurroundings {
        let key = state.key
        let isExplainedByHub =
            (key.condition == .missing || key.condition == .connection) && runs[.hub(.storage)]?.state.episode != nil
        let isExplainedByServer =
            key.condition == .missing && state.serverID.flatMap { runs[.connection($0)]?.state.isOn } == true
        let isMissing =
            key.condition == .value
            && [nil, key.quantity].contains { quantity in
                key.deviceID.flatMap { runs[.missing($0, quantity)]?.state.isOn } == true
            }
        let isExplained = isExplainedByHub || isExplainedByServer
        return AlertSurroundings(
            isExplained: isExplained, isExplainedByHub: isExplainedByHub, isUnknown: isExplained || isMissing,
            sample: sample)
    }
}
