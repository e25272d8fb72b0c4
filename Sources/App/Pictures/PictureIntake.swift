import CTurboJPEG
import Crypto
package import Text

/// A picture that may be kept: upright, whole, and without anything that is not the picture.
package struct CleanPicture: Sendable {
    /// The JPEG.
    package let bytes: [UInt8]
    /// Its columns and rows.
    package let size: PictureSize
    /// Its SHA-256 in hexadecimal digits.
    package let hash: String
    /// When it was taken, as the picture said; nil if it said nothing.
    package let taken: String?
}

/// Takes in pictures that are not trusted.
package enum PictureIntake {
    /// Lets the memory of a picture go back to the system when it is done; once in a process, at its start.
    package static func returnLargeBlocks() { return_large_blocks() }

    /// The quality with which a picture is written that had to be turned, or whose colours had to be changed.
    private static let quality = 95
    private static let longSideMax = 4096
    /// The bytes that a picture takes while it is decoded whole.
    private static let byteCountMax = 90_000_000

    /// Checks a picture, and cleans it.
    ///
    /// The header is read first. Then all of it is decoded, shrunk to an eighth, so that what is cut off or damaged is found.
    /// What is upright keeps its points bit by bit; what is not, and what hides bytes between its points, is turned and written
    /// anew, 4096 points long at most.
    ///
    /// - Throws: ``BilingualProblem`` with what is wrong; nothing is kept.
    package static func take(_ bytes: [UInt8]) throws(BilingualProblem) -> CleanPicture {
        let scan = try JPEGScan(bytes)
        let hasOtherBytes = try JPEGCodec.decodeAll(scan.isRGB ? bytes : scan.cleaned, eighths: 1).hasOtherBytes
        if scan.exif.orientation == 1, !scan.isRGB, !hasOtherBytes {
            return picture(scan.cleaned, scan.size, scan.exif)
        }
        // The colours are those that the removed segment names, so this one reads the original.
        let raster = try JPEGCodec.decode(scan.isRGB ? bytes : scan.cleaned, eighths: eighths(scan))
        let upright = raster.upright(from: scan.exif.orientation)
        let clean = try JPEGScan(try JPEGCodec.encode(upright, quality: quality)).cleaned
        return picture(clean, upright.size, scan.exif)
    }

    private static func picture(_ bytes: [UInt8], _ size: PictureSize, _ exif: ExifFacts) -> CleanPicture {
        CleanPicture(bytes: bytes, size: size, hash: hash(bytes), taken: exif.taken)
    }

    /// The SHA-256 of a picture, in hexadecimal digits.
    package static func hash(_ bytes: [UInt8]) -> String { Hexadecimal.text(SHA256.hash(data: bytes)) }

    /// The most eighths at which a picture is decoded whole: with what its reader needs, below ``byteCountMax`` of memory.
    private static func eighths(_ scan: JPEGScan) -> Int {
        let pointCountMax = min(JPEGCodec.rasterPointCountMax, (byteCountMax - scan.coefficientByteCount) / 3)
        return (1...8).last { eighths in
            let shrunk = scan.size.shrunk(toEighths: eighths)
            return shrunk.pointCount <= pointCountMax && max(shrunk.width, shrunk.height) <= longSideMax
        } ?? 1
    }
}
