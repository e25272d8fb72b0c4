/// The storage of one end's files, both those to send and those that are received.
public protocol FileStorage: Sendable {
    /// Carries out an output of a ``FileExchange`` that concerns a file; returns the input that answers it, nil if
    /// there is none.
    ///
    /// It is called with ``FileExchange/Output/read(_:file:offset:byteCount:)`` and the other outputs about files, in
    /// order, on one thread at a time, which it may block.
    func carryOut(_ output: FileExchange.Output) -> FileExchange.Input?
}
