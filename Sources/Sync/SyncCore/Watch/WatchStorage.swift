/// The store of a watch: makes its records durable.
public protocol WatchStorage: Sendable {
    /// Makes a record durable as a whole, or throws and leaves nothing of it.
    ///
    /// When it returns, the record survives a crash of the process and of the machine. It is called on one thread at a
    /// time and may block it.
    func write(_ record: WatchEngine.Record) throws
}
