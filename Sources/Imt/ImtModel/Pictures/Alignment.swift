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

extension GeneratedFace {
    /// Where the eyes are in a picture.
    package func eyes(in size: PictureSize) -> EyePoints {
        let places = eyePlaces(in: size)
        return EyePoints(left: places.left, right: places.right)
    }
}

extension Similarity {
    /// The similarity that brings eyes onto others.
    package init(_ from: EyePoints, onto to: EyePoints) {
        self.init((from.left, from.right), onto: (to.left, to.right))
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
