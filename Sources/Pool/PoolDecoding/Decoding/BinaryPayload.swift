/// A kind of payload that is not text.
@nonexhaustive
public enum BinaryKind: String, Hashable, Sendable {
    /// Sparkplug B: protocol buffers, usually under `spBv1.0/`.
    case sparkplugB = "Sparkplug B"
    /// Compressed by gzip or zlib.
    case compressed
    /// An image.
    case image
    /// MessagePack or CBOR objects, judged by their first byte.
    case packedObject = "packed object"
    /// Anything else.
    case unknown = "binary"

    /// The kind of a payload; nil if it is text in UTF-8 without U+0000.
    ///
    /// - Parameters:
    ///   - topic: The topic that the message came on; nil if that is not known.
    ///   - payload: The bytes of the message.
    init?(topic: String?, payload: [UInt8]) {
        if SparkplugPayload.isOne(payload, isExpected: topic?.hasPrefix("spBv1.0/") == true) {
            self = .sparkplugB
            return
        }
        if !payload.contains(0), String(validating: payload, as: UTF8.self) != nil { return nil }
        switch (payload.first ?? 0, payload.count > 1 ? payload[1] : 0) {
        case (0x1F, 0x8B), (0x78, 0x9C), (0x78, 0x01), (0x78, 0xDA): self = .compressed
        case (0xFF, 0xD8), (0x89, 0x50), (0x47, 0x49): self = .image
        case (0x80...0x8F, _), (0xA1...0xBF, _): self = .packedObject
        default: self = .unknown
        }
    }
}
