/// A colour of 24 bits.
struct RGB: Hashable, Sendable {
    var red: UInt8
    var green: UInt8
    var blue: UInt8

    init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
        (self.red, self.green, self.blue) = (red, green, blue)
    }

    /// A colour by its number, `0xRRGGBB`.
    init(hex: UInt32) {
        self.init(UInt8(hex >> 16 & 0xFF), UInt8(hex >> 8 & 0xFF), UInt8(hex & 0xFF))
    }

    /// The colour blended with a share of another one; 0…1, in sixteen steps, so that pictures have few colours.
    func mixed(with other: RGB, share: Double) -> RGB {
        let weight = (min(max(share, 0), 1) * 16).rounded() / 16
        func mix(_ below: UInt8, _ above: UInt8) -> UInt8 {
            UInt8((Double(below) * (1 - weight) + Double(above) * weight).rounded())
        }
        return RGB(mix(red, other.red), mix(green, other.green), mix(blue, other.blue))
    }
}

/// Pixels.
struct Picture: Equatable, Sendable {
    let width: Int
    let height: Int
    /// The pixels, row by row.
    private(set) var pixels: [RGB]

    init(width: Int, height: Int, color: RGB) {
        (self.width, self.height) = (width, height)
        pixels = Array(repeating: color, count: width * height)
    }

    subscript(x: Int, y: Int) -> RGB {
        get { pixels[y * width + x] }
        set {
            // Pixels beyond the edge are dropped.
            guard (0..<width).contains(x), (0..<height).contains(y) else { return }
            pixels[y * width + x] = newValue
        }
    }

    /// Draws another picture into this one.
    mutating func place(_ other: Picture, x: Int, y: Int) {
        for row in 0..<other.height {
            for column in 0..<other.width { self[x + column, y + row] = other[column, row] }
        }
    }
}
