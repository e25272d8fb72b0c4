extension Client {
    /// Why a connection ended or did not come about.
    public enum EndReason: Hashable, Sendable {
        /// The stretch of connecting during which the time ran out.
        public enum Stage: String, Hashable, Sendable {
            /// While the name of the host was looked up.
            case lookingUpName
            /// While no address of the host accepted the connection.
            case connecting
            /// While the broker, though connected, did not answer: neither to TLS nor to the connect packet.
            case awaitingAcknowledgement
        }

        /// The client itself ended it.
        case closed
        /// The broker refused the client.
        case refused(ConnectRefusal)
        /// The broker ended the connection and said why, which only brokers of MQTT 5.0 do.
        ///
        /// ``ReasonCode/sessionTakenOver`` says that another client has the same client identifier. In MQTT 3.1.1 the
        /// broker merely closes the connection, as mosquitto before 2.0.15 does in MQTT 5.0 too:
        /// ``connectionLost(_:)``.
        case disconnected(ReasonCode)
        /// The name of the host leads to no address; `words` are the system's, and may mean a passing trouble.
        case nameNotFound(host: String, words: String)
        /// No address of the host could be connected to; the error is that of the last one.
        case unreachable(SystemError)
        /// TLS failed: an unknown authority, another host's name, an expired certificate, a port without TLS.
        ///
        /// `words` are OpenSSL's and libmosquitto's.
        case tlsFailed(TLSFault, words: String)
        /// There was no acknowledgement within ``Options/connectTimeout``.
        case timedOut(Stage)
        /// The connection broke; nil if the other end closed it without an error.
        case connectionLost(SystemError?)
        /// The broker fell silent for longer than the keep alive interval allows.
        case keepAliveExpired
        /// The broker sent what MQTT does not allow.
        case protocolViolated(ResultCode)
        /// libmosquitto failed for another reason, such as a lack of memory.
        case failed(ResultCode)
    }
}

extension Client.EndReason {
    /// Whether the next attempt ends in the same way until someone changes the configuration at either end.
    ///
    /// True for permanent refusals, for a failure of TLS, and for a session that another client took over.
    public var needsAttention: Bool {
        switch self {
        case .refused(let refusal): refusal.isPermanent
        case .disconnected(let reason): reason == .sessionTakenOver || reason.isPermanentRefusal
        case .tlsFailed: true
        case .closed, .nameNotFound, .unreachable, .timedOut, .connectionLost, .keepAliveExpired, .protocolViolated,
            .failed:
            false
        }
    }

    /// The fixed label of the cause, for logs and metrics.
    public var code: String {
        switch self {
        case .closed: "closed"
        case .refused: "refused"
        case .disconnected: "disconnected"
        case .nameNotFound: "name-not-found"
        case .unreachable: "unreachable"
        case .tlsFailed: "tls-failed"
        case .timedOut: "timed-out"
        case .connectionLost: "connection-lost"
        case .keepAliveExpired: "keep-alive-expired"
        case .protocolViolated: "protocol-violated"
        case .failed: "failed"
        }
    }
}

extension Client.EndReason: CustomStringConvertible {
    /// The reason in words.
    public var description: String {
        switch self {
        case .closed: "closed by this client"
        case .refused(let refusal): "refused by the broker: \(refusal)"
        case .disconnected(let reason): "ended by the broker: \(reason)"
        case .nameNotFound(let host, let words): "no address found for \(host): \(words)"
        case .unreachable(let error): "cannot connect: \(error)"
        case .tlsFailed(.other, let words): "TLS failed: \(words)"
        case .tlsFailed(let fault, _): "TLS failed: \(fault)"
        case .timedOut(.lookingUpName): "timed out while looking up the name of the host"
        case .timedOut(.connecting): "timed out while connecting"
        case .timedOut(.awaitingAcknowledgement): "connected, but the broker did not answer in time"
        case .connectionLost(nil): "the broker closed the connection"
        case .connectionLost(let error?): "the connection broke: \(error)"
        case .keepAliveExpired: "the broker fell silent"
        case .protocolViolated(let code): "the broker does not keep to the protocol: \(code)"
        case .failed(let code): "libmosquitto failed: \(code)"
        }
    }
}
