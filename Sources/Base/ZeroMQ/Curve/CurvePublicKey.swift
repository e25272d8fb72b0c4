/// The public half of a CURVE key pair: the identity of a peer.
///
/// Source: RFC 26, zmq_curve(7).
public struct CurvePublicKey: Hashable, Sendable {
    /// The 32 bytes.
    public let bytes: [UInt8]

    /// Creates a key from its 32 bytes.
    public init(bytes: [UInt8]) throws(CurveKeyError) {
        self.bytes = try curveKeyBytes(bytes)
    }

    /// Creates a key from its 40 characters of Z85.
    public init(z85 text: String) throws(CurveKeyError) {
        bytes = try curveKeyBytes(z85: text)
    }

    /// The 40 characters of Z85.
    public var z85: String { Z85.encode(bytes) }
}

extension CurvePublicKey: CustomStringConvertible {
    /// The 40 characters of Z85.
    public var description: String { z85 }
}
