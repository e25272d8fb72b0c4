internal import CZeroMQ

/// A CURVE key pair: the identity of one end, and its proof.
///
/// Source: RFC 26, zmq_curve_keypair(3).
public struct CurveKeyPair: Equatable, Sendable {
    /// The public half.
    public let publicKey: CurvePublicKey
    /// The secret half, which nobody else may know.
    public let secretKey: CurveSecretKey

    /// Creates a new random pair.
    ///
    /// - Throws: ``ZeroMQError/notSupported(_:)`` when libzmq was built without CURVE.
    public init() throws(ZeroMQError) {
        var publicText = [CChar](repeating: 0, count: 41)
        var secretText = [CChar](repeating: 0, count: 41)
        try perform("zmq_curve_keypair", on: "a new key pair") { unsafe zmq_curve_keypair(&publicText, &secretText) }
        publicKey = CurvePublicKey(fromLibrary: publicText)
        secretKey = CurveSecretKey(fromLibrary: secretText)
    }

    /// Creates the pair of a secret key.
    ///
    /// - Throws: ``ZeroMQError/notSupported(_:)`` when libzmq was built without CURVE.
    public init(secretKey: CurveSecretKey) throws(ZeroMQError) {
        self.secretKey = secretKey
        publicKey = try secretKey.publicKey()
    }
}

extension CurvePublicKey {
    init(fromLibrary text: [CChar]) {
        bytes = keyBytes(fromLibrary: text)
    }
}

extension CurveSecretKey {
    fileprivate init(fromLibrary text: [CChar]) {
        bytes = keyBytes(fromLibrary: text)
    }
}

/// The bytes of a key that libzmq wrote as Z85 with a terminating zero.
private func keyBytes(fromLibrary text: [CChar]) -> [UInt8] {
    let characters = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    guard let bytes = Z85.decode(String(decoding: characters, as: UTF8.self)), bytes.count == 32 else {
        preconditionFailure("libzmq wrote a key that is not 40 characters of Z85")
    }
    return bytes
}
