internal import GRDB
public import SyncCore

extension HubStore {
    /// All that the hub remembers of the user info and the files that it exchanges with its watches.
    ///
    /// - Throws: ``StoreError``.
    public func transfers() throws(StoreError) -> [PeerKey: TransferState] {
        try file.read { database in
            var transfers: [PeerKey: TransferState] = [:]
            for head in try ExchangeHead.all(database) {
                guard let peer = PeerKey(bytes: head.peer) else {
                    throw Damage(finding: "a key of the table exchange is unfit")
                }
                transfers[peer] = try TransferRows.state(head, database)
            }
            return transfers
        }
    }

    /// What the hub remembers of the user info and the files that it exchanges with one watch.
    ///
    /// - Throws: ``StoreError``.
    public func transfers(with peer: PeerKey) throws(StoreError) -> TransferState {
        try file.read { try TransferRows.state(with: peer.bytes, $0) }
    }

    /// Makes a step of the transfers with a watch durable as a whole, or throws and leaves nothing of it.
    ///
    /// - Throws: ``StoreError``.
    public func commit(_ record: TransferRecord, of watch: PeerKey) throws(StoreError) {
        try commit([record], of: watch)
    }

    /// Makes several steps of the transfers with a watch durable, all or none of them.
    ///
    /// - Throws: ``StoreError``; nothing of them was kept then.
    public func commit(_ records: [TransferRecord], of watch: PeerKey) throws(StoreError) {
        try transferWriter.commit(records, of: watch.bytes)
    }

    /// Forgets the user info and the files of a watch, as a transaction does that forgets the watch.
    ///
    /// - Throws: ``StoreError``.
    public func forgetTransfers(with watch: PeerKey) throws(StoreError) {
        transferWriter.forget()
        do throws(StoreError) {
            try file.write { try TransferRows.forget(watch.bytes, $0) }
        } catch {
            try file.settle(after: error) { database in
                try ExchangeTables.heads.row(at: .bytes(watch.bytes), database) == nil
            }
        }
    }
}
