/// Makes a name that follows from what it names: who knows one cannot find something else that has the same.
struct DerivedName {
    private var bytes: [UInt8] = []

    /// Begins the name of something of a kind; names of different kinds are different.
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

    /// Feeds a text with its length, so that no two texts run into each other; none is not an empty one.
    mutating func feed(_ text: String?) {
        feed(text.map { UInt64($0.utf8.count) } ?? .max)
        bytes += text?.utf8.map(\.self) ?? []
    }

    /// The name of all that was fed.
    var id: RandomID {
        let digest = SHA256.digest(bytes)
        func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        return RandomID(high: word(digest[0..<8]), low: word(digest[8..<16]))
    }
}
