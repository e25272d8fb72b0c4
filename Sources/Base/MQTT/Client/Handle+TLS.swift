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

    /// Makes OpenSSL itself compare the certificate with the host, before it lets libmosquitto send anything.
    ///
    /// libmosquitto compares, too, but it accepts an address as the common name or as a DNS name of a certificate. For an
    /// address only an IP address of the certificate counts. Source: RFC 6125, section 1.7.2, and RFC 2818, section 3.1.
    ///
    /// - Parameter host: The host as libmosquitto gets it.
    /// - Returns: Whether it does; false if libmosquitto was built with another library than OpenSSL.
    func compareCertificate(with host: String) -> Bool {
        guard let openSSL = unsafe OpenSSL.loaded, let new = unsafe openSSL.newContext(openSSL.clientMethod()) else {
            return false
        }
        // libmosquitto takes a reference of its own.
        defer { unsafe openSSL.freeContext(new) }
        guard let parameters = unsafe openSSL.parameters(new) else { return false }
        let isSet =
            if let address = NameLookup.numericAddress(host) {
                unsafe openSSL.setAddress(parameters, String(address.text.prefix { $0 != "%" })) == 1
            } else {
                unsafe openSSL.setHost(parameters, host, 0) == 1
            }
        guard isSet, unsafe mosquitto_int_option(pointer, MOSQ_OPT_SSL_CTX_WITH_DEFAULTS, 1) == 0,
            unsafe mosquitto_void_option(pointer, MOSQ_OPT_SSL_CTX, new) == 0
        else { return false }
        unsafe context = new
        return true
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
