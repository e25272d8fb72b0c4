internal import CMosquitto

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

extension Handle {
    /// What OpenSSL knows of the broker now; nil without TLS.
    ///
    /// Only the network thread may ask, and only while libmosquitto calls back: the handshake's state goes with it.
    var evidence: TLSEvidence? {
        guard let session = unsafe mosquitto_ssl_get(pointer), let functions = unsafe OpenSSL.functions else {
            return nil
        }
        return TLSEvidence(
            verification: unsafe functions.verifyResult(session),
            isSpoken: unsafe functions.certificate(session) != nil)
    }

    /// Whether the next byte that waits to be read begins a record of TLS, which is certain before anything was read.
    ///
    /// Source: RFC 8446, section 5.1, `ContentType`.
    var beginsRecord: Bool {
        guard let socket else { return false }
        var byte: UInt8 = 0
        return unsafe recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) == 1
            && (20...23).contains(byte)
    }
}

/// The functions of the OpenSSL that libmosquitto uses; it is in the process already, and its headers are not needed.
@unsafe
private enum OpenSSL {
    typealias VerifyResult = @convention(c) (UnsafeMutableRawPointer) -> Int
    typealias Certificate = @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?

    /// `SSL_get_verify_result`, and one that gives the broker's certificate without a reference to give back; nil if
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
