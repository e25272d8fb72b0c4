/// What is read of the Exif part of a picture before it is removed: orientation and time.
///
/// Source: CIPA DC-008, sections 4.5 and 4.6: a TIFF file with the tags 0x0112 in the first list, 0x8769 for the list of Exif,
/// and 0x9003 in that.
package struct ExifFacts: Hashable, Sendable {
    /// 1 upright; 2 to 8 as the standard counts the other ways to hold a camera.
    package var orientation = 1
    /// `DateTimeOriginal` as it is written; nil if it is missing.
    package var taken: String?

    /// Reads an Exif part, which begins with a TIFF header; what is wrong in it counts as missing.
    package init(_ tiff: ArraySlice<UInt8>) {
        let reader = TIFFReader(tiff)
        guard let first = reader?.firstList else { return }
        if let value = reader?.entry(0x0112, in: first)?.number, (1...8).contains(value) { orientation = value }
        if let list = reader?.entry(0x8769, in: first)?.number, let text = reader?.entry(0x9003, in: list)?.text {
            taken = text
        }
    }

    /// No facts.
    package init() {}
}

/// Reads entries of a TIFF file; every place that is outside of it counts as missing.
private struct TIFFReader {
    struct Entry {
        var number: Int
        var text: String?
    }

    private let bytes: [UInt8]
    private let isLittle: Bool

    init?(_ part: ArraySlice<UInt8>) {
        bytes = Array(part)
        guard bytes.count >= 8, bytes[0] == bytes[1], [0x49, 0x4D].contains(bytes[0]) else { return nil }
        isLittle = bytes[0] == 0x49
        guard short(2) == 42 else { return nil }
    }

    var firstList: Int? { long(4) }

    private func short(_ place: Int) -> Int? {
        guard place >= 0, place + 2 <= bytes.count else { return nil }
        let (first, second) = (Int(bytes[place]), Int(bytes[place + 1]))
        return isLittle ? second << 8 | first : first << 8 | second
    }

    private func long(_ place: Int) -> Int? {
        guard let first = short(place), let second = short(place + 2) else { return nil }
        return isLittle ? second << 16 | first : first << 16 | second
    }

    /// The entry of a tag: a number, and a text if it is one.
    func entry(_ tag: Int, in list: Int) -> Entry? {
        guard let count = short(list), count <= 512 else { return nil }
        for index in 0..<count {
            let place = list + 2 + index * 12
            guard short(place) == tag, let kind = short(place + 2), let length = long(place + 4) else { continue }
            switch kind {
            case 2:
                guard length <= 64, let start = length <= 4 ? place + 8 : long(place + 8), start >= 0,
                    start + length <= bytes.count
                else { return nil }
                let text = bytes[start..<start + length].prefix { $0 != 0 }
                return Entry(number: 0, text: String(decoding: text, as: UTF8.self))
            case 3: return short(place + 8).map { Entry(number: $0) }
            case 4: return long(place + 8).map { Entry(number: $0) }
            default: return nil
            }
        }
        return nil
    }
}
