/// A key that was made of a passphrase, and how it was made, so that the same passphrase gives it again.
///
/// It is made by scrypt (RFC 7914), which needs as much memory as it needs time, so that guessing passphrases stays
/// dear on any machine: 128 MiB and about half a second for each guess.
package struct PassphraseKey: Codable, Hashable, Sendable {
    /// How a key is made of a passphrase: what a file says in clear.
    package struct Derivation: Hashable, Codable, Sendable {
        /// The binary logarithm of the cost: so many blocks are kept in memory.
        package var costExponent: UInt8
        /// The size of a block, in units of 128 bytes.
        package var blockSize: UInt16
        /// How often the whole is done.
        package var parallelism: UInt16
        /// What makes the keys of equal passphrases differ; ``saltByteCount`` bytes.
        package var salt: [UInt8]

        package static let saltByteCount = 16
        /// The weakest cost that is accepted, 16 MiB for each guess, and the dearest, 1 GiB.
        package static let costExponents: ClosedRange<UInt8> = 14...20
        /// The cost of keys that are made anew: 128 MiB.
        ///
        /// Source: OWASP, "Password Storage Cheat Sheet", scrypt: N = 2¹⁷, r = 8, p = 1.
        package static let standardCostExponent: UInt8 = 17
        package static let standardBlockSize: UInt16 = 8
        package static let standardParallelism: UInt16 = 1

        /// Why no key is made so; nil if one can be.
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

        /// Creates a way to make a key.
        package init(costExponent: UInt8, blockSize: UInt16, parallelism: UInt16, salt: [UInt8]) {
            self.costExponent = costExponent
            self.blockSize = blockSize
            self.parallelism = parallelism
            self.salt = salt
        }
    }

    package let derivation: Derivation
    package let bytes: [UInt8]

    /// Creates the key that was made so.
    package init(derivation: Derivation, bytes: [UInt8]) {
        self.derivation = derivation
        self.bytes = bytes
    }
}
