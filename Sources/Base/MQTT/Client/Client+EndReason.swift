public import SystemPackage

extension Client {
    /// Why a connection ended or was not established.
    public enum EndReason: Hashable, Sendable {
        /// The stage of connecting at which the time limit was reached.
        public enum Stage: String, Hashable, Sendable {
            /// During the lookup of the host name.
            case lookingUpName
            /// No address of the host had accepted the connection.
            case connecting
            /// The broker was connected, but did not answer TLS or the connect packet.
            case awaitingAcknowledgement
        }

        /// The client itself ended it.
        case closed
        /// The broker refused the client.
        case refused(ConnectProblem)
        /// The broker ended the connection with a reason, which only brokers of MQTT 5.0 send.
        ///
        /// ``ReasonCode/sessionTakenOver`` means that another client has the same client identifier. In MQTT 3.1.1
        /// the broker just closes the connection, as mosquitto before 2.0.15 does even in MQTT 5.0:
        /// ``connectionLost(_:)``.
        case disconnected(ReasonCode)
        /// The host name has no address; `words` are the system's message, which may describe a temporary problem.
        case nameNotFound(host: String, words: String)
        /// No address of the host accepted a connection; the error is that of the last one.
        case unreachable(Errno)
        /// TLS failed: an unknown authority, another host's name, an expired certificate, or a port without TLS.
        ///
        /// `words` are the messages of OpenSSL and libmosquitto; of a certificate in the name of another host, the
        /// names in it.
        case tlsFailed(TLSProblem, words: String)
        /// The broker did not accept the connection within ``Options/connectTimeout``.
        case timedOut(Stage)
        /// The connection broke; nil if the other end closed it without an error.
        case connectionLost(Errno?)
        /// The broker was silent for longer than the keep alive interval allows.
        case keepAliveExpired
        /// The broker violated MQTT.
        case protocolViolated(ResultCode)
        /// libmosquitto failed for another reason, such as a lack of memory.
        case failed(ResultCode)
    }
}

extension Client.EndReason {
    /// Whether the next attempt ends in the same way until someone changes the configuration at either end.
    ///
    /// True for permanent refusals, for TLS failures, and for a session that another client took over.
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

    /// A constant label of the cause, for logs and metrics.
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
        case .tlsFailed(.wrongHost, let words) where words.hasPrefix("it names "):
            "TLS failed: \(TLSProblem.wrongHost): \(words)"
        case .tlsFailed(let fault, _): "TLS failed: \(fault)"
        case .timedOut(.lookingUpName): "timed out while looking up the name of the host"
        case .timedOut(.connecting): "timed out while connecting"
        case .timedOut(.awaitingAcknowledgement): "connected, but the broker did not answer in time"
        case .connectionLost(nil): "the broker closed the connection"
        case .connectionLost(let error?): "the connection broke: \(error)"
        case .keepAliveExpired: "the broker fell silent"
        case .protocolViolated(let code): "the broker does not keep to the protocol: \(code)"
        case .failed(let code): "the MQTT library failed: \(code)"
        }
    }
}
