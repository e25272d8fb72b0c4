import Platform
package import SyncCore

/// What a device knows of the shared records, in the engine's terms.
package struct RecordsContents: Hashable, Sendable {
    /// The values that are shown.
    package var values: [SharedRecords.Key: SharedRecords.Value] = [:]
    /// The open conflicts.
    package var conflicts: [SharedRecords.Conflict] = []

    package init() {}

    /// The contents of a hub.
    package init(
        cells: SortedMap<CellKey, Cell>, conflicts: some Sequence<Conflict>,
        rules: [SharedRecords.Name: SharedRecords.Rule]
    ) {
        for (key, cell) in cells.pairs where rules[key.recordsName] != nil {
            values[SharedRecords.Key(key)] = cell.value.map { SharedRecords.Value(text: $0) }
        }
        self.conflicts = Self.shown(conflicts, rules)
    }

    /// The contents of a watch.
    package init(
        view: SortedMap<CellKey, VisibleCell>, conflicts: some Sequence<Conflict>,
        rules: [SharedRecords.Name: SharedRecords.Rule]
    ) {
        for (key, cell) in view.pairs where rules[key.recordsName] != nil {
            values[SharedRecords.Key(key)] = cell.value.map { SharedRecords.Value(text: $0, isPending: cell.isPending) }
        }
        self.conflicts = Self.shown(conflicts, rules)
    }

    private static func shown(
        _ conflicts: some Sequence<Conflict>, _ rules: [SharedRecords.Name: SharedRecords.Rule]
    ) -> [SharedRecords.Conflict] {
        conflicts.filter { rules[$0.key.recordsName] != nil }
            .sorted { ($0.key, $0.loser.stamp, $0.id) < ($1.key, $1.loser.stamp, $1.id) }
            .map(SharedRecords.Conflict.init)
    }
}

/// What reads and changes the records of a device: a real one, or a simulated one.
package protocol RecordsDriver: AnyObject, Sendable {
    /// What is shown now.
    var recordsContents: RecordsContents { get }
    /// Changes cells, all or none, durably.
    func change(_ changes: [CellChange]) async throws(SharedRecordsError) -> SharedRecords.Outcome
    /// Settles a conflict durably.
    func settle(_ conflict: RandomID, restoring: Bool) async throws(SharedRecordsError) -> SharedRecords.Outcome
    /// The key of a watch; on a watch its own.
    func peerKey(of watch: SessionWatch.ID?) -> PeerKey?
}

/// The records of a registry: the rules, and the device that has them.
package final class RecordsBoard: Sendable {
    private struct State: Sendable {
        var rules: [SharedRecords.Name: SharedRecords.Rule] = [:]
        var role = PeerState.Role.phone
        weak var driver: (any RecordsDriver)?
    }

    /// The streams of changes.
    let signals = SignalStreams()
    private let state = Lock(State())

    /// Connects a device; it is held weakly.
    package func connect(
        _ driver: any RecordsDriver, rules: [SharedRecords.Name: SharedRecords.Rule], role: PeerState.Role
    ) {
        state.withLock { state in
            state.rules = rules
            state.role = role
            state.driver = driver
        }
    }

    /// The contents may have changed.
    package func changed() { signals.send() }

    var contents: RecordsContents { state.withLock(\.driver)?.recordsContents ?? RecordsContents() }

    func peerKey(of watch: SessionWatch.ID?) -> PeerKey? { state.withLock(\.driver)?.peerKey(of: watch) }

    func driver() throws(SharedRecordsError) -> any RecordsDriver {
        let (driver, hasRules) = state.withLock { ($0.driver, !$0.rules.isEmpty) }
        guard let driver else { throw .noDevice }
        guard hasRules else { throw .noRules }
        return driver
    }

    /// Why wishes cannot be fulfilled, whatever the present values are; nil if they can.
    func fault(of wishes: [SharedRecords.Key: String?]) -> String? {
        let (rules, role) = state.withLock { ($0.rules, $0.role) }
        guard wishes.count <= Edit.changeCountMax else {
            return "\(wishes.count) values are too many for one change, at most \(Edit.changeCountMax) go together"
        }
        for (key, value) in wishes.sorted(by: { CellKey($0.key) < CellKey($1.key) }) {
            let name = "\(key.kind)/\(key.group)"
            guard let rule = rules[SharedRecords.Name(kind: key.kind, group: key.group)] else {
                return "no rule names \(name): add it to SessionSetup.records on both sides"
            }
            if role == .watch, rule.writer == .phone { return "only the phone may change \(name)" }
            if role == .watch, rule.writer == .owner, peerKey(of: nil).map(Schema.record) != RandomID(key.record) {
                return "only the phone and the watch that owns the record may change \(name)"
            }
            let limit = rule.writer == .phone ? Cell.valueByteCountMax : Edit.valueByteCountMax
            let byteCount = value?.utf8.count ?? 0
            if byteCount > limit { return "the value of \(name) has \(byteCount) bytes, at most \(limit) are possible" }
        }
        return nil
    }
}

/// Streams that say only that something changed.
final class SignalStreams: Sendable {
    private struct State: Sendable {
        var readers: [Int: AsyncStream<Void>.Continuation] = [:]
        var last = 0
    }

    private let state = Lock(State())

    /// A new stream, with an element at once.
    var stream: AsyncStream<Void> {
        let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        continuation.yield()
        let number = state.withLock { state in
            state.last += 1
            state.readers[state.last] = continuation
            return state.last
        }
        continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.readers[number] = nil } }
        return stream
    }

    func send() {
        for reader in state.withLock({ Array($0.readers.values) }) { reader.yield() }
    }
}
