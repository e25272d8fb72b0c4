/// The columns and rows of a picture.
package struct PictureSize: Hashable, Codable, Sendable {
    package var width: Int
    package var height: Int

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// The number of points.
    package var pointCount: Int { width * height }
}
