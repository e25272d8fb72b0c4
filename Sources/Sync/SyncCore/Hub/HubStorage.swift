/// Where what a hub remembers becomes durable.
public protocol HubStorage: Sendable {
    /// Makes a transaction durable as a whole, or throws and leaves nothing of it.
    ///
    /// When it returns, the transaction survives a crash of the process and of the machine. It is called on one thread
    /// at a time and may block it.
    func commit(_ transaction: Transaction) throws

    /// Makes a step of the transfers with a watch durable as a whole, or throws and leaves nothing of it.
    ///
    /// It is called as ``commit(_:)`` is, in the order in which the engine put both out.
    func commit(_ record: TransferRecord, of watch: PeerKey) throws
}
