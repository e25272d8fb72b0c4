/// How the test of a server ended; the raw value is a fixed label.
package enum ServerTestCode: String, Codable, CaseIterable, Sendable {
    /// The broker accepted the client.
    case success = "ok"
    /// Nothing accepts connections there, or the name cannot be resolved.
    case unreachable
    /// The broker rejects these credentials.
    case badCredentials = "bad-credentials"
    /// The broker did not answer in time.
    case timedOut = "timeout"
    /// The port does not speak TLS.
    case tlsNotSpoken = "tls-not-spoken"
    /// The port speaks TLS, and the server is configured without it.
    case tlsExpected = "tls-expected"
    /// No authority that is trusted here has signed the certificate.
    case tlsAuthority = "tls-authority"
    /// The certificate has expired.
    case tlsExpired = "tls-expired"
    /// The certificate is not valid yet.
    case tlsNotYetValid = "tls-not-yet-valid"
    /// The certificate is for another host.
    case tlsHost = "tls-host"
    /// The broker does not accept the hub without another client certificate.
    case tlsClientCertificate = "tls-client-certificate"
    /// TLS failed in another way.
    case tlsOther = "tls"
    /// It failed in another way.
    case failed
}

/// The result of the test of a server.
package struct ServerTestResult: Hashable, Sendable {
    /// How it ended.
    package var code: ServerTestCode
    /// The reason of a failure, in words; nil after success.
    package var reason: String?

    /// Creates a result.
    package init(_ code: ServerTestCode, reason: String? = nil) {
        self.code = code
        self.reason = reason
    }

    /// How the test ended, for a person, without the server.
    package var sentence: String {
        let words =
            switch code {
            case .success: "ok, the server accepted the connection"
            case .unreachable: "unreachable"
            case .badCredentials: "bad credentials"
            case .tlsExpected: "TLS expected"
            case .tlsNotSpoken, .tlsAuthority, .tlsExpired, .tlsNotYetValid, .tlsHost, .tlsClientCertificate,
                .tlsOther:
                "TLS failed"
            case .timedOut: "no answer in time"
            case .failed: "failed"
            }
        guard let reason else { return words }
        // Some reasons already contain the text of the outcome.
        return reason.hasPrefix(words) ? reason : "\(words): \(reason)"
    }
}
