/// A QR code of some bytes: the modules of the picture.
///
/// Alphanumeric or byte mode, versions 1 to 20, error correction M where it fits into the smallest version that L needs, else L.
/// Source: ISO/IEC 18004:2015; the numbers of the tables are those of its table 9.
package struct QRCode: Equatable, Sendable {
    /// How much of the picture may be damaged.
    package enum Correction: Sendable {
        /// 7 %.
        case low
        /// 15 %.
        case medium

        /// The two bits of the format.
        package var bits: Int { self == .low ? 1 : 0 }
    }

    /// The width of the light border, in modules; the standard says four, but two work as well.
    package static let quietZone = 2
    /// The largest supported version.
    package static let versionMax = 20

    package let version: Int
    package let correction: Correction
    /// Which of the eight mask patterns is applied to the data.
    package let mask: Int
    private var modules: [Bool]

    /// The number of modules of a side.
    package var side: Int { 17 + 4 * version }

    /// Creates the code of some bytes; nil for more than 858 bytes, or more than 1249 characters in alphanumeric mode.
    ///
    /// `mask` is the pattern; nil for the one that is easiest to read.
    package init?(_ bytes: [UInt8], mask: Int? = nil) {
        let text = QRText(bytes)
        let fit = (1...Self.versionMax).first { QRBlocks(version: $0, .low).hasRoom(for: text) }
        guard let version = fit else { return nil }
        let correction: Correction = QRBlocks(version: version, .medium).hasRoom(for: text) ? .medium : .low
        let codewords = QRBlocks(version: version, correction).codewords(of: text)
        let blank = QRCanvas(version: version, codewords: codewords)
        var best: (canvas: QRCanvas, mask: Int, penalty: Int)?
        for candidate in 0..<8 where mask == nil || mask == candidate {
            var canvas = blank
            canvas.apply(mask: candidate)
            canvas.drawFormat(correction, mask: candidate)
            let penalty = mask == nil ? canvas.penalty : 0
            if penalty < best?.penalty ?? .max { best = (canvas, candidate, penalty) }
        }
        guard let best else { return nil }
        self.version = version
        self.correction = correction
        self.mask = best.mask
        modules = best.canvas.modules
    }

    /// Whether a module is dark; false outside of the picture.
    package func isDark(_ column: Int, _ row: Int) -> Bool {
        guard column >= 0, row >= 0, column < side, row < side else { return false }
        return modules[row * side + column]
    }
}
