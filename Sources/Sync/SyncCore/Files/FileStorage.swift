/// Where the files of one end lie, those that it sends and those that it receives.
public protocol FileStorage: Sendable {
    /// Does what a ``FileExchange`` wants done with a file, and gives what to tell it; nil if there is nothing to tell.
    ///
    /// It is called with ``FileExchange/Output/read(_:file:offset:byteCount:)`` and the other outputs about files, in
    /// their order, on one thread at a time, and may block it.
    func carryOut(_ output: FileExchange.Output) -> FileExchange.Input?
}
