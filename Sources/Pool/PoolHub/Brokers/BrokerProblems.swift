import MQTT
import PoolModel

extension Client.EndReason {
    /// The reason in words, with what the user must do, if anything.
    ///
    /// - Parameters:
    ///   - server: The server.
    ///   - wasConnected: Whether the broker had accepted the hub before.
    /// - Returns: A clause or two.
    func words(for server: Server, wasConnected: Bool = true) -> String {
        switch self {
        case .refused(let refusal)
        where ReasonCode.badUserNameOrPassword ~= refusal || ReasonCode.notAuthorized ~= refusal:
            "\(self); give the right ones with `poolsensors server edit \"\(server.name)\" --username … "
                + "--password-stdin`, or allow them at the broker: the hub keeps trying, slowly"
        case .refused(let refusal) where refusal.isPermanent:
            "\(self); the hub keeps trying, slowly"
        case .tlsFailed(let fault, _):
            "\(self); \(fault.advice(for: server)) (`poolsensors server edit \"\(server.name)\" …`): "
                + "the hub keeps trying, slowly"
        case .connectionLost where !server.usesTLS && !wasConnected,
            .protocolViolated where !server.usesTLS && !wasConnected:
            "\(self) before it answered; perhaps it expects TLS: run `poolsensors server test \"\(server.name)\"`"
        case .timedOut(.awaitingAcknowledgement) where !server.usesTLS:
            "\(self); perhaps it expects TLS, or hangs"
        case .closed, .refused, .disconnected, .nameNotFound, .unreachable, .timedOut, .connectionLost,
            .keepAliveExpired, .protocolViolated, .failed:
            "\(self)"
        }
    }
}

extension ClientIDConflict {
    /// The conflict in words, with what the user must do.
    ///
    /// - Parameter clientIdentifier: The client identifier that two clients use.
    /// - Returns: A sentence or two.
    func words(clientIdentifier: String) -> String {
        let remedy =
            "run only one hub with a copied state folder; a second hub needs other keys: "
            + "remove hub.key.secret there, and pair its watches again"
        return switch self {
        case .certain:
            "another client took over the hub's session: a second hub uses the name \(clientIdentifier); \(remedy)"
        case .likely(let count):
            "the broker accepted this hub and closed the connection again, \(count) times in a row: most likely a "
                + "second hub uses the name \(clientIdentifier); \(remedy)"
        }
    }
}
