/// What was wrong when TLS failed.
public enum TLSFault: String, Hashable, Sendable, CaseIterable {
    /// What answers at the port does not speak TLS.
    case notSpoken
    /// No authority that is trusted here vouches for the broker's certificate.
    case unknownAuthority
    /// The broker's certificate has expired.
    case expired
    /// The broker's certificate is not valid yet.
    case notYetValid
    /// The broker's certificate is in the name of another host.
    case wrongHost
    /// The broker does not accept this client's certificate, or asks for one and got none.
    case clientCertificate
    /// Something else; the words are all that is known.
    case other
}

extension TLSFault: CustomStringConvertible {
    /// What was wrong, in a clause.
    public var description: String {
        switch self {
        case .notSpoken: "what answers at this port does not speak TLS"
        case .unknownAuthority: "no authority that is trusted here vouches for the broker's certificate"
        case .expired: "the broker's certificate has expired"
        case .notYetValid: "the broker's certificate is not valid yet"
        case .wrongHost: "the broker's certificate is in the name of another host"
        case .clientCertificate: "the broker does not accept this client without another certificate of its own"
        case .other: "the broker and this client did not agree"
        }
    }
}

extension TLSFault {
    /// Judges a handshake that failed.
    ///
    /// A broker that speaks TLS sends a record of TLS, be it an alert; without one, and without a complaint about it, the port does
    /// not speak it.
    /// Source: `X509_V_ERR_…` in openssl/x509_vfy.h, and the reasons in openssl/sslerr.h, of OpenSSL 3.0.
    /// - Parameters:
    ///   - evidence: What was known of the broker last; nil if OpenSSL cannot be asked.
    ///   - complaints: What libmosquitto and OpenSSL complained about, in their words.
    init(_ evidence: TLSEvidence?, complaints: [String]) {
        func isSaid(_ words: String...) -> Bool { complaints.contains { text in words.contains { text.contains($0) } } }
        // libmosquitto compares the names itself, so that OpenSSL does not know the reason.
        if isSaid("host name verification failed") {
            self = .wrongHost
            return
        }
        switch evidence?.verification {
        case 9: self = .notYetValid
        case 10: self = .expired
        case 62, 63, 64: self = .wrongHost
        case 2, 7, 18, 19, 20, 21, 24, 27: self = .unknownAuthority
        default:
            if isSaid(
                "certificate required", "bad certificate", "alert unknown ca", "alert certificate unknown",
                "alert certificate expired", "alert handshake failure", "unsupported certificate")
            {
                self = .clientCertificate
            } else if evidence?.isSpoken != true, !isSaid("alert", "certificate", "protocol version") {
                self = .notSpoken
            } else {
                self = .other
            }
        }
    }
}

/// What is known of the broker in the middle of a handshake.
struct TLSEvidence: Hashable {
    /// The result of checking the broker's certificate, an `X509_V_…`; 0 if it is right, or if there is none yet.
    var verification: Int
    /// Whether the broker has sent a record of TLS.
    var isSpoken: Bool
}
