#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The functions of libmosquitto's OpenSSL, which is loaded in the process; its headers are not needed.
///
/// The comments give the declarations in OpenSSL 3.0.
@unsafe
struct OpenSSL {
    typealias Pointer = UnsafeMutableRawPointer
    private typealias HostCheck =
        @convention(c) (Pointer, UnsafePointer<CChar>, Int, UInt32, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?)
        -> Int32

    // long SSL_get_verify_result(const SSL *)
    let verifyResult: @convention(c) (Pointer) -> Int
    // X509 *SSL_get0_peer_certificate(const SSL *), without a new reference; OpenSSL 1.1 does not have it
    private let certificate: (@convention(c) (Pointer) -> Pointer?)?
    // X509_VERIFY_PARAM *SSL_get0_param(SSL *)
    let parameters: @convention(c) (Pointer) -> Pointer?
    // int X509_VERIFY_PARAM_set1_host(X509_VERIFY_PARAM *, const char *, size_t); 0 for the length of the text
    let setHost: @convention(c) (Pointer, UnsafePointer<CChar>, Int) -> Int32
    // int X509_VERIFY_PARAM_set1_ip_asc(X509_VERIFY_PARAM *, const char *)
    let setAddress: @convention(c) (Pointer, UnsafePointer<CChar>) -> Int32
    // int X509_check_host(X509 *, const char *, size_t, unsigned int, char **); 0 for the length of the text
    private let checkHost: HostCheck
    // int X509_check_ip_asc(X509 *, const char *, unsigned int)
    private let checkAddress: @convention(c) (Pointer, UnsafePointer<CChar>, UInt32) -> Int32
    // void SSL_set_verify_result(SSL *, long)
    private let setVerifyResult: @convention(c) (Pointer, Int) -> Void
    // STACK_OF(X509) *SSL_get_peer_cert_chain(const SSL *)
    private let chain: @convention(c) (Pointer) -> Pointer?
    // int OPENSSL_sk_num(const OPENSSL_STACK *)
    private let count: @convention(c) (Pointer) -> Int32
    // void *OPENSSL_sk_value(const OPENSSL_STACK *, int)
    private let element: @convention(c) (Pointer, Int32) -> Pointer?
    // X509_NAME *X509_get_subject_name(const X509 *)
    private let subject: @convention(c) (Pointer) -> Pointer?
    // int X509_NAME_get_text_by_NID(X509_NAME *, int, char *, int)
    private let text: @convention(c) (Pointer, Int32, UnsafeMutablePointer<CChar>, Int32) -> Int32
    // void *X509_get_ext_d2i(const X509 *, int, int *, int *)
    private let decoded:
        @convention(c) (Pointer, Int32, UnsafeMutablePointer<Int32>?, UnsafeMutablePointer<Int32>?)
            -> Pointer?
    // void *GENERAL_NAME_get0_value(const GENERAL_NAME *, int *)
    private let value: @convention(c) (Pointer, UnsafeMutablePointer<Int32>) -> Pointer?
    // const unsigned char *ASN1_STRING_get0_data(const ASN1_STRING *)
    private let bytes: @convention(c) (Pointer) -> UnsafePointer<UInt8>?
    // int ASN1_STRING_length(const ASN1_STRING *)
    private let byteCount: @convention(c) (Pointer) -> Int32
    // void GENERAL_NAMES_free(GENERAL_NAMES *)
    private let freeNames: @convention(c) (Pointer) -> Void

    /// The functions; nil if libmosquitto was built with another library.
    static let loaded: OpenSSL? = unsafe OpenSSL()

    private init?() {
        guard let program = unsafe dlopen(nil, RTLD_NOW) else { return nil }
        func find<Function>(_ name: String) -> Function? {
            unsafe dlsym(program, name).map { unsafe unsafeBitCast($0, to: Function.self) }
        }
        guard let verifyResult: @convention(c) (Pointer) -> Int = unsafe find("SSL_get_verify_result"),
            let parameters: @convention(c) (Pointer) -> Pointer? = unsafe find("SSL_get0_param"),
            let setHost: @convention(c) (Pointer, UnsafePointer<CChar>, Int) -> Int32 =
                unsafe find("X509_VERIFY_PARAM_set1_host"),
            let setAddress: @convention(c) (Pointer, UnsafePointer<CChar>) -> Int32 =
                unsafe find("X509_VERIFY_PARAM_set1_ip_asc"),
            let checkHost: HostCheck = unsafe find("X509_check_host"),
            let checkAddress: @convention(c) (Pointer, UnsafePointer<CChar>, UInt32) -> Int32 =
                unsafe find("X509_check_ip_asc"),
            let setVerifyResult: @convention(c) (Pointer, Int) -> Void = unsafe find("SSL_set_verify_result"),
            let chain: @convention(c) (Pointer) -> Pointer? = unsafe find("SSL_get_peer_cert_chain"),
            let count: @convention(c) (Pointer) -> Int32 = unsafe find("OPENSSL_sk_num"),
            let element: @convention(c) (Pointer, Int32) -> Pointer? = unsafe find("OPENSSL_sk_value"),
            let subject: @convention(c) (Pointer) -> Pointer? = unsafe find("X509_get_subject_name"),
            let text: @convention(c) (Pointer, Int32, UnsafeMutablePointer<CChar>, Int32) -> Int32 =
                unsafe find("X509_NAME_get_text_by_NID"),
            let decoded:
                @convention(c) (Pointer, Int32, UnsafeMutablePointer<Int32>?, UnsafeMutablePointer<Int32>?) -> Pointer?
                =
                unsafe find("X509_get_ext_d2i"),
            let value: @convention(c) (Pointer, UnsafeMutablePointer<Int32>) -> Pointer? =
                unsafe find("GENERAL_NAME_get0_value"),
            let bytes: @convention(c) (Pointer) -> UnsafePointer<UInt8>? = unsafe find("ASN1_STRING_get0_data"),
            let byteCount: @convention(c) (Pointer) -> Int32 = unsafe find("ASN1_STRING_length"),
            let freeNames: @convention(c) (Pointer) -> Void = unsafe find("GENERAL_NAMES_free")
        else { return nil }
        unsafe self.verifyResult = verifyResult
        unsafe self.certificate = find("SSL_get0_peer_certificate")
        unsafe self.parameters = parameters
        unsafe self.setHost = setHost
        unsafe self.setAddress = setAddress
        unsafe self.checkHost = checkHost
        unsafe self.checkAddress = checkAddress
        unsafe self.setVerifyResult = setVerifyResult
        unsafe self.chain = chain
        unsafe self.count = count
        unsafe self.element = element
        unsafe self.subject = subject
        unsafe self.text = text
        unsafe self.decoded = decoded
        unsafe self.value = value
        unsafe self.bytes = bytes
        unsafe self.byteCount = byteCount
        unsafe self.freeNames = freeNames
    }

    // MARK: - Names

    /// Whether the other end has sent its certificate.
    func hasCertificate(_ session: Pointer) -> Bool {
        guard let certificate = unsafe certificate else { return unsafe chain(session) != nil }
        return unsafe certificate(session) != nil
    }

    /// Compares a certificate that has come already with a host; what is wrong is the result of the check from then on.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - host: The host; a name, or an address.
    ///   - isAddress: Whether only an IP address of the certificate counts.
    /// - Returns: Whether it is the certificate of the host.
    func check(_ session: Pointer, for host: String, isAddress: Bool) -> Bool {
        guard let chain = unsafe chain(session), unsafe count(chain) > 0, let leaf = unsafe element(chain, 0) else {
            return false
        }
        let isNamed = unsafe isAddress ? checkAddress(leaf, host, 0) == 1 : checkHost(leaf, host, 0, 0, nil) == 1
        // X509_V_ERR_IP_ADDRESS_MISMATCH and X509_V_ERR_HOSTNAME_MISMATCH
        if !isNamed { unsafe setVerifyResult(session, isAddress ? 64 : 62) }
        return isNamed
    }

    /// The most names of a certificate that are read.
    private static let nameCountMax: Int32 = 16

    /// The names in the certificate of the other end: DNS names and addresses, else the common name.
    func names(in session: Pointer) -> [String] {
        guard let chain = unsafe chain(session), unsafe count(chain) > 0, let leaf = unsafe element(chain, 0) else {
            return []
        }
        let names = unsafe alternativeNames(of: leaf)
        return names.isEmpty ? unsafe [commonName(of: leaf)].compactMap(\.self) : names
    }

    private func alternativeNames(of certificate: Pointer) -> [String] {
        // NID_subject_alt_name
        guard let list = unsafe decoded(certificate, 85, nil, nil) else { return [] }
        defer { unsafe freeNames(list) }
        var names: [String] = []
        for place in unsafe 0..<min(count(list), Self.nameCountMax) {
            var kind: Int32 = -1
            guard let name = unsafe element(list, place), let value = unsafe value(name, &kind),
                kind == 2 || kind == 7, let start = unsafe bytes(value)
            else { continue }
            let content = unsafe Array(UnsafeBufferPointer(start: start, count: max(0, Int(byteCount(value)))))
            // GEN_DNS and GEN_IPADD
            if let name = unsafe kind == 2 ? String(validating: content, as: UTF8.self) : Self.address(content) {
                names.append(name)
            }
        }
        return names
    }

    private func commonName(of certificate: Pointer) -> String? {
        guard let subject = unsafe subject(certificate) else { return nil }
        var buffer = [CChar](repeating: 0, count: 256)
        // NID_commonName
        let count = unsafe text(subject, 13, &buffer, Int32(buffer.count))
        guard count > 0 else { return nil }
        return String(decoding: buffer.prefix(Int(min(count, 255))).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func address(_ bytes: [UInt8]) -> String? {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard bytes.count == 4 || bytes.count == 16,
            unsafe inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count)) != nil
        else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
