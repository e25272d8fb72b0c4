import Crypto
package import PINPairing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The key that a phone and a device share since their pairing.
///
/// Commands are sealed with it from end to end, so that they are the same bytes on the short link and on MQTT, and neither the
/// bridge nor anybody else at the broker can make one. What is sealed for one device opens at no other.
package struct LinkKey: Hashable, Sendable {
    /// The number of bytes.
    package static let byteCount = 32

    /// The bytes, 32.
    package let bytes: [UInt8]

    /// The key that follows from a pairing by PIN.
    package init?(_ pairing: PairingKey, of maker: (some PeripheralMaker).Type) {
        self.init(bytes: pairing.symmetricKey(for: "\(maker.word) command 1"))
    }

    /// Takes over a key; nil unless it has 32 bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// Seals a message for a device.
    package func seal(_ message: [UInt8], for serial: SerialNumber<some PeripheralMaker>) -> [UInt8] {
        do {
            // The nonce is random: 2³² commands with one key are safe, and a device gets a new key with each pairing.
            return Array(try ChaChaPoly.seal(message, using: key, authenticating: Self.context(serial)).combined)
        } catch {
            preconditionFailure("a message of \(message.count) bytes cannot be sealed: \(error)")
        }
    }

    /// Opens a message; nil if it was not sealed with this key for this device.
    package func open(_ sealed: [UInt8], for serial: SerialNumber<some PeripheralMaker>) -> [UInt8]? {
        guard let box = try? ChaChaPoly.SealedBox(combined: sealed) else { return nil }
        return (try? ChaChaPoly.open(box, using: key, authenticating: Self.context(serial))).map(Array.init)
    }

    private var key: SymmetricKey { SymmetricKey(data: bytes) }

    private static func context<Maker>(_ serial: SerialNumber<Maker>) -> Data {
        Data("\(Maker.word) command 1 \(serial.text)".utf8)
    }
}
