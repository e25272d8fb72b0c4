internal import GRDB
public import SyncCore

extension HubStore {
    /// The transfer states (user info and files) of all watches.
    ///
    /// - Throws: ``StoreError``.
    public func transfers() throws(StoreError) -> [PeerKey: TransferState] {
        try file.read { database in
            var transfers: [PeerKey: TransferState] = [:]
            for head in try ExchangeHead.all(database) {
                guard let peer = PeerKey(bytes: head.peer) else {
                    throw CorruptionError(finding: "a key of the table exchange is unfit")
                }
                transfers[peer] = try TransferRows.state(head, database)
            }
            return transfers
        }
    }

    /// The transfer state (user info and files) of one watch.
    ///
    /// - Throws: ``StoreError``.
    package func transfers(with peer: PeerKey) throws(StoreError) -> TransferState {
        try file.read { try TransferRows.state(with: peer.bytes, $0) }
    }

    /// Makes one step of the transfers with a watch durable, in one transaction.
    ///
    /// - Throws: ``StoreError``.
    public func commit(_ record: TransferRecord, of watch: PeerKey) throws(StoreError) {
        try commit([record], of: watch)
    }

    /// Makes several steps of the transfers with a watch durable, in one transaction.
    ///
    /// - Throws: ``StoreError``; nothing was written in that case.
    package func commit(_ records: [TransferRecord], of watch: PeerKey) throws(StoreError) {
        try transferWriter.commit(records, of: watch.bytes)
    }
}
