import Crypto
import Primitives

/// Random texts that prove something, and their hashes.
package enum SecretText {
    /// Random bytes.
    package static func bytes(_ count: Int) -> [UInt8] {
        // The system's generator is fit for secrets.
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: 0...(.max), using: &generator) }
    }

    /// A new secret of so many bytes, in hexadecimal digits.
    package static func make(byteCount: Int) -> String { Hexadecimal.text(bytes(byteCount)) }

    /// What is stored of a secret: its SHA-256 in hexadecimal digits.
    package static func hash(_ secret: String) -> String { Hexadecimal.text(SHA256.hash(data: Array(secret.utf8))) }
}
