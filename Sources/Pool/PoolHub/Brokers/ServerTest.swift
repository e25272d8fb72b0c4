import Brokers
import MQTT
package import PoolControl
package import PoolModel

/// Tests a server with a temporary client that leaves no session behind.
package enum ServerTest {
    /// Tests a server.
    ///
    /// A connection without TLS that breaks is followed by an attempt with TLS, which sends neither user nor password.
    ///
    /// - Parameters:
    ///   - server: The server.
    ///   - password: Its password, nil for none.
    ///   - timeout: The time until the broker must have answered; 10 s by default.
    /// - Returns: How it ended.
    package static func run(
        _ server: Server, password: String?, timeout: Duration = .seconds(10)
    ) async -> ServerTestResult {
        switch await BrokerTest.run(server.brokerSettings, password: password, timeout: timeout) {
        case .accepted: ServerTestResult(.success)
        case .ended(let reason): ServerTestResult(reason, of: server)
        case .expectsTLS:
            ServerTestResult(
                .tlsExpected, reason: "the broker expects TLS at port \(server.port): switch it on with --tls")
        case .notTried(let reason): ServerTestResult(.failed, reason: reason)
        }
    }
}

extension ServerTestCode {
    fileprivate init(_ fault: TLSProblem) {
        switch fault {
        case .notSpoken: self = .tlsNotSpoken
        case .unknownAuthority: self = .tlsAuthority
        case .expired: self = .tlsExpired
        case .notYetValid: self = .tlsNotYetValid
        case .wrongHost: self = .tlsHost
        case .clientCertificate: self = .tlsClientCertificate
        case .other: self = .tlsOther
        }
    }
}

extension ServerTestResult {
    fileprivate init(_ reason: Client.EndReason, of server: Server) {
        switch reason {
        case .refused(let refusal):
            let isAboutCredentials =
                ReasonCode.badUserNameOrPassword ~= refusal || ReasonCode.notAuthorized ~= refusal
            self.init(isAboutCredentials ? .badCredentials : .failed, reason: "\(reason)")
        case .tlsFailed(let fault, let words):
            let advice = server.brokerAdvice.words(for: fault, of: server.brokerSettings)
            self.init(
                ServerTestCode(fault), reason: fault == .other ? "TLS failed: \(words)" : "\(fault): \(advice)")
        case .timedOut: self.init(.timedOut, reason: "\(reason)")
        case .unreachable, .nameNotFound: self.init(.unreachable, reason: "\(reason)")
        case .closed, .disconnected, .connectionLost, .keepAliveExpired, .protocolViolated, .failed:
            self.init(.failed, reason: "\(reason)")
        }
    }
}
