/// What a ledger knows about where its writes and tombstones are, so that no step searches all cells or all watches.
///
/// It follows from the state: it is made once, when a hub starts, and each transaction changes it. So it takes no part
/// in comparisons of ledgers. Nothing goes through its tables in their order, so no output depends on that.
struct LedgerIndex: Sendable {
    /// The cells whose present write has an identifier, hardly ever more than one.
    private(set) var places: [RandomID: [CellKey]] = [:]
    /// The number of watches among whose last uploads a key is, as in ``UploadMark/taken``.
    private(set) var takerCounts: [RandomID: Int] = [:]
    /// The watches that have uploaded anything, by the node of their stamps.
    private(set) var peers: [UInt64: [PeerKey]] = [:]
    /// The tombstones of the cells.
    private(set) var tombstones: Tombstones
    /// The cells, conflicts and writes that were looked at so far, as a measure of the work.
    var stepCount = 0

    /// Looks through a whole state.
    init(_ state: LedgerState) {
        tombstones = Tombstones(state.cells)
        for (key, cell) in state.cells.pairs { places[cell.dot, default: []].append(key) }
        for (peer, mark) in state.uploads.pairs {
            peers[peer.node, default: []].append(peer)
            for id in mark.taken.ids { takerCounts[id, default: 0] += 1 }
        }
    }

    /// The cells whose present write has an identifier.
    func cells(named dot: RandomID) -> [CellKey] { places[dot] ?? [] }

    /// The number of watches that remember a key of an upload.
    func takerCount(_ id: RandomID) -> Int { takerCounts[id] ?? 0 }

    /// The watches that have uploaded anything and whose stamps have a node; hardly ever more than one.
    func peers(of node: UInt64) -> [PeerKey] { peers[node] ?? [] }

    // MARK: - Transactions

    /// Takes out what a transaction replaces in a state.
    mutating func leave(_ transaction: Transaction, _ state: LedgerState) {
        for key in transaction.written.keys + transaction.removed {
            guard let cell = state.cells[key] else { continue }
            tombstones.remove(cell, at: key)
            places[cell.dot]?.removeAll { $0 == key }
            if places[cell.dot]?.isEmpty == true { places[cell.dot] = nil }
        }
        for peer in transaction.released {
            guard let mark = state.uploads[peer] else { continue }
            peers[peer.node]?.removeAll { $0 == peer }
            forget(mark.taken.ids)
        }
        stepCount += transaction.written.count + transaction.removed.count
    }

    /// Adds what a transaction has changed in a state.
    mutating func enter(_ transaction: Transaction, _ state: LedgerState, _ taken: UploadMark.Difference) {
        for key in transaction.written.keys {
            guard let cell = state.cells[key] else { continue }
            tombstones.add(cell, at: key)
            places[cell.dot, default: []].append(key)
        }
        guard let peer = transaction.progress?.peer, state.uploads[peer] != nil else { return }
        for id in taken.added { takerCounts[id, default: 0] += 1 }
        forget(taken.forgotten)
        if !peers(of: peer.node).contains(peer) { peers[peer.node, default: []].append(peer) }
        stepCount += taken.added.count
    }

    private mutating func forget(_ ids: some Sequence<RandomID>) {
        for id in ids {
            let count = takerCount(id) - 1
            takerCounts[id] = count > 0 ? count : nil
        }
    }
}

extension LedgerIndex: Hashable {
    /// Always true: equal states have equal indexes.
    static func == (left: LedgerIndex, right: LedgerIndex) -> Bool { true }

    /// Feeds nothing.
    func hash(into hasher: inout Hasher) {}
}
