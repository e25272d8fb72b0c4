import SyncCore

/// Which content each version has, and which versions each watch has shown.
struct VersionBook {
    fileprivate struct Place: Hashable {
        var epoch: Epoch
        var revision: UInt64
    }

    fileprivate struct Content {
        var version: Version
        var bytes: [UInt8]
    }

    private struct Reader {
        var shown: Version?
        var left: Set<Epoch> = []
    }

    /// The contents of one history.
    struct History {
        fileprivate var contents: [Place: Content] = [:]
    }

    /// The hub's history as it is now.
    private(set) var history = History()
    /// The contents of versions that the hub has lost; a watch may still hold them.
    private var lost: [Version: [UInt8]] = [:]
    private var readers: [Reader]

    init(watchCount: Int = 0) {
        readers = Array(repeating: Reader(), count: watchCount)
    }

    /// What watches see of a state; the projection is written down a second time here.
    static func projection(of state: LedgerState, schema: Schema) -> Snapshot {
        var visible = SortedMap<CellKey, Cell>()
        for (key, cell) in state.cells.pairs where cell.value != nil {
            if schema.projected.contains(Schema.Name(kind: key.kind, group: key.group)) { visible[key] = cell }
        }
        return Snapshot(version: state.version, cells: visible)
    }

    mutating func becameDurable(_ state: LedgerState, schema: Schema) -> Checks.Finding? {
        let version = state.version
        let bytes = Self.projection(of: state, schema: schema).encoded
        let place = Place(epoch: version.epoch, revision: version.revision)
        if let before = history.contents[place], before.version != version || before.bytes != bytes {
            return Checks.Finding(.oneContentPerVersion, "the hub stores \(version.traceText) with another content")
        }
        history.contents[place] = Content(version: version, bytes: bytes)
        return nil
    }

    /// The content of a version of the present history, nil if it was never durable.
    func content(of version: Version) -> [UInt8]? {
        let content = history.contents[Place(epoch: version.epoch, revision: version.revision)]
        return content?.version == version ? content?.bytes : nil
    }

    /// Somebody put another history in the place of the present one: an earlier one, or one that was lost before.
    mutating func replace(by earlier: History) {
        for content in history.contents.values {
            lost[content.version] = content.bytes
        }
        for content in earlier.contents.values {
            lost[content.version] = nil
        }
        history = earlier
    }

    func isNewEpoch(_ epoch: Epoch, for watch: Int) -> Bool {
        guard let shown = readers[watch].shown else { return false }
        return shown.epoch != epoch
    }

    /// A watch starts with what its store holds: it may be newer than what it showed last, never older.
    mutating func starts(_ watch: Int, _ snapshot: Snapshot) -> Checks.Finding? {
        guard snapshot.version != readers[watch].shown else { return nil }
        return shows(watch, snapshot)
    }

    mutating func shows(_ watch: Int, _ snapshot: Snapshot) -> Checks.Finding? {
        let version = snapshot.version
        let present = content(of: version)
        guard let bytes = present ?? lost[version], bytes == snapshot.encoded else {
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
        if lost[shown] != nil, present != nil {
            return Checks.Finding(
                .forkDetection, "watch \(watch) knew \(shown.traceText), which is lost, and is led on")
        }
        return nil
    }
}
