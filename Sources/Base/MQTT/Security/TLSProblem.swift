/// The reason of a TLS failure.
public enum TLSProblem: String, Hashable, Sendable, CaseIterable {
    /// The program at the port does not speak TLS.
    case notSpoken
    /// No trusted authority has signed the broker's certificate.
    case unknownAuthority
    /// The broker's certificate has expired.
    case expired
    /// The broker's certificate is not valid yet.
    case notYetValid
    /// The broker's certificate is issued for another host.
    case wrongHost
    /// The broker does not accept this client's certificate, or requires one and got none.
    case clientCertificate
    /// Another reason; only the error text is known.
    case other
}

extension TLSProblem: CustomStringConvertible {
    /// The reason, as a clause.
    public var description: String {
        switch self {
        case .notSpoken: "what answers at this port does not speak TLS"
        case .unknownAuthority: "no authority that is trusted here vouches for the broker's certificate"
        case .expired: "the broker's certificate has expired"
        case .notYetValid: "the broker's certificate is not valid yet"
        case .wrongHost: "the broker's certificate is in the name of another host"
        case .clientCertificate: "the broker requires another client certificate"
        case .other: "the broker and this client did not agree"
        }
    }
}

extension TLSProblem {
    /// The results of the check for a certificate of another host: `X509_V_ERR_HOSTNAME_MISMATCH`, `…_EMAIL_…` and
    /// `…_IP_ADDRESS_…`.
    static let wrongHostResults = 62...64

    /// Determines the reason of a failed handshake.
    ///
    /// A broker that speaks TLS sends a TLS record, at least an alert. If there was no record, and no error message
    /// about one, the port does not speak TLS. Source: `X509_V_ERR_…` in openssl/x509_vfy.h, and the reasons in
    /// openssl/sslerr.h, of OpenSSL 3.0.
    ///
    /// - Parameters:
    ///   - evidence: The last known state of the handshake; nil if OpenSSL cannot be asked.
    ///   - errorTexts: The error messages of libmosquitto and OpenSSL.
    init(_ evidence: TLSEvidence?, errorTexts: [String]) {
        func isReported(_ words: String...) -> Bool {
            errorTexts.contains { text in words.contains { text.contains($0) } }
        }
        // libmosquitto compares the names, too, and OpenSSL does not know its reasons.
        if isReported("host name verification failed") {
            self = .wrongHost
            return
        }
        switch evidence?.verification {
        case 9: self = .notYetValid
        case 10: self = .expired
        case let result? where Self.wrongHostResults.contains(result): self = .wrongHost
        case 2, 7, 18, 19, 20, 21, 24, 27: self = .unknownAuthority
        default:
            if isReported(
                "certificate required", "bad certificate", "alert unknown ca", "alert certificate unknown",
                "alert certificate expired", "alert handshake failure", "unsupported certificate")
            {
                self = .clientCertificate
            } else if evidence?.isSpoken != true, !isReported("alert", "certificate", "protocol version") {
                self = .notSpoken
            } else {
                self = .other
            }
        }
    }
}

/// The state of a handshake in progress.
struct TLSEvidence: Hashable {
    /// The result of checking the broker's certificate, an `X509_V_…`; 0 if it is valid, or if there is none yet.
    var verification: Int
    /// Whether the broker has sent a record of TLS.
    var isSpoken: Bool
    /// The names in the broker's certificate, if they are not those of the host.
    var names: [String] = []
}
