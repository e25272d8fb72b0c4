import ImtModel

/// Bytes of pictures, good and bad, made from numbers.
enum SamplePictures {
    /// An ordinary JPEG, without any segment of an application.
    static func jpeg(_ width: Int = 64, _ height: Int = 48, seed: UInt64 = 1) throws -> [UInt8] {
        try JPEGScan(GeneratedFace(seed: seed, progress: 0).jpeg(PictureSize(width: width, height: height))).cleaned
    }

    /// A segment with its marker.
    static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        let length = content.count + 2
        return [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)] + content
    }

    /// An Exif segment with an orientation, a time and a place (GPS).
    static func exif(orientation: Int?, taken: String?, isLittle: Bool = true) -> [UInt8] {
        func number(_ value: Int, _ count: Int) -> [UInt8] {
            let bytes = (0..<count).map { UInt8(value >> (8 * $0) & 255) }
            return isLittle ? bytes : bytes.reversed()
        }
        func short(_ value: Int) -> [UInt8] { number(value, 2) }
        func long(_ value: Int) -> [UInt8] { number(value, 4) }
        let text = Array((taken ?? "").utf8) + [0]
        var entries: [[UInt8]] = []
        if let orientation { entries.append(short(0x112) + short(3) + long(1) + short(orientation) + [0, 0]) }
        let listStart = 8
        let count = entries.count + 2
        let exifStart = listStart + 2 + count * 12 + 4
        let textStart = exifStart + 2 + 12 + 4
        entries.append(short(0x8769) + short(4) + long(1) + long(exifStart))
        entries.append(short(0x8825) + short(4) + long(1) + long(textStart + text.count))
        let tiff =
            Array((isLittle ? "II" : "MM").utf8) + short(42) + long(listStart) + short(entries.count)
            + entries.flatMap(\.self) + long(0) + short(1) + short(0x9003) + short(2) + long(text.count)
            + long(textStart) + long(0) + text + Array("GPS48.8566N".utf8)
        return segment(0xE1, Array("Exif\0\0".utf8) + tiff)
    }

    /// A picture with segments behind its beginning.
    static func with(_ segments: [UInt8], _ picture: [UInt8]) -> [UInt8] {
        [0xFF, 0xD8] + segments + picture.dropFirst(2)
    }

    /// Where the frame header of a picture begins.
    static func frame(of picture: [UInt8]) -> Int {
        picture.indices.first { picture[$0] == 0xFF && (0xC0...0xC2).contains(picture[$0 + 1]) } ?? 0
    }
}
