public import SyncCore
public import ZeroMQ

/// Why a link could not do its work.
public enum LinkError: Error, Equatable, Sendable {
    /// The endpoint could not be bound or connected.
    case endpoint(String, ZeroMQError)
    /// The hub's port let a stranger in; the hub refuses to run like that.
    case notProtected(String)
    /// The link has ended, so nothing can be asked of it.
    case ended
    /// The engine declined a request.
    case refused(HubEngine.Fault)
    /// The invitation is of another application's hub.
    case otherApp(watch: AppName, hub: AppName)
    /// The hub declined to pair.
    case pairingRefused(Refusal)
    /// The hub did not pair in time, and what it looked like.
    case pairingTimedOut(PairingProblem)
    /// A text is no invitation.
    case invitation(String)
    /// libzmq failed.
    case transport(ZeroMQError)
}

extension LinkError: CustomStringConvertible {
    /// What went wrong and the way out.
    public var description: String {
        switch self {
        case .endpoint(let endpoint, let error): "cannot use the endpoint \(endpoint): \(error)"
        case .notProtected(let endpoint):
            "\(endpoint) let a stranger's key in; is another program's authentication handler in this process?"
        case .ended: "the link has ended; start it again"
        case .refused(let fault): "the hub declined: \(fault)"
        case .otherApp(let watch, let hub):
            "this watch is of \(watch), the hub of this invitation is of \(hub): ask a hub of \(watch) for one"
        case .pairingRefused(let refusal): "the hub declined to pair: \(refusal.text)"
        case .pairingTimedOut(let obstacle): "the hub did not answer in time: \(obstacle)"
        case .invitation(let flaw): "this is no invitation: \(flaw)"
        case .transport(let error): "the transport failed: \(error)"
        }
    }
}
