/// Recognizes Sparkplug B payloads by their outermost fields, which are those of its protocol buffer.
///
/// | tag | field |
/// |---|---|
/// | 0x08 | the time in milliseconds since 1970 |
/// | 0x12 | a metric, with its length |
/// | 0x18 | the sequence number |
/// | 0x22, 0x2A | the UUID and the body, with their lengths |
enum SparkplugPayload {
    /// The times by which a payload is recognized on any topic: 2001 to 2096.
    private static let times: ClosedRange<UInt64> = 1_000_000_000_000...4_000_000_000_000

    /// Whether bytes are such a payload.
    ///
    /// With `isExpected` the topic is one of Sparkplug, and the first tag is enough. On other topics the bytes must
    /// be well formed up to the end and begin with a plausible time.
    static func isOne(_ payload: [UInt8], isExpected: Bool) -> Bool {
        guard let first = payload.first else { return false }
        if isExpected { return [0x08, 0x12, 0x18, 0x22, 0x2A].contains(first) }
        guard first == 0x08 else { return false }
        var rest = payload.dropFirst()
        guard let time = number(&rest), times.contains(time), !rest.isEmpty else { return false }
        while let tag = rest.popFirst() {
            switch tag {
            case 0x18: guard number(&rest) != nil else { return false }
            case 0x12, 0x22, 0x2A:
                guard let length = number(&rest), length <= rest.count else { return false }
                rest = rest.dropFirst(Int(length))
            default: return false
            }
        }
        return true
    }

    /// Removes and returns a number of variable length, whose bytes have seven bits each, the lowest first; or nil.
    private static func number(_ bytes: inout ArraySlice<UInt8>) -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 63, by: 7) {
            guard let byte = bytes.popFirst() else { return nil }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        return nil
    }
}
