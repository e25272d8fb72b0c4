/// How two pictures are shown in one.
package enum Comparison: Hashable, Sendable {
    /// The cross-fade `(1 − t)·before + t·after`; t in hundredths, 0…100.
    case fade(Int)
    /// The left part is after, the rest before; the border in hundredths of the width.
    case wipe(Int)
    /// Both, one beside the other.
    case sideBySide
    /// The one before at one half over the one after.
    case ghost

    /// The positions of the slider.
    package static let positions = 0...100

    /// The picture of two of one size.
    ///
    /// At 0 a fade is the one before and at 100 the one after, bit by bit.
    ///
    /// - Precondition: Both have the same size.
    package func picture(before: Raster, after: Raster) -> Raster {
        precondition(before.size == after.size, "\(before.size) and \(after.size)")
        switch self {
        case .fade(let position): return Self.blend(before, after, position.clamped(to: Self.positions))
        case .ghost: return Self.blend(before, after, 50)
        case .wipe(let position):
            let border = before.size.width * position.clamped(to: Self.positions) / 100
            var result = before
            for row in 0..<before.size.height {
                let first = row * before.size.width * 3
                result.bytes.replaceSubrange(first..<first + border * 3, with: after.bytes[first..<first + border * 3])
            }
            return result
        case .sideBySide:
            let half = PictureSize(width: max(1, before.size.width / 2), height: before.size.height)
            let (left, right) = (before.shrunk(to: half), after.shrunk(to: half))
            var bytes: [UInt8] = []
            bytes.reserveCapacity(half.pointCount * 6)
            for row in 0..<half.height {
                let part = row * half.width * 3..<(row + 1) * half.width * 3
                bytes += left.bytes[part] + right.bytes[part]
            }
            return Raster(size: PictureSize(width: half.width * 2, height: half.height), bytes: bytes)
        }
    }

    private static func blend(_ before: Raster, _ after: Raster, _ position: Int) -> Raster {
        var result = before
        for index in result.bytes.indices {
            let sum = Int(before.bytes[index]) * (100 - position) + Int(after.bytes[index]) * position
            result.bytes[index] = UInt8((sum + 50) / 100)
        }
        return result
    }
}

extension Comparable {
    /// The value, or the nearer end of a range.
    package func clamped(to range: ClosedRange<Self>) -> Self { min(max(self, range.lowerBound), range.upperBound) }
}
