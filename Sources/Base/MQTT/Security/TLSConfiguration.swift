/// How the connection is encrypted and how the broker's identity is checked.
///
/// The defaults are the strictest checks: a certificate that a trusted authority has signed, issued for the host name
/// that the client connects to, over TLS 1.2 or later.
public struct TLSConfiguration: Hashable, Sendable {
    /// The location of the certificates of the trusted authorities.
    public enum Trust: Hashable, Sendable {
        /// The operating system's store, as OpenSSL finds it.
        case system
        /// A PEM file with one or more certificates; nothing else is trusted.
        case file(path: String)
        /// A folder of PEM files with the names that `openssl rehash` gives; nothing else is trusted.
        case directory(path: String)
    }

    /// The checks of the broker's certificate.
    public enum Verification: Hashable, Sendable {
        /// That a trusted authority has signed it, and that it is issued for the host.
        case full
        /// Only that a trusted authority has signed it.
        ///
        /// An attacker with another certificate of that authority can listen in.
        case authorityOnly
        /// Nothing.
        ///
        /// Anyone between client and broker can listen in; for trials only.
        case none
    }

    /// The oldest accepted version of TLS.
    public enum Version: String, CaseIterable, Sendable {
        /// TLS 1.2.
        case v12 = "tlsv1.2"
        /// TLS 1.3.
        case v13 = "tlsv1.3"
    }

    /// The client's own certificate, for a broker that requires one.
    public struct Identity: Hashable, Sendable {
        /// The PEM file with the certificate, followed by its intermediate authorities.
        public var certificatePath: String
        /// The PEM file with the key, which must not be encrypted.
        public var keyPath: String

        /// Creates an identity.
        public init(certificatePath: String, keyPath: String) {
            self.certificatePath = certificatePath
            self.keyPath = keyPath
        }
    }

    /// The trusted authorities; default: the system's store.
    public var trust: Trust
    /// The checks; default: all.
    public var verification: Verification
    /// The oldest accepted version; default: TLS 1.2.
    public var minimumVersion: Version
    /// The client's own certificate; default: none.
    public var identity: Identity?

    /// Creates a configuration.
    public init(
        trust: Trust = .system, verification: Verification = .full, minimumVersion: Version = .v12,
        identity: Identity? = nil
    ) {
        self.trust = trust
        self.verification = verification
        self.minimumVersion = minimumVersion
        self.identity = identity
    }
}
