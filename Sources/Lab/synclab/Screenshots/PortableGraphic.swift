/// Writes pictures as PNG (ISO/IEC 15948): with a palette if 256 colours are enough, else with 24 bits a pixel.
enum PortableGraphic {
    /// The bytes of the file.
    static func bytes(of picture: Picture) -> [UInt8] {
        let colors = palette(of: picture)
        var header = number(picture.width) + number(picture.height)
        header += [8, colors == nil ? 2 : 3, 0, 0, 0]
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header)
        var lines: [[UInt8]]
        if let colors {
            file += chunk("PLTE", colors.flatMap { [$0.red, $0.green, $0.blue] })
            let indices = Dictionary(uniqueKeysWithValues: zip(colors, 0...))
            lines = rows(of: picture) { [UInt8(indices[$0] ?? 0)] }
        } else {
            lines = rows(of: picture) { [$0.red, $0.green, $0.blue] }
        }
        // Each row is stored as its difference to the one above: most rows of text are alike.
        for index in lines.indices.dropFirst().reversed() {
            lines[index] = zip(lines[index], lines[index - 1]).map { $0 &- $1 }
        }
        var filtered: [UInt8] = []
        for (index, line) in lines.enumerated() { filtered += [index == 0 ? 0 : 2] + line }
        return file + chunk("IDAT", Deflate.packed(filtered)) + chunk("IEND", [])
    }

    private static func rows(of picture: Picture, _ bytes: (RGB) -> [UInt8]) -> [[UInt8]] {
        (0..<picture.height).map { y in
            picture.pixels[y * picture.width..<(y + 1) * picture.width].flatMap(bytes)
        }
    }

    /// The colours of a picture in order of appearance; nil for more than 256.
    private static func palette(of picture: Picture) -> [RGB]? {
        var seen: Set<RGB> = []
        var colors: [RGB] = []
        for pixel in picture.pixels where seen.insert(pixel).inserted {
            guard colors.count < 256 else { return nil }
            colors.append(pixel)
        }
        return colors
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + content
        return number(content.count) + body + number(Int(checksum(body)))
    }

    private static func number(_ value: Int) -> [UInt8] {
        [UInt8(value >> 24 & 0xFF), UInt8(value >> 16 & 0xFF), UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)]
    }

    private static let table: [UInt32] = (0..<256).map { start in
        (0..<8).reduce(UInt32(start)) { rest, _ in rest & 1 == 1 ? 0xEDB8_8320 ^ rest >> 1 : rest >> 1 }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0 as UInt32) { sum, byte in table[Int((sum ^ UInt32(byte)) & 0xFF)] ^ sum >> 8 }
    }
}
