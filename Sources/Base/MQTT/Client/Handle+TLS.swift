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
        guard let session = unsafe mosquitto_ssl_get(pointer), let functions = unsafe OpenSSL.functions else {
            return nil
        }
        return TLSEvidence(
            verification: unsafe functions.verifyResult(session),
            isSpoken: unsafe functions.certificate(session) != nil)
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

/// The functions of libmosquitto's OpenSSL, which is loaded in the process; its headers are not needed.
@unsafe
private enum OpenSSL {
    typealias VerifyResult = @convention(c) (UnsafeMutableRawPointer) -> Int
    typealias Certificate = @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?

    /// `SSL_get_verify_result`, and a function that returns the broker's certificate without a new reference; nil if
    /// libmosquitto was built with another library.
    static let functions: (verifyResult: VerifyResult, certificate: Certificate)? = {
        guard let program = unsafe dlopen(nil, RTLD_NOW), let result = unsafe dlsym(program, "SSL_get_verify_result"),
            let certificate = unsafe dlsym(program, "SSL_get0_peer_certificate")
        else { return nil }
        // OpenSSL declares them as `long f(const SSL *)` and `X509 *f(const SSL *)`.
        return unsafe (
            unsafeBitCast(result, to: VerifyResult.self), unsafeBitCast(certificate, to: Certificate.self)
        )
    }()
}
