import Crypto
import CryptoExtras
package import PoolControl

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension PassphraseKey {
    /// The minimum number of characters of a passphrase for a new file.
    package static let characterCountMin = 12
    /// The maximum number of bytes of a passphrase in UTF-8.
    package static let byteCountMax = 1024

    /// Derives the key of a passphrase for a new file, with a new salt.
    ///
    /// It takes about half a second and 128 MiB of memory.
    ///
    /// - Parameter passphrase: At least ``characterCountMin`` characters, at most ``byteCountMax`` bytes.
    /// - Throws: ``PassphraseError``.
    package init(_ passphrase: String) throws {
        guard passphrase.count >= Self.characterCountMin else {
            throw PassphraseError.tooShort(characterCount: passphrase.count)
        }
        try self.init(passphrase, costExponent: Derivation.standardCostExponent)
    }

    /// Derives the key of a passphrase for a new file, with another cost.
    init(_ passphrase: String, costExponent: UInt8) throws {
        // The system's generator is cryptographically secure.
        var generator = SystemRandomNumberGenerator()
        let salt = (0..<Derivation.saltByteCount).map { _ in UInt8.random(in: 0...(.max), using: &generator) }
        try self.init(
            passphrase,
            Derivation(
                costExponent: costExponent, blockSize: Derivation.standardBlockSize,
                parallelism: Derivation.standardParallelism,
                salt: salt))
    }

    /// Derives the key of a passphrase with the parameters of an exported configuration.
    ///
    /// The file determines the time and the memory, at most a few seconds and 1 GiB.
    ///
    /// - Parameters:
    ///   - passphrase: The passphrase; it is checked when the file is decrypted.
    ///   - path: The file.
    /// - Throws: ``PassphraseError``; ``ConfigurationExportError`` if the file cannot be read or is not an export.
    package init(_ passphrase: String, ofExport path: String) throws {
        try self.init(passphrase, try SealedExport(reading: path).derivation)
    }

    /// Checks that a file is a complete export, before its passphrase is requested.
    ///
    /// - Throws: ``ConfigurationExportError``.
    package static func checkExport(_ path: String) throws {
        _ = try SealedExport(reading: path)
    }

    /// Derives a key with parameters that were checked.
    private init(_ passphrase: String, _ derivation: Derivation) throws {
        guard !passphrase.isEmpty else { throw PassphraseError.empty }
        guard passphrase.utf8.count <= Self.byteCountMax else {
            throw PassphraseError.tooLong(byteCount: passphrase.utf8.count)
        }
        if let flaw = derivation.flaw { preconditionFailure("a key with \(flaw)") }
        let key = try KDF.Scrypt.deriveKey(
            from: Array(passphrase.utf8), salt: derivation.salt, outputByteCount: 32,
            rounds: 1 << Int(derivation.costExponent), blockSize: Int(derivation.blockSize),
            parallelism: Int(derivation.parallelism))
        // The bytes are copied out of the key during the call.
        self.init(derivation: derivation, bytes: unsafe key.withUnsafeBytes { unsafe Array($0) })
    }

    /// The key for the cipher.
    var symmetricKey: SymmetricKey { SymmetricKey(data: bytes) }
}

/// Why a passphrase is not accepted.
@nonexhaustive
public enum PassphraseError: Error, Equatable, Sendable, CustomStringConvertible {
    /// It is empty.
    case empty
    /// It is too easy to guess.
    case tooShort(characterCount: Int)
    /// It is too long.
    case tooLong(byteCount: Int)

    /// The error, and what to do about it.
    public var description: String {
        switch self {
        case .empty: "the passphrase is empty: give the one with which the file was exported"
        case .tooShort(let count):
            "the passphrase has \(count) \(count == 1 ? "character" : "characters"), at least "
                + "\(PassphraseKey.characterCountMin) are needed: a thief of the file can try any number of passphrases, "
                + "so use four or five unrelated words"
        case .tooLong(let count):
            "the passphrase has \(count) bytes, at most \(PassphraseKey.byteCountMax) are possible: shorten it"
        }
    }
}
