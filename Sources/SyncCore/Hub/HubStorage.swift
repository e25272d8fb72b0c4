/// Where a hub's transactions become durable.
public protocol HubStorage: Sendable {
    /// Makes a transaction durable as a whole, or throws and leaves nothing of it.
    ///
    /// When it returns, the transaction survives a crash of the process and of the machine. It is called on one thread
    /// at a time and may block it.
    func commit(_ transaction: Transaction) throws
}
