import SyncCore

/// Which content each version has, and which versions each watch has shown.
struct VersionChecker {
    fileprivate struct Place: Hashable {
        var epoch: Epoch
        var revision: UInt64
    }

    /// A version with its content, and the one before it in its history.
    ///
    /// A history is identified by its newest point, so that the check needs little memory for the copy of a store.
    final class Point {
        let version: Version
        fileprivate let snapshot: Snapshot
        fileprivate let previous: Point?
        /// The bytes of the content; computed when they are first needed.
        fileprivate private(set) lazy var bytes = snapshot.contents

        fileprivate init(_ snapshot: Snapshot, after previous: Point?) {
            version = snapshot.version
            self.snapshot = snapshot
            self.previous = previous
        }
    }

    private struct Reader {
        var shown: Version?
        var left: Set<Epoch> = []
    }

    /// The newest point of the hub's present history.
    private(set) var point: Point?
    /// All points of that history.
    private var points: [Place: Point] = [:]
    /// The versions that the hub has lost; a watch may still hold them.
    private var lost: [Version: Point] = [:]
    private var readers: [Reader]

    init(watchCount: Int = 0) {
        readers = Array(repeating: Reader(), count: watchCount)
    }

    /// What watches see of a state; the projection is written a second time here.
    static func projection(of state: LedgerState, schema: Schema) -> Snapshot {
        var visible = Snapshot(
            version: state.version, records: schema.versions.upperBound, stamp: state.lastStamp,
            lineage: state.lineage, cells: SortedMap())
        for (key, cell) in state.cells.pairs where cell.value != nil {
            if schema.rules[Schema.Name(kind: key.kind, group: key.group)] != nil { visible.cells[key] = cell }
        }
        for (id, conflict) in state.conflicts.pairs {
            let name = Schema.Name(kind: conflict.key.kind, group: conflict.key.group)
            if schema.rules[name] != nil { visible.conflicts[id] = conflict }
        }
        return visible
    }

    mutating func becameDurable(_ state: LedgerState, schema: Schema) -> Checks.Finding? {
        let version = state.version
        let next = Point(Self.projection(of: state, schema: schema), after: point)
        let place = Place(epoch: version.epoch, revision: version.revision)
        if let before = points[place], before.version != version || before.snapshot != next.snapshot {
            return Checks.Finding(.oneContentPerVersion, "the hub stores \(version.traceText) with another content")
        }
        points[place] = next
        point = next
        return nil
    }

    /// Whether a version is one of the present history.
    func holds(_ version: Version) -> Bool { present(version) != nil }

    private func present(_ version: Version) -> Point? {
        let point = points[Place(epoch: version.epoch, revision: version.revision)]
        return point?.version == version ? point : nil
    }

    /// Another history replaces the present one: an earlier one, or one that was lost before.
    mutating func replace(by earlier: Point?) {
        for point in points.values {
            lost[point.version] = point
        }
        points = [:]
        point = earlier
        var next = earlier
        while let point = next {
            lost[point.version] = nil
            points[Place(epoch: point.version.epoch, revision: point.version.revision)] = point
            next = point.previous
        }
    }

    func isNewEpoch(_ epoch: Epoch, for watch: Int) -> Bool {
        guard let shown = readers[watch].shown else { return false }
        return shown.epoch != epoch
    }

    /// A watch is restored to what it showed earlier.
    mutating func restored(_ watch: Int, to state: ReplicaState) {
        readers[watch] = Reader(shown: state.snapshot?.version, left: Set(state.fence.abandoned))
    }

    /// A watch starts with what its store holds: it may be newer than what it showed last, never older.
    mutating func starts(_ watch: Int, _ snapshot: Snapshot) -> Checks.Finding? {
        guard snapshot.version != readers[watch].shown else { return nil }
        return shows(watch, snapshot)
    }

    // MARK: - Contexts

    /// The version to which a CONTEXT applies; nil if it is a whole snapshot.
    static func base(of frame: Frame) -> Version? {
        guard let base = (try? JSONValue(decoding: frame.body))?["base"], let epoch = base["epoch"]?.hexadecimal,
            let revision = base["revision"]?.hexadecimal, let chain = base["chain"]?.hexadecimal
        else { return nil }
        return Version(epoch: Epoch(number: epoch), revision: revision, chain: chain)
    }

    /// The hub sends a version: all of it, or what it differs in from an earlier one.
    func sends(_ frame: Frame, of version: Version) -> Checks.Finding? {
        guard let point = present(version) else { return nil }
        guard let base = Self.base(of: frame) else {
            guard frame.blob != point.bytes else { return nil }
            return Checks.Finding(
                .oneContentPerVersion, "a CONTEXT differs from what is stored as \(version.traceText)")
        }
        guard let delta = try? SnapshotDelta(base: base, version: version, contents: frame.blob),
            let before = present(base)
        else { return Checks.Finding(.exactDeltas, "a delta leads on from \(base.traceText), which nobody stored") }
        // Equal snapshots have the same bytes.
        guard Self.result(of: delta, on: before.snapshot) != point.snapshot else { return nil }
        return Checks.Finding(
            .exactDeltas, "a delta leads from \(base.traceText) to something else than \(version.traceText)")
    }

    /// What a delta makes of its base; this is written a second time here.
    private static func result(of delta: SnapshotDelta, on base: Snapshot) -> Snapshot? {
        var cells = Dictionary(uniqueKeysWithValues: base.cells.pairs.map { ($0.key, $0.value) })
        var conflicts = Dictionary(uniqueKeysWithValues: base.conflicts.pairs.map { ($0.key, $0.value) })
        for key in delta.gone where cells.removeValue(forKey: key) == nil { return nil }
        for id in delta.settled where conflicts.removeValue(forKey: id) == nil { return nil }
        for (key, cell) in delta.written.pairs { cells[key] = cell }
        for (id, conflict) in delta.logged.pairs { conflicts[id] = conflict }
        var result = Snapshot(
            version: delta.version, records: delta.records, stamp: delta.stamp, lineage: base.lineage,
            cells: SortedMap())
        for (key, cell) in cells { result.cells[key] = cell }
        for (id, conflict) in conflicts { result.conflicts[id] = conflict }
        return result
    }

    /// A watch has stored what a delta made of its snapshot.
    func stored(_ snapshot: Snapshot?, byDeltaAt watch: Int) -> Checks.Finding? {
        guard let snapshot, let point = present(snapshot.version) ?? lost[snapshot.version],
            point.snapshot == snapshot
        else {
            return Checks.Finding(
                .exactDeltas,
                "watch \(watch) holds other bytes as \(snapshot?.version.traceText ?? "nothing") after a delta than "
                    + "a snapshot has")
        }
        return nil
    }

    // MARK: - Watches

    mutating func shows(_ watch: Int, _ snapshot: Snapshot) -> Checks.Finding? {
        let version = snapshot.version
        let present = present(version)
        guard let point = present ?? lost[version], point.snapshot == snapshot else {
            return Checks.Finding(
                .oneContentPerVersion, "watch \(watch) shows \(version.traceText) with a content that nobody stored")
        }
        defer { readers[watch].shown = version }
        guard let shown = readers[watch].shown else { return nil }
        if shown.epoch != version.epoch {
            readers[watch].left.insert(shown.epoch)
            guard readers[watch].left.contains(version.epoch) else { return nil }
            return Checks.Finding(
                .monotonicReads, "watch \(watch) goes from \(shown.traceText) back to \(version.traceText)")
        }
        guard shown.revision < version.revision else {
            return Checks.Finding(
                .monotonicReads, "watch \(watch) goes from \(shown.traceText) to \(version.traceText)")
        }
        // The hub may reach the very same version again: the same uploads make the same transaction.
        if lost[shown] != nil, self.present(shown) == nil, present != nil {
            return Checks.Finding(
                .forkDetection, "watch \(watch) knew \(shown.traceText), which is lost, and is led on")
        }
        return nil
    }
}
