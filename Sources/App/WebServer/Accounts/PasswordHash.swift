import Crypto
import CryptoExtras
import Platform
import Text
import Vault

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What is stored of a password: `$scrypt$ln=15,r=8,p=3$` + salt + `$` + key, both in Base64.
///
/// A guess takes 32 MiB and about a fifth of a second. Source: RFC 7914; OWASP, "Password Storage Cheat Sheet", the
/// variant N = 2¹⁵, r = 8, p = 3. The stronger key of files would let a few logins fill the memory of a small machine.
struct PasswordHash: Equatable, Sendable {
    /// The characters and the bytes of a password.
    static let characterCountMin = 10
    static let byteCountMax = 256

    private static let costExponent = 15
    private static let blockSize = 8
    private static let parallelism = 3
    private static let saltByteCount = 16
    private static let keyByteCount = 32
    private static let head = "$scrypt$ln=\(costExponent),r=\(blockSize),p=\(parallelism)$"

    private let salt: [UInt8]
    private let key: [UInt8]

    /// Makes the hash of a password with a salt of its own; it takes long, so do it in ``HashingGate``.
    init(_ password: String) throws {
        salt = SecretText.bytes(Self.saltByteCount)
        key = try Self.key(of: password, salt)
    }

    /// Reads a stored hash; nil if it is of another kind.
    init?(text: String) {
        guard text.hasPrefix(Self.head) else { return nil }
        let parts = text.dropFirst(Self.head.count).split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 2, let salt = Data(base64Encoded: String(parts[0])),
            let key = Data(base64Encoded: String(parts[1])), salt.count == Self.saltByteCount,
            key.count == Self.keyByteCount
        else { return nil }
        self.salt = Array(salt)
        self.key = Array(key)
    }

    /// The text to store.
    var text: String { Self.head + Data(salt).base64EncodedString() + "$" + Data(key).base64EncodedString() }

    /// Whether a password is the right one; it takes long, so do it in ``HashingGate``.
    func matches(_ password: String) throws -> Bool {
        let other = try Self.key(of: password, salt)
        // All bytes are compared, so that the time says nothing about where they differ.
        return zip(key, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private static func key(of password: String, _ salt: [UInt8]) throws -> [UInt8] {
        let key = try KDF.Scrypt.deriveKey(
            from: Array(password.utf8), salt: salt, outputByteCount: keyByteCount, rounds: 1 << costExponent,
            blockSize: blockSize, parallelism: parallelism)
        // The bytes are copied out of the key during the call.
        return unsafe key.withUnsafeBytes { unsafe Array($0) }
    }

    /// Checks a new password.
    ///
    /// - Throws: ``Problem`` with the reason; the password itself is not in it.
    static func check(_ password: String, name: String, member: String, words: [String]) throws(Problem) {
        func refuse(_ detail: String, _ french: String) -> Problem {
            Problem(.wrongMember, detail, french: french, member: member)
        }
        guard password.utf8.count <= byteCountMax else {
            throw refuse(
                "the password has \(password.utf8.count) bytes, at most \(byteCountMax) are possible: shorten it",
                "le mot de passe a \(password.utf8.count) octets, \(byteCountMax) au plus : raccourcissez-le")
        }
        guard password.count >= characterCountMin else {
            throw refuse(
                "the password has \(password.count) characters, at least \(characterCountMin) are needed: lengthen it",
                "le mot de passe a \(password.count) caractères, il en faut au moins \(characterCountMin) : allongez-le"
            )
        }
        guard password.lowercased() != name.lowercased() else {
            throw refuse("the password is the name: choose another", "c'est le nom : choisissez autre chose")
        }
        guard !CommonPasswords.contains(password, words) else {
            throw refuse(
                "this password is among those that attackers try first: choose another",
                "ce mot de passe est parmi les premiers qu'on essaie : choisissez-en un autre")
        }
    }
}
