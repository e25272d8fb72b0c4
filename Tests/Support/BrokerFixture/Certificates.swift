internal import Foundation
internal import TestSupport

/// Certificates for one test, made with openssl in a temporary folder that goes with this object; valid for two days.
public final class Certificates: Sendable {
    /// A certificate and its key, both PEM files.
    public struct Pair: Sendable {
        /// The path of the certificate.
        public let certificate: String
        /// The path of the key, not encrypted.
        public let key: String
    }

    /// The path of the certificate of the authority that vouches for ``server`` and ``client``.
    public var authority: String { folder.path("authority.pem") }
    /// The path of a folder with ``authority`` under the name by which OpenSSL looks for it.
    public var authorityFolder: String { folder.path("trusted") }
    /// The path of the certificate of an authority that vouches for none of them.
    public var strangeAuthority: String { folder.path("stranger.pem") }
    /// The broker's certificate, in the name of `localhost` only: a client that connects to 127.0.0.1 must refuse it.
    public var server: Pair { pair("server") }
    /// A broker's certificate with the address 127.0.0.1 as what it is.
    public var address: Pair { pair("address") }
    /// A broker's certificate with 127.0.0.1 as its common name and as a DNS name, but not as an address.
    public var addressAsName: Pair { pair("addressAsName") }
    /// A broker's certificate with 127.0.0.1 as its common name only.
    public var addressAsCommonName: Pair { pair("addressAsCommonName") }
    /// A broker's certificate in the name of `localhost` that has expired.
    public var expired: Pair { pair("expired") }
    /// A client's certificate.
    public var client: Pair { pair("client") }
    private let folder: TemporaryFolder

    private init(folder: TemporaryFolder) {
        self.folder = folder
    }

    /// Makes new certificates.
    public static func make() async throws -> Certificates {
        let certificates = Certificates(folder: try TemporaryFolder())
        try await certificates.makeAuthority("authority")
        try await certificates.makeAuthority("stranger")
        try await certificates.makeAuthorityFolder()
        try await certificates.makeCertificate("server", commonName: "localhost")
        try await certificates.makeCertificate("expired", commonName: "localhost", days: -1)
        try await certificates.makeCertificate("client", commonName: "client")
        let address = "127.0.0.1"
        try await certificates.makeCertificate("address", commonName: "pool", names: "IP:\(address)")
        try await certificates.makeCertificate("addressAsName", commonName: address)
        try await certificates.makeCertificate("addressAsCommonName", commonName: address, names: "")
        return certificates
    }

    private static let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]

    private func makeAuthority(_ name: String) async throws {
        let (key, certificate) = (folder.path("\(name).key"), folder.path("\(name).pem"))
        try await Tool.openSSL.run(
            ["req", "-x509", "-days", "2", "-subj", "/CN=\(name)", "-keyout", key, "-out", certificate] + Self.newKey)
    }

    private func makeAuthorityFolder() async throws {
        let files = FileManager.default
        try files.createDirectory(atPath: authorityFolder, withIntermediateDirectories: false)
        try files.copyItem(atPath: authority, toPath: "\(authorityFolder)/authority.pem")
        try await Tool.openSSL.run(["rehash", authorityFolder])
    }

    private func makeCertificate(
        _ name: String, commonName: String, names: String? = nil, days: Int = 2
    ) async throws {
        let (pair, request) = (pair(name), folder.path("\(name).csr"))
        try await Tool.openSSL.run(
            ["req", "-subj", "/CN=\(commonName)", "-keyout", pair.key, "-out", request] + Self.newKey)
        let extensions = folder.path("\(name).ext")
        let alternatives = names ?? "DNS:\(commonName)"
        let text = alternatives.isEmpty ? "keyUsage=digitalSignature\n" : "subjectAltName=\(alternatives)\n"
        try text.write(toFile: extensions, atomically: false, encoding: .utf8)
        try await Tool.openSSL.run([
            "x509", "-req", "-days", "\(days)", "-in", request, "-out", pair.certificate, "-extfile", extensions,
            "-CA", authority, "-CAkey", folder.path("authority.key"), "-CAcreateserial",
        ])
    }

    private func pair(_ name: String) -> Pair {
        Pair(certificate: folder.path("\(name).pem"), key: folder.path("\(name).key"))
    }
}
