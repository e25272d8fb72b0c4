/// A key derived from a passphrase, with the parameters of the derivation.
///
/// It is derived by scrypt (RFC 7914), which needs memory as well as time, so guessing passphrases is expensive on any
/// machine: 128 MiB and about half a second for each guess.
package struct PassphraseKey: Codable, Hashable, Sendable {
    /// The parameters of the derivation; a file contains them unencrypted.
    package struct Derivation: Hashable, Codable, Sendable {
        /// The binary logarithm of scrypt's cost parameter N.
        package var costExponent: UInt8
        /// The block size in units of 128 bytes: scrypt's parameter r.
        package var blockSize: UInt16
        /// The parallelism: scrypt's parameter p.
        package var parallelism: UInt16
        /// The random salt, ``saltByteCount`` bytes, so that equal passphrases have different keys.
        package var salt: [UInt8]

        package static let saltByteCount = 16
        /// The accepted cost exponents: from 16 MiB to 1 GiB of memory for each guess.
        package static let costExponents: ClosedRange<UInt8> = 14...20
        /// The cost exponent of new keys: 128 MiB.
        ///
        /// Source: OWASP, "Password Storage Cheat Sheet", scrypt: N = 2¹⁷, r = 8, p = 1.
        package static let standardCostExponent: UInt8 = 17
        package static let standardBlockSize: UInt16 = 8
        package static let standardParallelism: UInt16 = 1

        /// Why the parameters are not accepted; nil if they are.
        package var flaw: String? {
            if !Self.costExponents.contains(costExponent) {
                return "a cost of 2^\(costExponent), which is not in 2^\(Self.costExponents.lowerBound)…"
                    + "2^\(Self.costExponents.upperBound)"
            }
            if blockSize != Self.standardBlockSize { return "a block size of \(blockSize), which is not 8" }
            if salt.count != Self.saltByteCount { return "a salt of \(salt.count) bytes, which are not 16" }
            if parallelism != Self.standardParallelism {
                return "a parallelism of \(parallelism), which is not \(Self.standardParallelism)"
            }
            return nil
        }

        /// Creates the parameters.
        package init(costExponent: UInt8, blockSize: UInt16, parallelism: UInt16, salt: [UInt8]) {
            self.costExponent = costExponent
            self.blockSize = blockSize
            self.parallelism = parallelism
            self.salt = salt
        }
    }

    package let derivation: Derivation
    package let bytes: [UInt8]

    /// Creates a key from its derived bytes.
    package init(derivation: Derivation, bytes: [UInt8]) {
        self.derivation = derivation
        self.bytes = bytes
    }
}
