package import Text

/// What the markers of a JPEG say, and the picture without everything that is not the picture.
///
/// Source: ITU-T T.81, annex B; the segments of applications are in B.2.4.6, the frame header in B.2.2.
package struct JPEGScan: Sendable {
    /// The most bytes of a picture.
    package static let byteCountMax = 16 * 1024 * 1024
    /// The most points.
    package static let pointCountMax = 64_000_000
    /// The most bytes of memory for a picture that can only be read as a whole, such as a progressive one.
    package static let coefficientByteCountMax = 64 * 1024 * 1024
    /// The most bytes of such a picture together: its memory, its file, and the file without what is removed.
    private static let wholeByteCountMax = 80_000_000
    /// The most scans of a picture; each makes the reader go through all points.
    package static let scanCountMax = 100

    /// The columns and rows as they are stored, before the orientation.
    package let size: PictureSize
    /// What the Exif part says.
    package let exif: ExifFacts
    /// Whether the colours are red, green and blue instead of the usual luminance and two chrominances.
    package let isRGB: Bool
    /// The bytes of memory that reading it takes as a whole, beside its points; 0 for one that is read row by row.
    package let coefficientByteCount: Int
    /// The picture: without segments of applications, without comments, and without what follows its end.
    package let cleaned: [UInt8]

    /// The most bytes of memory for a picture that can only be read as a whole, by the size of its file.
    fileprivate static func coefficientByteCountMax(forFileOf byteCount: Int) -> Int {
        min(coefficientByteCountMax, wholeByteCountMax - 2 * byteCount)
    }

    /// The beginnings of files that people take for JPEG.
    private static let others: [(beginning: [UInt8], offset: Int, name: String)] = [
        ([0x89, 0x50, 0x4E, 0x47], 0, "PNG"), ([0x47, 0x49, 0x46, 0x38], 0, "GIF"), ([0x42, 0x4D], 0, "BMP"),
        ([0x57, 0x45, 0x42, 0x50], 8, "WebP"), (Array("ftypavi".utf8), 4, "AVIF"), (Array("ftyphe".utf8), 4, "HEIC"),
        (Array("ftypmif1".utf8), 4, "HEIC"), (Array("ftyp".utf8), 4, "MP4"),
        ([0x25, 0x50, 0x44, 0x46], 0, "PDF"),
        ([0x49, 0x49, 0x2A, 0x00], 0, "TIFF"), ([0x4D, 0x4D, 0x00, 0x2A], 0, "TIFF"),
    ]

    /// Walks through the markers.
    ///
    /// - Throws: ``BilingualProblem`` with what is wrong, at which byte.
    package init(_ bytes: [UInt8]) throws(BilingualProblem) {
        guard bytes.count <= Self.byteCountMax else {
            throw BilingualProblem(
                .tooLarge, "the picture has \(bytes.count) bytes, at most \(Self.byteCountMax): save it smaller",
                "la photo a \(bytes.count) octets, \(Self.byteCountMax) au plus : enregistrez-la plus petite")
        }
        guard !bytes.isEmpty else {
            throw BilingualProblem(
                .unfit, "the picture has no bytes: choose another file",
                "la photo est vide : choisissez un autre fichier")
        }
        guard bytes.starts(with: [0xFF, 0xD8]) else { throw Self.foreign(bytes) }
        var walk = Walk(bytes)
        try walk.run()
        guard let frame = walk.frame else {
            throw BilingualProblem(
                .unfit, "the JPEG has no frame, so no picture: choose another file",
                "ce JPEG n'a pas d'image : choisissez un autre fichier")
        }
        size = frame.size
        exif = walk.exif
        isRGB = frame.componentIDs.count == 3 && walk.adobeTransform == 0
        coefficientByteCount = walk.isWhole ? frame.coefficientByteCount : 0
        cleaned = walk.kept
    }

    private static func foreign(_ bytes: [UInt8]) -> BilingualProblem {
        if let other = others.first(where: { bytes.dropFirst($0.offset).starts(with: $0.beginning) }) {
            return BilingualProblem(
                .unfit,
                "this is a \(other.name) file, whatever its name says: choose it with the page's gallery button, which converts "
                    + "it, or save it as JPEG",
                "c'est un fichier \(other.name), quel que soit son nom : choisissez-le avec le bouton galerie de la page, qui "
                    + "le convertit, ou enregistrez-le en JPEG")
        }
        let beginning = bytes.prefix(4).map { Hexadecimal.text([$0]) }.joined(separator: " ")
        return BilingualProblem(
            .unfit, "this is no picture: it begins with \(beginning) instead of ff d8; choose another file",
            "ce n'est pas une photo : elle commence par \(beginning) au lieu de ff d8 ; choisissez un autre fichier")
    }
}

/// The frame header of a JPEG.
private struct JPEGFrame {
    var size: PictureSize
    var componentIDs: [UInt8]
    var isProgressive: Bool
    /// The bytes that a reader needs which keeps the whole picture.
    var coefficientByteCount: Int
}

/// The walk from marker to marker.
private struct Walk {
    private let bytes: [UInt8]
    private var place = 2
    private var scanCount = 0
    var frame: JPEGFrame?
    var exif = ExifFacts()
    var adobeTransform: UInt8?
    var kept: [UInt8] = [0xFF, 0xD8]
    /// Whether it can only be read as a whole.
    var isWhole = false

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        kept.reserveCapacity(bytes.count)
    }

    private func cut(_ what: String, _ french: String) -> BilingualProblem {
        BilingualProblem(
            .unfit, "the picture is cut off: it ends at byte \(bytes.count) \(what); copy it again",
            "la photo est coupée : elle finit à l'octet \(bytes.count) \(french) ; copiez-la encore")
    }

    private var endless: BilingualProblem { cut("without the end of the image", "sans la fin de l'image") }

    mutating func run() throws(BilingualProblem) {
        while true {
            guard place + 1 < bytes.count else { throw endless }
            guard bytes[place] == 0xFF else { throw garbage() }
            let marker = bytes[place + 1]
            switch marker {
            case 0xFF: place += 1
            case 0xD9:
                guard scanCount > 0 else { throw endless }
                kept += [0xFF, 0xD9]
                return
            case 0x01, 0xD0...0xD8: throw garbage()
            default: try segment(marker)
            }
        }
    }

    private func garbage() -> BilingualProblem {
        BilingualProblem(
            .unfit, "the picture is damaged at byte \(place): no marker is there; copy it again",
            "la photo est abîmée à l'octet \(place) : pas de marqueur ; copiez-la encore")
    }

    private mutating func segment(_ marker: UInt8) throws(BilingualProblem) {
        guard place + 3 < bytes.count else { throw endless }
        let length = Int(bytes[place + 2]) << 8 | Int(bytes[place + 3])
        guard length >= 2 else { throw garbage() }
        let end = place + 2 + length
        guard end <= bytes.count else {
            throw cut("within a segment of \(length) bytes", "dans un segment de \(length) octets")
        }
        let content = bytes[place + 4..<end]
        switch marker {
        case 0xE0...0xEF, 0xFE:
            if marker == 0xE1, content.starts(with: Array("Exif\0\0".utf8)), exif == ExifFacts() {
                exif = ExifFacts(content.dropFirst(6))
            }
            if marker == 0xEE, content.count >= 12, content.starts(with: Array("Adobe".utf8)) {
                adobeTransform = content[content.startIndex + 11]
            }
        case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
            try read(marker, content)
            kept += bytes[place..<end]
        // Tables, the restart interval and the scan are the picture; what else there may be, readers pass over.
        case 0xC4, 0xCC, 0xDA, 0xDB, 0xDD: kept += bytes[place..<end]
        default: break
        }
        place = end
        if marker == 0xDA { try scan(content) }
    }

    private mutating func read(_ marker: UInt8, _ content: ArraySlice<UInt8>) throws(BilingualProblem) {
        guard frame == nil else {
            throw BilingualProblem(
                .unfit, "the JPEG has a second frame at byte \(place), which no camera writes: save it again",
                "ce JPEG a une deuxième image à l'octet \(place) : enregistrez-le encore")
        }
        guard (0xC0...0xC2).contains(marker) else {
            throw BilingualProblem(
                .unfit, "the picture is a JPEG of the rare kind SOF\(marker - 0xC0): save it as an ordinary JPEG",
                "la photo est un JPEG rare, SOF\(marker - 0xC0) : enregistrez-la en JPEG ordinaire")
        }
        let fields = Array(content)
        guard fields.count >= 6, fields.count == 6 + 3 * Int(fields[5]) else { throw garbage() }
        guard fields[0] == 8 else {
            throw BilingualProblem(
                .unfit, "the picture has \(fields[0]) bits a colour, expected 8: save it as an ordinary JPEG",
                "la photo a \(fields[0]) bits par couleur au lieu de 8 : enregistrez-la en JPEG ordinaire")
        }
        let size = PictureSize(
            width: Int(fields[3]) << 8 | Int(fields[4]), height: Int(fields[1]) << 8 | Int(fields[2]))
        guard size.width > 0, size.height > 0 else {
            throw BilingualProblem(
                .unfit, "the picture says to have \(size.width)×\(size.height) points: save it again",
                "la photo dit avoir \(size.width)×\(size.height) points : enregistrez-la encore")
        }
        guard size.pointCount <= JPEGScan.pointCountMax else {
            throw BilingualProblem(
                .unfit,
                "the picture has \(size.width)×\(size.height) points, at most \(JPEGScan.pointCountMax / 1_000_000) million: "
                    + "save it smaller",
                "la photo a \(size.width)×\(size.height) points, \(JPEGScan.pointCountMax / 1_000_000) millions au plus : "
                    + "enregistrez-la plus petite")
        }
        let count = Int(fields[5])
        guard count == 1 || count == 3 else {
            throw BilingualProblem(
                .unfit, "the picture has \(count) inks as for a press (CMYK): save it as RGB",
                "la photo a \(count) encres comme pour l'imprimerie (CMJN) : enregistrez-la en RVB")
        }
        let factors = (0..<count).map { (Int(fields[7 + 3 * $0] >> 4), Int(fields[7 + 3 * $0] & 15)) }
        guard factors.allSatisfy({ (1...4).contains($0.0) && (1...4).contains($0.1) }) else { throw garbage() }
        let (widest, highest) = (factors.map(\.0).max() ?? 1, factors.map(\.1).max() ?? 1)
        let byteCount = factors.map { factor in
            let columns = (size.width * factor.0 / widest + 15) / 8
            let rows = (size.height * factor.1 / highest + 15) / 8
            return columns * rows * 128
        }.reduce(0, +)
        frame = JPEGFrame(
            size: size, componentIDs: (0..<count).map { fields[6 + 3 * $0] }, isProgressive: marker == 0xC2,
            coefficientByteCount: byteCount)
    }

    /// The bytes of a scan, up to the next marker.
    private mutating func scan(_ header: ArraySlice<UInt8>) throws(BilingualProblem) {
        guard let frame else { throw garbage() }
        scanCount += 1
        guard scanCount <= JPEGScan.scanCountMax else {
            throw BilingualProblem(
                .unfit, "the picture has more than \(JPEGScan.scanCountMax) scans: save it as an ordinary JPEG",
                "la photo a plus de \(JPEGScan.scanCountMax) passages : enregistrez-la en JPEG ordinaire")
        }
        isWhole = isWhole || frame.isProgressive || Int(header.first ?? 0) < frame.componentIDs.count
        let limit = JPEGScan.coefficientByteCountMax(forFileOf: bytes.count)
        guard !isWhole || frame.coefficientByteCount <= limit else {
            throw BilingualProblem(
                .unfit,
                "this progressive picture takes \(frame.coefficientByteCount / 1_000_000) MB to read, at most "
                    + "\(limit / 1_000_000): save it as baseline, or smaller",
                "cette photo progressive prend \(frame.coefficientByteCount / 1_000_000) Mo à lire, "
                    + "\(limit / 1_000_000) au plus : enregistrez-la sans progression, ou plus petite"
            )
        }
        let start = place
        while true {
            guard place + 1 < bytes.count else { throw endless }
            if bytes[place] == 0xFF, bytes[place + 1] != 0, !(0xD0...0xD7).contains(bytes[place + 1]) {
                // Fill bytes before a marker belong to neither.
                guard bytes[place + 1] == 0xFF else { break }
                place += 1
            } else {
                place += 1
            }
        }
        kept += bytes[start..<place]
    }
}
