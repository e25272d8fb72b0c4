/// Why a text or some bytes are not a CURVE key.
///
/// It never contains them, because they may be secret.
@nonexhaustive
public enum CurveKeyError: Error, Equatable, Sendable {
    /// There are not 32 bytes.
    case wrongByteCount(Int)
    /// There are not 40 characters of Z85.
    case wrongCharacterCount(Int)
    /// The 40 characters are not Z85 of 32 bytes.
    case notZ85
}

extension CurveKeyError: CustomStringConvertible {
    /// The error, and the form of a key.
    public var description: String {
        switch self {
        case .wrongByteCount(let count): "a CURVE key has 32 bytes, not \(count)"
        case .wrongCharacterCount(let count):
            "a CURVE key in Z85 has 40 characters, not \(count): copy the whole key, without spaces"
        case .notZ85: "these 40 characters are not a key in Z85: copy it again, character by character"
        }
    }
}

/// The 32 bytes of a key.
func curveKeyBytes(_ bytes: [UInt8]) throws(CurveKeyError) -> [UInt8] {
    guard bytes.count == 32 else { throw .wrongByteCount(bytes.count) }
    return bytes
}

/// The 32 bytes of a key in Z85.
func curveKeyBytes(z85 text: String) throws(CurveKeyError) -> [UInt8] {
    guard text.utf8.count == 40 else { throw .wrongCharacterCount(text.utf8.count) }
    guard let bytes = Z85.decode(text) else { throw .notZ85 }
    return bytes
}
