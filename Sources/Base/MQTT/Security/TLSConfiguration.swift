/// How the connection is encrypted and the broker is recognized.
///
/// The defaults ask for all that can be asked for: a certificate that the trusted authorities vouch for, in the name
/// of the host that was connected to, over TLS 1.2 or later.
public struct TLSConfiguration: Hashable, Sendable {
    /// Where the certificates of the trusted authorities are.
    public enum Trust: Hashable, Sendable {
        /// The operating system's own store, as OpenSSL finds it.
        case system
        /// A PEM file with one or more certificates; nothing else is trusted.
        case file(path: String)
        /// A folder of PEM files with the names that `openssl rehash` gives; nothing else is trusted.
        case directory(path: String)
    }

    /// What is checked of the broker's certificate.
    public enum Verification: Hashable, Sendable {
        /// That a trusted authority vouches for it, and that it is in the name of the host.
        case full
        /// Only that a trusted authority vouches for it: an attacker who holds another certificate of it can listen in.
        case authorityOnly
        /// Nothing: anyone between client and broker can listen in. For trials only.
        case none
    }

    /// The oldest version of TLS that is spoken.
    public enum Version: String, CaseIterable, Sendable {
        /// TLS 1.2.
        case v12 = "tlsv1.2"
        /// TLS 1.3.
        case v13 = "tlsv1.3"
    }

    /// The client's own certificate, for a broker that asks for one.
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

    /// Whom to trust; default: the system's store.
    public var trust: Trust
    /// What to check; default: everything.
    public var verification: Verification
    /// The oldest version to speak; default: TLS 1.2.
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
