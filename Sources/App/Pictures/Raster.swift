/// A picture as points: three bytes each, red, green, blue, from left to right and from top to bottom.
package struct Raster: Hashable, Sendable {
    /// The columns and rows.
    package let size: PictureSize
    /// The bytes.
    package var bytes: [UInt8]

    /// Takes bytes.
    /// - Precondition: There are three for each point.
    package init(size: PictureSize, bytes: [UInt8]) {
        precondition(bytes.count == size.pointCount * 3, "\(bytes.count) bytes for \(size)")
        self.size = size
        self.bytes = bytes
    }

    /// A picture of one colour.
    package init(size: PictureSize, gray: UInt8 = 0) {
        self.init(size: size, bytes: Array(repeating: gray, count: size.pointCount * 3))
    }

    /// The picture in another size; each point is the mean of those that it covers.
    package func shrunk(to other: PictureSize) -> Raster {
        var result = Raster(size: other)
        for row in 0..<other.height {
            let rows =
                row * size.height
                / other.height..<max((row + 1) * size.height / other.height, row * size.height / other.height + 1)
            for column in 0..<other.width {
                let first = column * size.width / other.width
                let columns = first..<max((column + 1) * size.width / other.width, first + 1)
                var sums = (0, 0, 0)
                for y in rows {
                    for x in columns {
                        let place = (y * size.width + x) * 3
                        sums.0 += Int(bytes[place])
                        sums.1 += Int(bytes[place + 1])
                        sums.2 += Int(bytes[place + 2])
                    }
                }
                let count = rows.count * columns.count
                let place = (row * other.width + column) * 3
                result.bytes[place] = UInt8((sums.0 + count / 2) / count)
                result.bytes[place + 1] = UInt8((sums.1 + count / 2) / count)
                result.bytes[place + 2] = UInt8((sums.2 + count / 2) / count)
            }
        }
        return result
    }
}

extension Raster {
    /// The picture as it must be seen, of one that was taken in another orientation.
    ///
    /// Source: CIPA DC-008, tag 0x0112: where row 0 and column 0 of what is stored are when it is seen.
    package func upright(from orientation: Int) -> Raster {
        guard (2...8).contains(orientation) else { return self }
        let isTurned = orientation >= 5
        let (width, height) = (size.width, size.height)
        var result = Raster(size: isTurned ? PictureSize(width: height, height: width) : size)
        for row in 0..<result.size.height {
            for column in 0..<result.size.width {
                let (x, y) =
                    switch orientation {
                    case 2: (width - 1 - column, row)
                    case 3: (width - 1 - column, height - 1 - row)
                    case 4: (column, height - 1 - row)
                    case 5: (row, column)
                    case 6: (row, height - 1 - column)
                    case 7: (width - 1 - row, height - 1 - column)
                    default: (width - 1 - row, column)
                    }
                let (from, to) = ((y * width + x) * 3, (row * result.size.width + column) * 3)
                for part in 0..<3 { result.bytes[to + part] = bytes[from + part] }
            }
        }
        return result
    }
}
