import MQTT
public import PoolModel

/// Tries a server with a throw-away client that leaves no session behind.
public enum ServerTest {
    /// How a trial ended.
    public enum Outcome: Hashable, Sendable {
        /// The broker accepted the client.
        case success
        /// Nothing accepts connections there, or the name leads nowhere.
        case unreachable(String)
        /// The broker does not accept these credentials.
        case badCredentials(String)
        /// TLS failed, or the broker expects it.
        case tlsFailed(TLSTrouble, String)
        /// Nobody answered in time.
        case timedOut(String)
        /// Something else, in words.
        case failed(String)
    }

    /// What is wrong with TLS; the raw value is a fixed label.
    public enum TLSTrouble: String, CaseIterable, Sendable {
        /// No TLS is spoken at that port.
        case notSpoken = "tls-not-spoken"
        /// TLS is spoken at that port, and the server is configured without it.
        case expected = "tls-expected"
        /// No authority that is trusted here vouches for the certificate.
        case authority = "tls-authority"
        /// The certificate has expired.
        case expired = "tls-expired"
        /// The certificate is not valid yet.
        case notYetValid = "tls-not-yet-valid"
        /// The certificate is in the name of another host.
        case host = "tls-host"
        /// The broker does not accept the hub without another certificate of its own.
        case clientCertificate = "tls-client-certificate"
        /// Something else.
        case other = "tls"
    }

    /// Tries a server.
    ///
    /// A connection without TLS that breaks is followed by an attempt with TLS, which sends neither user nor password.
    ///
    /// - Parameters:
    ///   - server: The server.
    ///   - password: Its password, nil for none.
    ///   - timeout: The time until the broker must have answered; 10 s by default.
    /// - Returns: How it ended.
    public static func run(
        _ server: Server, password: String?, timeout: Duration = .seconds(10)
    ) async -> Outcome {
        let outcome = await connect(server, password: password, timeout: timeout)
        guard !server.usesTLS, outcome.mayMeanTLS else { return outcome }
        var encrypted = server
        encrypted.usesTLS = true
        encrypted.username = nil
        encrypted.clientCertificate = nil
        switch await connect(encrypted, password: nil, timeout: timeout) {
        case .tlsFailed(.notSpoken, _), .unreachable, .timedOut: return outcome
        case .success, .badCredentials, .tlsFailed, .failed:
            return .tlsFailed(.expected, "the broker expects TLS at port \(server.port): switch it on with --tls")
        }
    }

    private static func connect(_ server: Server, password: String?, timeout: Duration) async -> Outcome {
        var options = server.clientOptions(password: password, clientIdentifier: nil)
        options.connectTimeout = timeout
        let (outcomes, source) = AsyncStream<Outcome>.makeStream(bufferingPolicy: .bufferingOldest(1))
        do {
            let client = try Client(options)
            try client.connect(to: server.brokerAddress()) { event in
                switch event {
                case .connected:
                    source.yield(.success)
                    client.disconnect()
                case .ended(let reason): source.yield(Outcome(reason, of: server))
                case .message, .pause, .published, .subscribed, .unsubscribed: break
                }
            }
        } catch {
            return .failed("\(error)")
        }
        // A cancelled task does not wait.
        return await outcomes.first { _ in true } ?? .failed("the trial was given up")
    }
}

extension ServerTest.Outcome {
    /// Whether a broker that expects TLS would have ended a connection without it in this way.
    fileprivate var mayMeanTLS: Bool {
        switch self {
        case .failed, .timedOut: true
        case .success, .unreachable, .badCredentials, .tlsFailed: false
        }
    }

    fileprivate init(_ reason: Client.EndReason, of server: Server) {
        switch reason {
        case .refused(let refusal):
            let isAboutCredentials =
                ReasonCode.badUserNameOrPassword ~= refusal || ReasonCode.notAuthorized ~= refusal
            self = isAboutCredentials ? .badCredentials("\(reason)") : .failed("\(reason)")
        case .tlsFailed(let fault, let words):
            let trouble = ServerTest.TLSTrouble(fault)
            let advice = trouble.advice(for: server)
            self = .tlsFailed(trouble, trouble == .other ? "TLS failed: \(words)" : "\(fault): \(advice)")
        case .timedOut: self = .timedOut("\(reason)")
        case .unreachable, .nameNotFound: self = .unreachable("\(reason)")
        case .closed, .disconnected, .connectionLost, .keepAliveExpired, .protocolViolated, .failed:
            self = .failed("\(reason)")
        }
    }

    /// A fixed label: `ok`, `unreachable`, `bad-credentials`, `timeout`, `failed`, or that of a ``ServerTest/TLSTrouble``.
    public var code: String {
        switch self {
        case .success: "ok"
        case .unreachable: "unreachable"
        case .badCredentials: "bad-credentials"
        case .tlsFailed(let trouble, _): trouble.rawValue
        case .timedOut: "timeout"
        case .failed: "failed"
        }
    }

    /// The outcome in words for a person, nil after success.
    public var reason: String? {
        switch self {
        case .success: nil
        case .unreachable(let words), .badCredentials(let words), .tlsFailed(_, let words), .timedOut(let words),
            .failed(let words):
            words
        }
    }
}

extension ServerTest.TLSTrouble {
    /// What a client found.
    init(_ fault: TLSFault) {
        switch fault {
        case .notSpoken: self = .notSpoken
        case .unknownAuthority: self = .authority
        case .expired: self = .expired
        case .notYetValid: self = .notYetValid
        case .wrongHost: self = .host
        case .clientCertificate: self = .clientCertificate
        case .other: self = .other
        }
    }

    /// The way out.
    func advice(for server: Server) -> String {
        switch self {
        case .notSpoken: "give the port at which the broker speaks TLS, often 8883, or leave TLS out with --no-tls"
        case .expected: "switch TLS on with --tls"
        case .authority where server.caFile == nil: "name the file of the broker's authority with --ca-file"
        case .authority: "give the file of the broker's own authority with --ca-file instead of \(server.caFile ?? "")"
        case .expired: "have it renewed at the broker, or set the clock of this machine right"
        case .notYetValid: "set the clocks of the broker and of this machine right"
        case .host: "connect by the name in the certificate, or use a certificate for \(server.host)"
        case .clientCertificate: "give the hub one that the broker accepts, with --client-cert and --client-key"
        case .other: "compare the versions and settings of TLS at both ends"
        }
    }
}
