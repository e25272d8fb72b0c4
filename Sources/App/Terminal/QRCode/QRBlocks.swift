/// Divides the bytes of a QR code into blocks and adds error correction.
struct QRBlocks: Sendable {
    private let version: Int
    private let correctionCount: Int
    private let blockCount: Int

    init(version: Int, _ correction: QRCode.Correction) {
        self.version = version
        switch correction {
        case .low:
            correctionCount = Self.lowCorrection[version - 1]
            blockCount = Self.lowBlocks[version - 1]
        case .medium:
            correctionCount = Self.mediumCorrection[version - 1]
            blockCount = Self.mediumBlocks[version - 1]
        }
    }

    /// The codewords of error correction in each block, from version 1 on.
    private static let lowCorrection = [7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28]
    private static let mediumCorrection = [
        10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26,
    ]
    /// The blocks, from version 1 on.
    private static let lowBlocks = [1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8]
    private static let mediumBlocks = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16]

    /// The codewords of a version, data and error correction together.
    private var codewordCount: Int {
        var modules = (16 * version + 128) * version + 64
        if version >= 2 {
            let alignments = version / 7 + 2
            modules -= (25 * alignments - 10) * alignments - 55
            if version >= 7 { modules -= 36 }
        }
        return modules / 8
    }

    private var dataCount: Int { codewordCount - correctionCount * blockCount }

    /// Whether a text fits.
    func hasRoom(for text: QRText) -> Bool { text.bitCount(version: version) <= 8 * dataCount }

    /// The codewords in the order in which they are drawn.
    func codewords(of text: QRText) -> [UInt8] {
        let data = padded(text)
        let shortLength = codewordCount / blockCount
        let longCount = codewordCount % blockCount
        let divisor = ReedSolomon.divisor(degree: correctionCount)
        var blocks: [(data: ArraySlice<UInt8>, correction: [UInt8])] = []
        var start = 0
        for index in 0..<blockCount {
            let isLong = index >= blockCount - longCount
            let length = shortLength - correctionCount + (isLong ? 1 : 0)
            let part = data[start..<start + length]
            start += length
            blocks.append((part, ReedSolomon.remainder(of: part, by: divisor)))
        }
        var result: [UInt8] = []
        for offset in 0...(shortLength - correctionCount) {
            for block in blocks where offset < block.data.count {
                result.append(block.data[block.data.startIndex + offset])
            }
        }
        for offset in 0..<correctionCount {
            for block in blocks { result.append(block.correction[offset]) }
        }
        return result
    }

    /// The text, the terminator and the padding.
    private func padded(_ text: QRText) -> [UInt8] {
        var bits = text.bits(version: version)
        bits += Array(repeating: false, count: min(4, 8 * dataCount - bits.count))
        bits += Array(repeating: false, count: (8 - bits.count % 8) % 8)
        var data = stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
        }
        var filler: UInt8 = 0xEC
        while data.count < dataCount {
            data.append(filler)
            filler = filler == 0xEC ? 0x11 : 0xEC
        }
        return data
    }
}

/// The Reed–Solomon code over the field of 256 elements with the polynomial x⁸ + x⁴ + x³ + x² + 1.
enum ReedSolomon {
    /// The coefficients of the generator, from the second highest power down.
    static func divisor(degree: Int) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: degree)
        result[degree - 1] = 1
        var root: UInt8 = 1
        for _ in 0..<degree {
            for index in 0..<degree {
                result[index] = multiply(result[index], root)
                if index + 1 < degree { result[index] ^= result[index + 1] }
            }
            root = multiply(root, 2)
        }
        return result
    }

    static func remainder(of data: ArraySlice<UInt8>, by divisor: [UInt8]) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: divisor.count)
        for byte in data {
            let factor = byte ^ result.removeFirst()
            result.append(0)
            for index in result.indices { result[index] ^= multiply(divisor[index], factor) }
        }
        return result
    }

    static func multiply(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var product = 0
        for shift in stride(from: 7, through: 0, by: -1) {
            product = product << 1 ^ (product >> 7) * 0x11D
            product ^= Int(right >> UInt8(shift) & 1) * Int(left)
        }
        return UInt8(truncatingIfNeeded: product)
    }
}
