import SyncCore

/// What other threads want of a loop.
enum LoopRequest<Sockets: EngineSockets>: Sendable {
    /// An input for the engine.
    case input(Sockets.Engine.Input)
    /// An input whose answer somebody waits for.
    case request(RequestID, Sockets.Engine.Input, CheckedContinuation<Sockets.Engine.Answer, any Error>)
    /// A request about transfers with a peer whose answer somebody waits for.
    case ask(RequestID, TransferInput, with: PeerKey, PendingTransfers.Waiting)
    /// Somebody wants to see what the engine shows.
    case view(CheckedContinuation<Sockets.View, any Error>)
    /// Somebody wants something of the sockets.
    case command(Sockets.Command)
    /// Other things shall go wrong, on the link of one peer or on all that have no faults of their own.
    case faults(LinkFaults?, for: PeerKey?)
    /// The loop is to end.
    case stop

    /// Answers that nobody will work on it any more.
    func abandon() {
        switch self {
        case .request(_, _, let continuation): continuation.resume(throwing: LinkError.ended)
        case .ask(_, _, _, let waiting): waiting(.failure(.ended))
        case .view(let continuation): continuation.resume(throwing: LinkError.ended)
        case .input, .command, .faults, .stop: break
        }
    }
}
