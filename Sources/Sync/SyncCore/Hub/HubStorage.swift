/// The store of a hub: makes its records durable.
public protocol HubStorage: Sendable {
    /// Makes a group of transactions durable in one step, or throws and leaves nothing of any of them.
    ///
    /// Each transaction is for the version that results from the one before it. When it returns, all of them survive a
    /// crash of the process and of the machine. It is called on one thread at a time and may block it.
    func commit(_ group: [Transaction]) throws

    /// Makes a step of the transfers with a watch durable as a whole, or throws and leaves nothing of it.
    ///
    /// As with ``commit(_:)``, what it wrote survives a crash, and it is called on one thread at a time, which it may
    /// block. Calls of both come in the order in which the engine put out groups and records.
    func commit(_ record: TransferRecord, of watch: PeerKey) throws
}
