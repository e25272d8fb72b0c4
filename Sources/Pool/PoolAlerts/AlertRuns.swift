import PoolModel

/// The states of all keys, and which of them must be settled.
struct AlertRuns: Sendable {
    /// The number of keys for which there was no room.
    private(set) var refusedCount: UInt64 = 0
    /// Increases whenever an alert that is open, or was, may look different; time alone does not count.
    private(set) var openChangeCount: UInt64 = 0
    private var runs: [AlertKey: AlertRun] = [:]
    private var touched: Set<AlertKey> = []
    /// When keys must be settled even without an input.
    private var wakes: [AlertKey: Int64] = [:]
    /// The keys with an open episode, so that nobody looks at all the others for them.
    private var openKeys: Set<AlertKey> = []

    /// When the next key must be settled even without an input; nil for never.
    var nextWake: Int64? { wakes.values.min() }

    /// The states with an open episode, in no order.
    var open: [AlertRun] { openKeys.compactMap { runs[$0] } }

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
        set(run, for: run.state.key)
        touched.insert(run.state.key)
    }

    /// Stores the changed state of a key, unless it is empty and always was; it must be settled.
    mutating func put(_ run: AlertRun) {
        let key = run.state.key
        guard runs[key] != nil || !run.state.isBlank else { return }
        set(run, for: key)
        touched.insert(key)
    }

    /// Stores the settled state of a key.
    mutating func putSettled(_ run: AlertRun) { set(run, for: run.state.key) }

    /// Removes a key.
    mutating func remove(_ key: AlertKey) { set(nil, for: key) }

    /// The sample of these keys changed, or everything that open alerts are computed with, if nil.
    mutating func noteChange(of keys: [AlertKey]?) {
        if keys?.contains(where: openKeys.contains) ?? true { openChangeCount += 1 }
    }

    private mutating func set(_ run: AlertRun?, for key: AlertKey) {
        runs[key] = run
        wakes[key] = run?.wakeAt
        if run?.state.episode != nil {
            openKeys.insert(key)
            openChangeCount += 1
        } else if openKeys.remove(key) != nil {
            openChangeCount += 1
        }
    }

    /// Removes keys, and returns their states in the order of the keys.
    mutating func removeAll(where isGone: (AlertKey) -> Bool) -> [AlertRun] {
        runs.keys.filter(isGone).sorted().compactMap { key in
            defer { remove(key) }
            return runs[key]
        }
    }

    /// The keys that fulfil a condition must be settled.
    mutating func touch(where isAffected: (AlertKey) -> Bool = { _ in true }) {
        touched.formUnion(runs.keys.filter(isAffected))
    }

    /// The keys whose time has come must be settled.
    mutating func wake(at now: Int64) {
        guard let nextWake, nextWake <= now else { return }
        touched.formUnion(wakes.filter { $0.value <= now }.keys)
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
