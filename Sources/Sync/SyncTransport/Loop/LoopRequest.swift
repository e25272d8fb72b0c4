import SyncCore

/// A request of another thread to a loop.
enum LoopRequest<Sockets: EngineSockets>: Sendable {
    /// An input for the engine.
    case input(Sockets.Engine.Input)
    /// An input for the engine, with a caller that waits for the answer.
    case request(RequestID, Sockets.Engine.Input, CheckedContinuation<Sockets.Engine.Answer, any Error>)
    /// An input for the transfers with a peer, with a caller that waits for the answer.
    case ask(RequestID, TransferInput, with: PeerKey, PendingTransfers.Waiting)
    /// A caller waits for the engine's present state.
    case view(CheckedContinuation<Sockets.View, any Error>)
    /// A command for the sockets.
    case command(Sockets.Command)
    /// Other faults, for the link of one peer, or for all links without faults of their own.
    case faults(LinkFaults?, for: PeerKey?)
    /// End the loop.
    case stop

    /// Answers that the request will not be handled any more.
    func abandon() {
        switch self {
        case .request(_, _, let continuation): continuation.resume(throwing: LinkError.ended)
        case .ask(_, _, _, let waiting): waiting(.failure(.ended))
        case .view(let continuation): continuation.resume(throwing: LinkError.ended)
        case .input, .command, .faults, .stop: break
        }
    }
}
