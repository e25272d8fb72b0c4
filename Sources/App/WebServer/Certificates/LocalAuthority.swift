import Crypto
import Platform
import SwiftASN1
import SystemPackage
import Text
import Vault
import X509

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Why there is no certificate to serve with.
package enum CertificateError: Error, Equatable, CustomStringConvertible {
    /// No certificate was made yet.
    case missing(folder: String, command: String)
    /// The host is no name and no address.
    case hostUnfit(String)
    /// The authority was made for other hosts.
    case beyond(host: String, authority: String, key: String)
    /// The files cannot be used.
    case unusable(certificate: String, key: String, reason: String, command: String)
    /// A file or folder cannot be written or read.
    case file(path: String, reason: String)

    /// What is wrong, and the way out.
    package var description: String {
        switch self {
        case .missing(let folder, let command):
            "there is no certificate in \(folder): make one with `\(command) certificate --host home.local`"
        case .hostUnfit(let host):
            "\(Excerpt(host)) is no host: give the name or the address that people type, such as home.local or "
                + "192.168.1.20"
        case .beyond(let host, let authority, let key):
            "the authority may not sign for \(Excerpt(host)): it is for hosts of a house and for those that it was made "
                + "with; to make another one, which each phone must install, remove \(authority) and \(key)"
        case .unusable(let certificate, let key, let reason, let command):
            "\(certificate) and \(key) cannot be used: \(reason); make others with `\(command) certificate`"
        case .file(let path, let reason): "\(path): \(reason)"
        }
    }
}

/// A certificate authority of this machine, and the certificate of the page that it signs.
///
/// Phones trust the page when its authority was installed on them, once. Elsewhere nobody trusts it.
package struct LocalAuthority {
    /// The folder of the files.
    package let folder: String
    private let product: WebProduct
    /// The certificate with its chain, and its key.
    package var certificatePath: String { "\(folder)/server.pem" }
    package var keyPath: String { "\(folder)/server.key" }
    /// The certificate to install on phones.
    package var authorityPath: String { "\(folder)/authority.pem" }
    private var authorityKeyPath: String { "\(folder)/authority.key" }

    /// How long the certificate of the page holds; browsers take no longer one.
    package static let days = 397
    private static let authorityDays = 3650
    private static let day = 86_400.0

    /// Uses the folder `web.keys` in the state folder.
    package init(stateFolder: String, product: WebProduct) {
        folder = "\(stateFolder)/web.keys"
        self.product = product
    }

    /// Makes a certificate for some hosts, signed by the authority, which is made when there is none yet.
    ///
    /// - Returns: The SHA-256 of the authority's certificate, as phones show it.
    /// - Throws: ``CertificateError``.
    package func makeCertificate(for hosts: [String]) throws -> String {
        try prepareFolder()
        let (authority, authorityKey) = try authority(for: hosts)
        let key = P256.Signing.PrivateKey()
        let names = try hosts.map(Self.name)
        if let constraints = try authority.extensions.nameConstraints {
            for (host, name) in zip(hosts, names) where !NetworkOfTheHouse.isPermitted(name, by: constraints) {
                throw CertificateError.beyond(host: host, authority: authorityPath, key: authorityKeyPath)
            }
        }
        let now = Date.now
        let certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: now.addingTimeInterval(-3600),
            notValidAfter: now.addingTimeInterval(Double(Self.days) * Self.day), issuer: authority.subject,
            // No host: where there is no name among the alternatives, OpenSSL takes an address here for a name, which the
            // authority may not sign.
            subject: DistinguishedName { CommonName("\(product.name) page") },
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
                try ExtendedKeyUsage([.serverAuth])
                SubjectKeyIdentifier(hash: Certificate.PublicKey(key.publicKey))
                AuthorityKeyIdentifier(keyIdentifier: try Self.keyIdentifier(of: authority))
                SubjectAlternativeNames(names)
            }, issuerPrivateKey: Certificate.PrivateKey(authorityKey))
        let chain = try certificate.serializeAsPEM().pemString + "\n" + authority.serializeAsPEM().pemString + "\n"
        try write(chain, to: certificatePath)
        try write(key.pemRepresentation + "\n", to: keyPath)
        return try Self.fingerprint(of: authority)
    }

    /// The certificate that was made last.
    ///
    /// - Throws: ``CertificateError``.
    package func served() throws -> ServedCertificate {
        guard let text = read(certificatePath) else {
            throw CertificateError.missing(folder: folder, command: product.command)
        }
        do {
            let first = text.components(untilAfter: "-----END CERTIFICATE-----")
            let certificate = try Certificate(pemEncoded: first)
            let hosts = try certificate.extensions.subjectAlternativeNames.map { names in
                names.compactMap { name in
                    switch name {
                    case .dnsName(let name): name
                    case .ipAddress(let bytes): IPAddress(bytes: Array(bytes.bytes))?.host
                    default: nil
                    }
                }
            }
            let end = certificate.notValidAfter.timeIntervalSince1970
            return ServedCertificate(
                command: product.command, hosts: hosts ?? [], end: Timestamp(milliseconds: Int64(end * 1000)))
        } catch {
            throw CertificateError.unusable(
                certificate: certificatePath, key: keyPath, reason: "\(error)", command: product.command)
        }
    }

    // MARK: - Parts

    private func authority(for hosts: [String]) throws -> (Certificate, P256.Signing.PrivateKey) {
        if let certificate = read(authorityPath), let key = read(authorityKeyPath) {
            do {
                return (try Certificate(pemEncoded: certificate), try P256.Signing.PrivateKey(pemRepresentation: key))
            } catch {
                throw CertificateError.unusable(
                    certificate: authorityPath, key: authorityKeyPath, reason: "\(error)", command: product.command)
            }
        }
        let constraints = NetworkOfTheHouse.constraints(try hosts.map(Self.name))
        let key = P256.Signing.PrivateKey()
        let name = try DistinguishedName {
            OrganizationName(product.name)
            CommonName("\(product.name) authority \(SecretText.make(byteCount: 3))")
        }
        let now = Date.now
        let certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: now.addingTimeInterval(-3600),
            notValidAfter: now.addingTimeInterval(Double(Self.authorityDays) * Self.day), issuer: name, subject: name,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                Critical(KeyUsage(keyCertSign: true, cRLSign: true))
                SubjectKeyIdentifier(hash: Certificate.PublicKey(key.publicKey))
                // Who gets its key can pose as hosts of a house only, not as a bank.
                Critical(constraints)
            }, issuerPrivateKey: Certificate.PrivateKey(key))
        try write(key.pemRepresentation + "\n", to: authorityKeyPath)
        try write(certificate.serializeAsPEM().pemString + "\n", to: authorityPath)
        return (certificate, key)
    }

    /// The name of an authority's key; strict clients, such as Python 3.13, want it in both certificates.
    private static func keyIdentifier(of authority: Certificate) throws -> ArraySlice<UInt8> {
        try authority.extensions.subjectKeyIdentifier?.keyIdentifier
            ?? SubjectKeyIdentifier(hash: authority.publicKey).keyIdentifier
    }

    private static func fingerprint(of certificate: Certificate) throws -> String {
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return SHA256.hash(data: serializer.serializedBytes).map { Hexadecimal.text([$0]).uppercased() }
            .joined(separator: ":")
    }

    private static func name(_ host: String) throws -> GeneralName {
        if let address = address(host) { return .ipAddress(ASN1OctetString(contentBytes: address.bytes[...])) }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        let isName =
            host.utf8.count <= 253
            && labels.allSatisfy { label in
                (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
                    && label.utf8.allSatisfy {
                        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
                            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-")
                    }
            }
        guard isName else { throw CertificateError.hostUnfit(host) }
        return .dnsName(host.lowercased())
    }

    /// A host as a request names it: an address of IPv6 in brackets.
    package static func hostText(_ host: String) -> String { address(host)?.host ?? host }

    /// The address of a host that is one, with or without brackets.
    private static func address(_ host: String) -> IPAddress? {
        host.hasPrefix("[") && host.hasSuffix("]") ? IPAddress(host.dropFirst().dropLast()) : IPAddress(host)
    }

    // MARK: - Files

    private func prepareFolder() throws {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw CertificateError.file(path: folder, reason: "cannot be made: \(error)")
        }
    }

    private func read(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).flatMap { String(validating: $0, as: UTF8.self) }
    }

    private func write(_ text: String, to path: String) throws {
        do {
            try NewFile.write(Array(text.utf8), to: path)
        } catch {
            throw CertificateError.file(path: path, reason: "\(error)")
        }
    }
}

extension String {
    /// The beginning of the text, with a part at its end.
    fileprivate func components(untilAfter part: String) -> String {
        guard let range = firstRange(of: part) else { return self }
        return String(self[..<range.upperBound])
    }
}
