/// A point of a picture, in its columns and rows.
package struct PicturePoint: Hashable, Codable, Sendable {
    package var x: Double
    package var y: Double

    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
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
    package init(_ from: (PicturePoint, PicturePoint), onto to: (PicturePoint, PicturePoint)) {
        let (px, py) = (from.1.x - from.0.x, from.1.y - from.0.y)
        let (qx, qy) = (to.1.x - to.0.x, to.1.y - to.0.y)
        let square = px * px + py * py
        a = (px * qx + py * qy) / square
        b = (px * qy - py * qx) / square
        x = to.0.x - a * from.0.x + b * from.0.y
        y = to.0.y - b * from.0.x - a * from.0.y
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
