/// Derives an identifier from the contents that it identifies, by a digest: it is infeasible to find other contents
/// with the same one.
struct DerivedName {
    private var bytes: [UInt8] = []

    /// Starts the identifier of something of a kind; identifiers of different kinds differ.
    init(_ kind: String) {
        feed(kind)
    }

    mutating func feed(_ number: UInt64) {
        for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    mutating func feed(_ id: RandomID) {
        feed(id.high)
        feed(id.low)
    }

    /// Adds a text with its length, so that consecutive texts stay distinct; nil differs from an empty text.
    mutating func feed(_ text: String?) {
        feed(text.map { UInt64($0.utf8.count) } ?? .max)
        bytes += text?.utf8.map(\.self) ?? []
    }

    /// The identifier of everything that was added.
    var id: RandomID {
        let digest = SHA256.digest(bytes)
        func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        return RandomID(high: word(digest[0..<8]), low: word(digest[8..<16]))
    }
}
