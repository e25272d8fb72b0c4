internal import CZeroMQ

/// The secret half of a CURVE key pair.
///
/// Its descriptions and its mirror contain only the type's name; only ``bytes`` and ``z85`` return the key. Source:
/// RFC 26, zmq_curve(7), zmq_curve_public(3).
public struct CurveSecretKey: Sendable {
    /// The 32 bytes; keep them in files that only their owner can read.
    public let bytes: [UInt8]

    /// Creates a key from its 32 bytes.
    public init(bytes: [UInt8]) throws(CurveKeyError) {
        self.bytes = try curveKeyBytes(bytes)
    }

    /// Creates a key from its 40 characters of Z85.
    public init(z85 text: String) throws(CurveKeyError) {
        bytes = try curveKeyBytes(z85: text)
    }

    /// The 40 characters of Z85; keep them in files that only their owner can read.
    public var z85: String { Z85.encode(bytes) }

    /// Computes the public half.
    ///
    /// - Throws: ``ZeroMQError/notSupported(_:)`` when libzmq was built without CURVE.
    public func publicKey() throws(ZeroMQError) -> CurvePublicKey {
        var text = [CChar](repeating: 0, count: 41)
        try perform("zmq_curve_public", on: "a secret key") { unsafe zmq_curve_public(&text, z85) }
        return CurvePublicKey(fromLibrary: text)
    }
}

extension CurveSecretKey: Equatable {
    /// Whether both are the same key, determined in a time that does not depend on the position of a difference.
    public static func == (left: CurveSecretKey, right: CurveSecretKey) -> Bool {
        zip(left.bytes, right.bytes).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

extension CurveSecretKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The type's name, never the key.
    public var description: String { "CurveSecretKey(hidden)" }
    /// The type's name, never the key.
    public var debugDescription: String { description }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
