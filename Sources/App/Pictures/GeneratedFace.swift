package import Text

/// A face that is drawn from numbers, of no person: for the demo and for tests.
package struct GeneratedFace: Sendable {
    /// Which face.
    private let seed: UInt64
    /// How far its change has gone, 0…1.
    private let progress: Double

    /// Describes a face.
    ///
    /// - Parameters:
    ///   - seed: Which face.
    ///   - progress: How far its change has gone, 0…1: the skin becomes even, and the mouth smiles.
    package init(seed: UInt64, progress: Double) {
        self.seed = seed
        self.progress = progress
    }

    private typealias Ink = (Double, Double, Double)

    /// Where the eyes are in a picture.
    package func eyePlaces(in size: PictureSize) -> (left: PicturePoint, right: PicturePoint) {
        let (width, height) = (Double(size.width), Double(size.height))
        return (PicturePoint(x: width * 0.37, y: height * 0.42), PicturePoint(x: width * 0.63, y: height * 0.42))
    }

    /// Draws it.
    package func raster(_ size: PictureSize) -> Raster {
        var generator = SplitMix64(seed: seed)
        let tone = Double.random(in: 0.55...1, using: &generator)
        let hue = Double.random(in: 0...1, using: &generator)
        let skin: Ink = (235 * tone, 190 * tone, 160 * tone)
        let hair: Ink = (60 + 120 * hue, 45 + 60 * hue, 35)
        let wall: Ink = (120 + 60 * hue, 140, 180 - 60 * hue)
        let spots = (0..<14).map { _ in
            (Double.random(in: 0.32...0.68, using: &generator), Double.random(in: 0.3...0.72, using: &generator))
        }
        var raster = Raster(size: size)
        for row in 0..<size.height {
            for column in 0..<size.width {
                let x = (Double(column) + 0.5) / Double(size.width)
                let y = (Double(row) + 0.5) / Double(size.height)
                let ink = point(x, y, skin, hair, wall, spots)
                let place = (row * size.width + column) * 3
                // A little noise, as cameras have; it makes each picture another one.
                let noise = Double(generator.next() % 7) - 3
                raster.bytes[place] = UInt8((ink.0 + noise).clamped(to: 0...255))
                raster.bytes[place + 1] = UInt8((ink.1 + noise).clamped(to: 0...255))
                raster.bytes[place + 2] = UInt8((ink.2 + noise).clamped(to: 0...255))
            }
        }
        return raster
    }

    private func point(
        _ x: Double, _ y: Double, _ skin: Ink, _ hair: Ink, _ wall: Ink, _ spots: [(Double, Double)]
    ) -> Ink {
        func isIn(_ cx: Double, _ cy: Double, _ rx: Double, _ ry: Double) -> Bool {
            let (dx, dy) = ((x - cx) / rx, (y - cy) / ry)
            return dx * dx + dy * dy <= 1
        }
        for eye in [0.37, 0.63] {
            if isIn(eye, 0.42, 0.014, 0.014) { return (20, 20, 25) }
            if isIn(eye, 0.42, 0.05, 0.022) { return (245, 245, 245) }
            if isIn(eye, 0.36, 0.06, 0.008) { return hair }
        }
        let smile = 0.70 + 0.035 * progress * (1 - ((x - 0.5) / 0.12) * ((x - 0.5) / 0.12))
        if abs(x - 0.5) < 0.12, abs(y - smile) < 0.014 { return (170, 60, 70) }
        if isIn(0.5, 0.55, 0.03, 0.05) { return (skin.0 * 0.88, skin.1 * 0.86, skin.2 * 0.86) }
        if isIn(0.5, 0.52, 0.27, 0.34) {
            if spots.contains(where: { isIn($0.0, $0.1, 0.018, 0.014) }) {
                let left = 1 - progress * 0.9
                return (skin.0 - 20 * left, skin.1 - 70 * left, skin.2 - 70 * left)
            }
            let shade = 1 - 0.25 * abs(x - 0.5) / 0.27
            return (skin.0 * shade, skin.1 * shade, skin.2 * shade)
        }
        return isIn(0.5, 0.42, 0.33, 0.36) ? hair : wall
    }

    /// Draws it as a JPEG.
    ///
    /// - Throws: ``BilingualProblem`` if there is no memory for it.
    package func jpeg(_ size: PictureSize) throws(BilingualProblem) -> [UInt8] {
        try JPEGCodec.encode(raster(size), quality: 90)
    }
}
