/// A point of a picture, in its columns and rows.
package struct PicturePoint: Hashable, Codable, Sendable {
    package var x: Double
    package var y: Double

    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// The eyes of a face as a person set them (IMT37); `left` is the one on the left side of the picture.
package struct EyePoints: Hashable, Codable, Sendable {
    package var left: PicturePoint
    package var right: PicturePoint

    /// Takes two points without a check.
    package init(left: PicturePoint, right: PicturePoint) {
        self.left = left
        self.right = right
    }

    /// Checks two points of a picture.
    ///
    /// - Throws: ``ImtProblem`` if one is outside of it, or they are nearer than a hundredth of its width.
    package init(left: PicturePoint, right: PicturePoint, in size: PictureSize) throws(ImtProblem) {
        for point in [left, right] {
            guard (0...Double(size.width)).contains(point.x), (0...Double(size.height)).contains(point.y) else {
                throw ImtProblem(
                    .unfit,
                    "the point \(point.x), \(point.y) is outside of the picture of \(size.width)×\(size.height): set it on "
                        + "an eye",
                    "le point \(point.x), \(point.y) est hors de la photo de \(size.width)×\(size.height) : placez-le sur "
                        + "un œil")
            }
        }
        let (dx, dy) = (right.x - left.x, right.y - left.y)
        guard (dx * dx + dy * dy).squareRoot() >= Double(size.width) / 100 else {
            throw ImtProblem(
                .unfit, "the two points are on the same place: set one on each eye",
                "les deux points sont au même endroit : placez-en un sur chaque œil")
        }
        // A picture may be upside down, but the order of the points follows the picture.
        self.left = left.x <= right.x ? left : right
        self.right = left.x <= right.x ? right : left
    }
}

/// A turn, a scale and a shift: x′ = a·x − b·y + x₀, y′ = b·x + a·y + y₀.
package struct Similarity: Hashable, Codable, Sendable {
    package var a: Double
    package var b: Double
    package var x: Double
    package var y: Double

    package init(a: Double, b: Double, x: Double, y: Double) {
        self.a = a
        self.b = b
        self.x = x
        self.y = y
    }

    /// The similarity that brings two points onto two others.
    package init(_ from: EyePoints, onto to: EyePoints) {
        let (px, py) = (from.right.x - from.left.x, from.right.y - from.left.y)
        let (qx, qy) = (to.right.x - to.left.x, to.right.y - to.left.y)
        let square = px * px + py * py
        a = (px * qx + py * qy) / square
        b = (px * qy - py * qx) / square
        x = to.left.x - a * from.left.x + b * from.left.y
        y = to.left.y - b * from.left.x - a * from.left.y
    }

    /// The similarity that fills a frame with the middle of a picture.
    package init(filling frame: PictureSize, with size: PictureSize) {
        a = max(Double(frame.width) / Double(size.width), Double(frame.height) / Double(size.height))
        b = 0
        x = (Double(frame.width) - a * Double(size.width)) / 2
        y = (Double(frame.height) - a * Double(size.height)) / 2
    }

    /// The place of a point.
    package func callAsFunction(_ point: PicturePoint) -> PicturePoint {
        PicturePoint(x: a * point.x - b * point.y + x, y: b * point.x + a * point.y + y)
    }

    /// The similarity that undoes this one.
    package var inverse: Similarity {
        let square = a * a + b * b
        let (c, d) = (a / square, -b / square)
        return Similarity(a: c, b: d, x: -(c * x - d * y), y: -(d * x + c * y))
    }
}

/// The frame in which pairs are compared, on watches and on the page.
package enum CompareFrame {
    /// Its columns and rows.
    package static let size = PictureSize(width: 480, height: 600)
    /// Where eyes come that were set.
    package static let eyes = EyePoints(left: PicturePoint(x: 168, y: 250), right: PicturePoint(x: 312, y: 250))

    /// How a photo comes into the frame: by its eyes, or by its middle.
    ///
    /// - Parameters:
    ///   - photo: The photo.
    ///   - isAligned: Whether all photos that it is compared with have eye points, too.
    /// - Returns: The similarity from the photo's points to those of the frame.
    package static func place(of photo: Photo, isAligned: Bool) -> Similarity {
        guard isAligned, let found = photo.eyes else { return Similarity(filling: size, with: photo.size) }
        return Similarity(found, onto: eyes)
    }

    /// Whether photos are compared by their eyes: all of them have the points.
    package static func aligns(_ photos: [Photo]) -> Bool { photos.allSatisfy { $0.eyes != nil } }
}
