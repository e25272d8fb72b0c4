package import Text

/// Copies of a picture for those who look: in a frame, and as a thumb.
package enum Rendition {
    /// The most bytes of a copy for a watch.
    package static let byteCountMax = 120 * 1024
    /// The size of a thumb.
    package static let thumbSize = PictureSize(width: 64, height: 64)
    /// What is shown beside the edges of a picture.
    private static let outside: UInt8 = 32

    /// The copy of a picture in a frame.
    ///
    /// - Parameters:
    ///   - picture: The JPEG as it is kept.
    ///   - size: Its columns and rows.
    ///   - place: How it comes into the frame.
    ///   - frame: The columns and rows of the copy.
    /// - Returns: A JPEG of at most ``byteCountMax`` bytes.
    /// - Throws: ``BilingualProblem`` if the picture cannot be read.
    package static func make(
        of picture: [UInt8], _ size: PictureSize, at place: Similarity, in frame: PictureSize
    ) throws(BilingualProblem) -> [UInt8] {
        let raster = try drawn(picture, size, at: place, in: frame)
        for quality in stride(from: 88, through: 28, by: -12) {
            let bytes = try JPEGScan(try JPEGCodec.encode(raster, quality: quality)).cleaned
            if bytes.count <= byteCountMax { return bytes }
        }
        return try JPEGScan(try JPEGCodec.encode(raster, quality: 10)).cleaned
    }

    /// The points of a picture in a frame.
    private static func drawn(
        _ picture: [UInt8], _ size: PictureSize, at place: Similarity, in frame: PictureSize
    ) throws(BilingualProblem) -> Raster {
        let scale = (place.a * place.a + place.b * place.b).squareRoot()
        var eighths = min(8, max(1, Int((scale * 8).rounded(.up))))
        while eighths > 1, size.shrunk(toEighths: eighths).pointCount > JPEGCodec.rasterPointCountMax { eighths -= 1 }
        let source = try JPEGCodec.decode(picture, eighths: eighths)
        let (across, down) = (
            Double(source.size.width) / Double(size.width), Double(source.size.height) / Double(size.height)
        )
        let back = place.inverse
        var result = Raster(size: frame, gray: outside)
        for row in 0..<frame.height {
            for column in 0..<frame.width {
                let point = back(PicturePoint(x: Double(column) + 0.5, y: Double(row) + 0.5))
                source.sample(point.x * across - 0.5, point.y * down - 0.5, into: &result, column, row)
            }
        }
        return result
    }
}

extension Raster {
    /// Sets a point to what is between four points of this picture; leaves it if that is outside.
    fileprivate func sample(_ x: Double, _ y: Double, into other: inout Raster, _ column: Int, _ row: Int) {
        guard x > -1, y > -1, x < Double(size.width), y < Double(size.height) else { return }
        let (left, top) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
        let (fx, fy) = (x - Double(left), y - Double(top))
        let (x0, x1) = (max(0, left), min(size.width - 1, left + 1))
        let (y0, y1) = (max(0, top), min(size.height - 1, top + 1))
        for part in 0..<3 {
            func value(_ x: Int, _ y: Int) -> Double { Double(bytes[(y * size.width + x) * 3 + part]) }
            let upper = value(x0, y0) * (1 - fx) + value(x1, y0) * fx
            let lower = value(x0, y1) * (1 - fx) + value(x1, y1) * fx
            other.bytes[(row * other.size.width + column) * 3 + part] = UInt8((upper * (1 - fy) + lower * fy).rounded())
        }
    }
}
