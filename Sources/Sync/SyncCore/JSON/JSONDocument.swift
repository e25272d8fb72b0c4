/// A checked JSON document: its bytes, and the place of each value in them.
///
/// Nothing is copied from the bytes until a value is read.
final class JSONDocument: Sendable {
    /// The bytes of the document.
    let bytes: [UInt8]
    /// The places of all values in the order of the bytes; the first is that of the whole document.
    ///
    /// The place of a member's name comes before the place of its value.
    let places: [JSONPlace]

    /// Checks bytes.
    init(_ bytes: [UInt8]) throws(JSONError) {
        places = try JSONScanner.places(in: bytes)
        self.bytes = bytes
    }

    /// The position of the value of a member; nil if the value at `position` is not an object or lacks it.
    func member(_ name: String, of position: Int) -> Int? {
        guard places[position].kind == .object else { return nil }
        let bytes = bytes
        var name = name
        // The span of the name does not outlive the call that lends its bytes.
        return name.withUTF8 { find(unsafe Span(_unsafeElements: $0), in: bytes.span, of: position) }
    }

    private func find(_ name: Span<UInt8>, in bytes: Span<UInt8>, of position: Int) -> Int? {
        var next = position + 1
        let end = places[position].end
        while next < end {
            if isText(name, at: next, in: bytes) { return next + 1 }
            next = places[next + 1].end
        }
        return nil
    }

    /// The positions of the elements; nil if the value at `position` is not a list.
    func elements(of position: Int) -> [Int]? {
        guard places[position].kind == .array else { return nil }
        var elements: [Int] = []
        var next = position + 1
        while next < places[position].end {
            elements.append(next)
            next = places[next].end
        }
        return elements
    }

    /// The whole number; nil if the value is not one.
    func integer(at position: Int) -> Int64? {
        places[position].kind == .integer ? places[position].integer : nil
    }

    /// The text; nil if the value is not one.
    func text(at position: Int) -> String? {
        let place = places[position]
        switch place.kind {
        case .plainText: return String(decoding: bytes[place.range], as: UTF8.self)
        case .escapedText: return String(decoding: JSONEscapes.resolved(bytes[place.range]), as: UTF8.self)
        case .null, .no, .yes, .integer, .array, .object: return nil
        }
    }

    /// The number of sixteen hexadecimal digits; nil if the value is not one.
    ///
    /// Digits are never written with escapes.
    func hexadecimal(at position: Int) -> UInt64? {
        guard places[position].kind == .plainText else { return nil }
        let bytes = bytes
        return Hexadecimal.number(bytes.span.extracting(places[position].range))
    }

    /// The numbers of twice sixteen hexadecimal digits; nil if the value is not one.
    func hexadecimalPair(at position: Int) -> (high: UInt64, low: UInt64)? {
        let range = places[position].range
        guard places[position].kind == .plainText, range.count == 32 else { return nil }
        let bytes = bytes
        guard let high = Hexadecimal.number(bytes.span.extracting(range.lowerBound..<range.lowerBound + 16)),
            let low = Hexadecimal.number(bytes.span.extracting(range.lowerBound + 16..<range.upperBound))
        else { return nil }
        return (high, low)
    }

    /// The bytes of an even number of hexadecimal digits; nil if the value is not one.
    func hexadecimalBytes(at position: Int) -> [UInt8]? {
        guard places[position].kind == .plainText else { return nil }
        let bytes = bytes
        return Hexadecimal.bytes(bytes.span.extracting(places[position].range))
    }

    /// Whether the value is the given text.
    private func isText(_ text: Span<UInt8>, at position: Int, in bytes: Span<UInt8>) -> Bool {
        let place = places[position]
        guard place.kind == .plainText else {
            let resolved = JSONEscapes.resolved(self.bytes[place.range])
            return resolved.count == text.count && text.indices.allSatisfy { resolved[$0] == text[$0] }
        }
        let range = place.range
        guard range.count == text.count else { return false }
        for position in text.indices where bytes[range.lowerBound + position] != text[position] { return false }
        return true
    }

    /// The names and indices that lead from the whole document to a value, such as `cells[3].stamp.`; empty for the
    /// document itself.
    func path(to position: Int) -> String {
        var path = ""
        var current = 0
        while current != position {
            let isObject = places[current].kind == .object
            var index = 0
            var child = current + 1
            var value = isObject ? child + 1 : child
            while places[value].end <= position {
                child = places[value].end
                value = isObject ? child + 1 : child
                index += 1
            }
            path += isObject ? (path.isEmpty || path.hasSuffix(".") ? "" : ".") + (text(at: child) ?? "") : "[\(index)]"
            current = value
        }
        return path.isEmpty ? "" : path + "."
    }
}

/// The position and the form of a value in the bytes of a document.
struct JSONPlace: Sendable {
    /// The form of a value.
    enum Kind: UInt8, Sendable {
        case null, no, yes, integer, plainText, escapedText, array, object
    }

    /// The form of the value.
    let kind: Kind
    private var next: UInt32
    private let content: UInt64

    /// The index after the value and everything in it, among the document's places.
    var end: Int {
        get { Int(next) }
        set { next = UInt32(truncatingIfNeeded: newValue) }
    }

    /// A whole number.
    var integer: Int64 { Int64(bitPattern: content) }

    /// The bytes between the quotes of a text.
    var range: Range<Int> { Int(content >> 32)..<Int(content & 0xFFFF_FFFF) }

    /// A value without contents.
    init(_ kind: Kind, end: Int) {
        self.kind = kind
        next = UInt32(truncatingIfNeeded: end)
        content = 0
    }

    /// A whole number.
    init(_ integer: Int64, end: Int) {
        kind = .integer
        next = UInt32(truncatingIfNeeded: end)
        content = UInt64(bitPattern: integer)
    }

    /// A text between two quotes.
    init(textIn range: Range<Int>, isPlain: Bool, end: Int) {
        kind = isPlain ? .plainText : .escapedText
        next = UInt32(truncatingIfNeeded: end)
        content = UInt64(range.lowerBound) << 32 | UInt64(range.upperBound)
    }
}
