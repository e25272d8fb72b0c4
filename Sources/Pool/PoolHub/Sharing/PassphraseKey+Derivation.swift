import Crypto
import CryptoExtras
package import PoolControl

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension PassphraseKey {
    /// The fewest characters that a passphrase may have to protect a new file.
    package static let characterCountMin = 12
    /// The most bytes of a passphrase in UTF-8.
    package static let byteCountMax = 1024

    /// Makes the key of a passphrase for a new file, with a salt of its own.
    ///
    /// It takes about half a second, and 128 MiB of memory meanwhile.
    ///
    /// - Parameter passphrase: At least ``characterCountMin`` characters, at most ``byteCountMax`` bytes.
    /// - Throws: ``PassphraseError``.
    package init(_ passphrase: String) throws {
        guard passphrase.count >= Self.characterCountMin else {
            throw PassphraseError.tooShort(characterCount: passphrase.count)
        }
        try self.init(passphrase, costExponent: Derivation.standardCostExponent)
    }

    /// Makes the key of a passphrase for a new file, at another cost.
    init(_ passphrase: String, costExponent: UInt8) throws {
        // The system's generator is fit for salts.
        var generator = SystemRandomNumberGenerator()
        let salt = (0..<Derivation.saltByteCount).map { _ in UInt8.random(in: 0...(.max), using: &generator) }
        try self.init(
            passphrase,
            Derivation(
                costExponent: costExponent, blockSize: Derivation.standardBlockSize,
                parallelism: Derivation.standardParallelism,
                salt: salt))
    }

    /// Makes the key of a passphrase in the way in which the key of an exported configuration was made.
    ///
    /// It takes as long and as much memory as the file says, a few seconds and 1 GiB at most.
    ///
    /// - Parameters:
    ///   - passphrase: The passphrase; whether it is the right one shows when the file is opened.
    ///   - path: The file.
    /// - Throws: ``PassphraseError``; ``ConfigurationExportError`` if the file cannot be read or is not of its kind.
    package init(_ passphrase: String, ofExport path: String) throws {
        try self.init(passphrase, try SealedExport(reading: path).derivation)
    }

    /// Checks that a file is a whole export, before anybody is asked for its passphrase.
    ///
    /// - Throws: ``ConfigurationExportError``.
    package static func checkExport(_ path: String) throws {
        _ = try SealedExport(reading: path)
    }

    /// Makes a key in a way that was checked.
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

    /// The key as the cipher takes it.
    var symmetricKey: SymmetricKey { SymmetricKey(data: bytes) }
}

/// Why no key can be made of a passphrase.
@nonexhaustive
public enum PassphraseError: Error, Equatable, Sendable, CustomStringConvertible {
    /// There is nothing in it.
    case empty
    /// It is too easily guessed.
    case tooShort(characterCount: Int)
    /// It is longer than anybody types.
    case tooLong(byteCount: Int)

    /// What is wrong, and the way out.
    public var description: String {
        switch self {
        case .empty: "the passphrase is empty: give the one with which the file was exported"
        case .tooShort(let count):
            "the passphrase has \(count) \(count == 1 ? "character" : "characters"), at least "
                + "\(PassphraseKey.characterCountMin) are needed: anybody who has the file can try passphrases at leisure, "
                + "so take four or five words that do not belong together"
        case .tooLong(let count):
            "the passphrase has \(count) bytes, at most \(PassphraseKey.byteCountMax) are possible: shorten it"
        }
    }
}
