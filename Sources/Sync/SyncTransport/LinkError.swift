public import SyncCore
public import ZeroMQ

/// Why a link failed.
public enum LinkError: Error, Equatable, Sendable {
    /// The endpoint could not be bound or connected.
    case endpoint(String, ZeroMQError)
    /// An unknown key could connect to the hub's port; the hub refuses to run like that.
    case notProtected(String)
    /// The link has ended, so no request can be handled.
    case ended
    /// The engine refused a request.
    case refused(HubEngine.RequestError)
    /// The invitation belongs to a hub of another application.
    case otherApp(watch: AppName, hub: AppName)
    /// The hub refused to pair.
    case pairingRefused(Refusal)
    /// The hub did not pair in time; with the probable reason.
    case pairingTimedOut(PairingProblem)
    /// A text is not an invitation.
    case invitation(String)
    /// libzmq failed.
    case transport(ZeroMQError)
}

extension LinkError: CustomStringConvertible {
    /// The error, and what to do about it.
    public var description: String {
        switch self {
        case .endpoint(let endpoint, let error): "cannot use the endpoint \(endpoint): \(error.reason)"
        case .notProtected(let endpoint):
            "\(endpoint) admitted an unknown key; is another program's authentication handler in this process?"
        case .ended: "the link has ended; start it again"
        case .refused(let fault): "the hub declined: \(fault)"
        case .otherApp(let watch, let hub):
            "this watch is of \(watch), the hub of this invitation is of \(hub): ask a hub of \(watch) for one"
        case .pairingRefused(let refusal): "the hub declined to pair: \(refusal.text)"
        case .pairingTimedOut(let obstacle): "the hub did not answer in time: \(obstacle)"
        case .invitation(let flaw): "this is not an invitation: \(flaw)"
        case .transport(let error): "the transport failed: \(error)"
        }
    }
}
