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
        let result = await connect(server, password: password, timeout: timeout)
        guard !server.usesTLS, result.code.mayMeanTLS else { return result }
        var encrypted = server
        encrypted.usesTLS = true
        encrypted.username = nil
        encrypted.clientCertificate = nil
        switch await connect(encrypted, password: nil, timeout: timeout).code {
        case .tlsNotSpoken, .unreachable, .timedOut: return result
        case .success, .badCredentials, .tlsExpected, .tlsAuthority, .tlsExpired, .tlsNotYetValid, .tlsHost,
            .tlsClientCertificate, .tlsOther, .failed:
            return ServerTestResult(
                .tlsExpected, reason: "the broker expects TLS at port \(server.port): switch it on with --tls")
        }
    }

    private static func connect(
        _ server: Server, password: String?, timeout: Duration
    ) async -> ServerTestResult {
        var options = server.clientOptions(password: password, clientIdentifier: nil)
        options.connectTimeout = timeout
        let (results, source) = AsyncStream<ServerTestResult>.makeStream(bufferingPolicy: .bufferingOldest(1))
        do {
            let client = try Client(options)
            try client.connect(to: server.brokerAddress()) { event in
                switch event {
                case .connected:
                    source.yield(ServerTestResult(.success))
                    client.disconnect()
                case .ended(let reason): source.yield(ServerTestResult(reason, of: server))
                case .message, .pause, .published, .subscribed, .unsubscribed: break
                }
            }
        } catch {
            return ServerTestResult(.failed, reason: "\(error)")
        }
        // A cancelled task does not wait.
        return await results.first { _ in true } ?? ServerTestResult(.failed, reason: "the trial was given up")
    }
}

extension ServerTestCode {
    /// Whether a broker that expects TLS could have ended a connection without it in this way.
    fileprivate var mayMeanTLS: Bool {
        switch self {
        case .failed, .timedOut: true
        case .success, .unreachable, .badCredentials, .tlsNotSpoken, .tlsExpected, .tlsAuthority, .tlsExpired,
            .tlsNotYetValid, .tlsHost, .tlsClientCertificate, .tlsOther:
            false
        }
    }

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
            let advice = fault.advice(for: server)
            self.init(
                ServerTestCode(fault), reason: fault == .other ? "TLS failed: \(words)" : "\(fault): \(advice)")
        case .timedOut: self.init(.timedOut, reason: "\(reason)")
        case .unreachable, .nameNotFound: self.init(.unreachable, reason: "\(reason)")
        case .closed, .disconnected, .connectionLost, .keepAliveExpired, .protocolViolated, .failed:
            self.init(.failed, reason: "\(reason)")
        }
    }
}

extension TLSProblem {
    /// What a person can do about it.
    func advice(for server: Server) -> String {
        switch self {
        case .notSpoken: "give the port at which the broker speaks TLS, often 8883, or leave TLS out with --no-tls"
        case .unknownAuthority where server.caFile == nil:
            "name the file of the broker's authority with --ca-file"
        case .unknownAuthority:
            "give the file of the broker's own authority with --ca-file instead of \(server.caFile ?? "")"
        case .expired: "have it renewed at the broker, or set the clock of this machine right"
        case .notYetValid: "set the clocks of the broker and of this machine right"
        case .wrongHost: "connect by the name in the certificate, or use a certificate for \(server.host)"
        case .clientCertificate: "give the hub one that the broker accepts, with --client-cert and --client-key"
        case .other: "compare the versions and settings of TLS at both ends"
        }
    }
}
