/// A colour of 24 bits in the sRGB space.
public struct RGB: Hashable, Sendable {
    /// The red part, 0…255.
    public var red: UInt8
    /// The green part, 0…255.
    public var green: UInt8
    /// The blue part, 0…255.
    public var blue: UInt8

    /// Creates a colour from its parts.
    public init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Creates a colour from its hexadecimal form, such as `0x46C8F5`; bits above the lower 24 are ignored.
    public init(_ hexadecimal: UInt32) {
        red = UInt8(truncatingIfNeeded: hexadecimal >> 16)
        green = UInt8(truncatingIfNeeded: hexadecimal >> 8)
        blue = UInt8(truncatingIfNeeded: hexadecimal)
    }

    /// The colour that lies between this one (amount 0) and another one (amount 1).
    public func mixed(with other: RGB, amount: Double) -> RGB {
        func part(_ from: UInt8, _ to: UInt8) -> UInt8 {
            let value = Double(from) + (Double(to) - Double(from)) * min(1, max(0, amount))
            return UInt8(value.rounded())
        }
        return RGB(
            red: part(red, other.red), green: part(green, other.green), blue: part(blue, other.blue))
    }

    /// The closest entry of the xterm palette of 256 colours: 16…255.
    ///
    /// The first 16 entries are not used, because users change these colours.
    public var nearestPaletteIndex: UInt8 {
        let levels = [0, 95, 135, 175, 215, 255]
        func nearestLevel(_ part: UInt8) -> Int {
            part < 48 ? 0 : part < 115 ? 1 : (Int(part) - 35) / 40
        }
        func distance(_ r: Int, _ g: Int, _ b: Int) -> Int {
            let (dr, dg, db) = (r - Int(red), g - Int(green), b - Int(blue))
            return dr * dr + dg * dg + db * db
        }
        let (r, g, b) = (nearestLevel(red), nearestLevel(green), nearestLevel(blue))
        let average = (Int(red) + Int(green) + Int(blue)) / 3
        let greyStep = average > 238 ? 23 : max(0, (average - 3) / 10)
        let grey = 8 + 10 * greyStep
        if distance(grey, grey, grey) < distance(levels[r], levels[g], levels[b]) {
            return UInt8(232 + greyStep)
        }
        return UInt8(16 + 36 * r + 6 * g + b)
    }
}

/// A colour with its substitutes for terminals that have fewer colours.
public struct AdaptiveColor: Hashable, Sendable {
    /// The colour for 24-bit terminals, nil for the terminal's own.
    public var rgb: RGB?
    /// The hand-picked entry of the 256-colour palette, nil to take the nearest one.
    public var indexed: UInt8?
    /// The entry of the 16-colour palette, 0…15, nil for the terminal's own colour.
    public var ansi: UInt8?

    /// Creates an ink.
    public init(rgb: RGB?, indexed: UInt8? = nil, ansi: UInt8?) {
        self.rgb = rgb
        self.indexed = indexed
        self.ansi = ansi
    }

    /// The terminal's own foreground or background.
    public static let terminalDefault = AdaptiveColor(rgb: nil, ansi: nil)

    /// The entry of the 256-colour palette, nil for the terminal's own colour.
    public var paletteIndex: UInt8? { rgb.map { indexed ?? $0.nearestPaletteIndex } }

    /// The ink between this one (amount 0) and another one (amount 1).
    ///
    /// The 16-colour entry is that of the nearer ink; the 256-colour entry is the nearest one to the mixture.
    public func mixed(with other: AdaptiveColor, amount: Double) -> AdaptiveColor {
        guard let rgb, let otherRGB = other.rgb else { return amount < 0.5 ? self : other }
        return AdaptiveColor(rgb: rgb.mixed(with: otherRGB, amount: amount), ansi: amount < 0.5 ? ansi : other.ansi)
    }
}
