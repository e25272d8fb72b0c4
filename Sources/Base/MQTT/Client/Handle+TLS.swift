internal import CMosquitto

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

extension Handle {
    /// The present state of the TLS handshake according to OpenSSL; nil without TLS.
    ///
    /// Only the network thread may read it, and only during a callback of libmosquitto, because the handshake's state
    /// is freed with the handshake.
    var evidence: TLSEvidence? {
        guard let session = unsafe mosquitto_ssl_get(pointer), let openSSL = unsafe OpenSSL.loaded else { return nil }
        let verification = unsafe openSSL.verifyResult(session)
        let isSpoken = unsafe openSSL.hasCertificate(session)
        // The names matter only if they are wrong; before the handshake ends, only the chain is known.
        let isWrongHost = TLSProblem.wrongHostResults.contains(verification)
        return unsafe TLSEvidence(
            verification: verification, isSpoken: isSpoken, names: isWrongHost ? openSSL.names(in: session) : [])
    }

    /// Makes OpenSSL itself compare the certificate with the host, before it lets libmosquitto send more.
    ///
    /// libmosquitto compares, too, but it accepts an address as the common name or as a DNS name of a certificate. For an
    /// address only an IP address of the certificate counts. Source: RFC 6125, section 1.7.2, and RFC 2818, section 3.1.
    ///
    /// The handshake has begun, and usually is not continued before ``read()``. A broker may answer between two system
    /// calls of libmosquitto, though: a certificate that is there already is compared at once.
    ///
    /// - Parameter host: The host as libmosquitto got it.
    /// - Returns: Whether it does, or did; false if the certificate is another host's, or if libmosquitto was built with
    ///   another library than OpenSSL.
    func compareCertificate(with host: String) -> Bool {
        guard let session = unsafe mosquitto_ssl_get(pointer), let openSSL = unsafe OpenSSL.loaded,
            let parameters = unsafe openSSL.parameters(session)
        else { return false }
        // A zone is not part of a certificate's address.
        let address = NameLookup.numericAddress(host).map { String($0.text.prefix { $0 != "%" }) }
        if unsafe openSSL.hasCertificate(session) {
            return unsafe openSSL.check(session, for: address ?? host, isAddress: address != nil)
        }
        guard let address else { return unsafe openSSL.setHost(parameters, host, 0) == 1 }
        return unsafe openSSL.setAddress(parameters, address) == 1
    }

    /// Whether the next unread byte begins a TLS record; only reliable before anything was read.
    ///
    /// Source: RFC 8446, section 5.1, `ContentType`.
    var beginsRecord: Bool {
        guard let socket else { return false }
        var byte: UInt8 = 0
        return unsafe recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) == 1
            && (20...23).contains(byte)
    }
}
