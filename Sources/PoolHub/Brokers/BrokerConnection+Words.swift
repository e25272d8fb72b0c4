import Mosquitto
import PoolModel

extension Client.EndReason {
    /// The reason in words and, where a person must do something, what.
    func words(for server: Server) -> String {
        switch self {
        case .refused(let refusal)
        where ReasonCode.badUserNameOrPassword ~= refusal || ReasonCode.notAuthorized ~= refusal:
            "\(self); give the right ones with `poolsensors server edit \"\(server.name)\" --username … "
                + "--password-stdin`, or allow them at the broker: the hub keeps trying, slowly"
        case .refused(let refusal) where refusal.isPermanent:
            "\(self); the hub keeps trying, slowly"
        case .tlsFailed:
            "\(self); compare the authority (`poolsensors server edit \"\(server.name)\" --ca-file …`), the names in "
                + "the broker's certificate with \(server.host), its dates, and the clocks: the hub keeps trying, slowly"
        case .timedOut(.awaitingAcknowledgement) where !server.usesTLS:
            "\(self); perhaps it expects TLS, or hangs"
        default: "\(self)"
        }
    }
}
