/// The contents of CONTEXT at the hub's current version: each is encoded once for all watches that need it.
struct ContextContents: Sendable {
    /// The most bytes of deltas that are kept; others are encoded again for each watch.
    static let deltaByteCountMax = Snapshot.byteCountMax

    private struct DeltaName: Hashable {
        var base: Version
        var records: UInt32
    }

    private var history = DeltaHistory()
    /// Whole contents, by record version.
    private var wholes: SortedMap<UInt32, [UInt8]> = SortedMap()
    /// Deltas; nil where a whole snapshot is better.
    private var deltas: [DeltaName: [UInt8]?] = [:]
    /// The bytes of the deltas that are kept.
    private(set) var deltaByteCount = 0

    /// A group of transactions is about to be applied to a state.
    mutating func prepare(for group: [Transaction], to state: LedgerState) {
        history.add(group, to: state)
        wholes = SortedMap()
        deltas = [:]
        deltaByteCount = 0
    }

    /// The contents of the whole snapshot.
    mutating func whole(_ ledger: Ledger, _ schema: Schema, records: UInt32) -> [UInt8] {
        if let contents = wholes[records] { return contents }
        let contents = ledger.snapshot(schema, records: records).contents
        wholes[records] = contents
        return contents
    }

    /// The contents of the delta from a base.
    ///
    /// - Parameters:
    ///   - base: The version that the watch holds.
    ///   - ledger: The present.
    ///   - schema: What watches see.
    ///   - records: The record version that the watch reads.
    ///   - snapshotByteCount: The bytes of a whole snapshot, or a little more.
    /// - Returns: The contents; nil if the base is not remembered, or if they are more than half of a snapshot.
    mutating func delta(
        from base: Version, _ ledger: Ledger, _ schema: Schema, records: UInt32, snapshotByteCount: Int
    ) -> [UInt8]? {
        let name = DeltaName(base: base, records: records)
        if let known = deltas[name] { return known }
        guard let delta = history.delta(from: base, to: ledger, schema: schema, records: records) else { return nil }
        let contents = delta.contents
        let small = delta.isEmpty || contents.count <= snapshotByteCount / 2 ? contents : nil
        let byteCount = small?.count ?? 0
        if deltaByteCount + byteCount <= Self.deltaByteCountMax {
            deltas.updateValue(small, forKey: name)
            deltaByteCount += byteCount
        }
        return small
    }
}
