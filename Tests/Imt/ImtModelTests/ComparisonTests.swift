import ImtModel
import Primitives
import Testing

@Suite struct ComparisonTests {
    private static func noise(_ seed: UInt64, _ size: PictureSize) -> Raster {
        var generator = SplitMix64(seed: seed)
        return Raster(
            size: size, bytes: (0..<size.pointCount * 3).map { _ in UInt8(truncatingIfNeeded: generator.next()) })
    }

    @Test(arguments: 1...8) func `IMT18 IMT30 the cross-fade is exact at each of its 101 positions`(seed: UInt64) {
        let size = PictureSize(width: 13, height: 7)
        let (before, after) = (Self.noise(seed, size), Self.noise(seed + 100, size))
        #expect(Comparison.fade(0).picture(before: before, after: after) == before)
        #expect(Comparison.fade(100).picture(before: before, after: after) == after)
        for position in Comparison.positions {
            let t = Double(position) / 100
            let mixed = Comparison.fade(position).picture(before: before, after: after)
            for index in mixed.bytes.indices {
                let wanted = (1 - t) * Double(before.bytes[index]) + t * Double(after.bytes[index])
                #expect(abs(Double(mixed.bytes[index]) - wanted) <= 0.5 + 1e-9)
            }
        }
        #expect(Comparison.fade(-5).picture(before: before, after: after) == before)
        #expect(Comparison.fade(900).picture(before: before, after: after) == after)
    }

    @Test func `IMT13 IMT38 wipe, ghost and side by side show both photos`() {
        let size = PictureSize(width: 20, height: 4)
        let (dark, bright) = (Raster(size: size, gray: 10), Raster(size: size, gray: 200))
        #expect(Comparison.ghost.picture(before: dark, after: bright).bytes.allSatisfy { $0 == 105 })
        let wiped = Comparison.wipe(25).picture(before: dark, after: bright)
        #expect(wiped.bytes.count { $0 == 200 } == 5 * 4 * 3)
        #expect(wiped.bytes.prefix(15).allSatisfy { $0 == 200 })
        #expect(Comparison.wipe(0).picture(before: dark, after: bright) == dark)
        #expect(Comparison.wipe(100).picture(before: dark, after: bright) == bright)
        let both = Comparison.sideBySide.picture(before: dark, after: bright)
        #expect(both.size == size && both.bytes.prefix(30).allSatisfy { $0 == 10 })
    }

    @Test func `IMT37 two eye points make a similarity that brings eyes onto eyes`() throws {
        var generator = SplitMix64(seed: 7)
        for _ in 0..<200 {
            func point() -> PicturePoint {
                PicturePoint(
                    x: Double.random(in: 0...1000, using: &generator), y: Double.random(in: 0...1000, using: &generator)
                )
            }
            let size = PictureSize(width: 1000, height: 1000)
            guard let from = try? EyePoints(left: point(), right: point(), in: size) else { continue }
            let move = Similarity(from, onto: CompareFrame.eyes)
            for (eye, place) in [(from.left, CompareFrame.eyes.left), (from.right, CompareFrame.eyes.right)] {
                let found = move(eye)
                #expect(abs(found.x - place.x) < 1e-6 && abs(found.y - place.y) < 1e-6)
                let back = move.inverse(found)
                #expect(abs(back.x - eye.x) < 1e-6 && abs(back.y - eye.y) < 1e-6)
            }
        }
    }

    @Test func `IMT37 points outside of the picture or on one place are refused, and their order does not matter`()
        throws
    {
        let size = PictureSize(width: 400, height: 300)
        let (a, b) = (PicturePoint(x: 100, y: 90), PicturePoint(x: 200, y: 90))
        #expect(try EyePoints(left: b, right: a, in: size) == EyePoints(left: a, right: b, in: size))
        #expect(throws: ImtProblem.self) { try EyePoints(left: a, right: a, in: size) }
        for bad in [
            PicturePoint(x: 401, y: 0), PicturePoint(x: -1, y: 0), PicturePoint(x: .nan, y: 3),
            PicturePoint(x: .infinity, y: 3),
        ] {
            #expect(throws: ImtProblem.self) { try EyePoints(left: a, right: bad, in: size) }
        }
    }

    @Test func `IMT37 photos are aligned only if all of them have points; else the middle fills the frame`() {
        var photo = Photo(
            id: Photo.ID(high: 0, low: 1), side: .before, view: .front, taken: nil,
            size: PictureSize(width: 960, height: 600), byteCount: 1, hash: "")
        let plain = CompareFrame.place(of: photo, isAligned: false)
        #expect(plain == Similarity(a: 1, b: 0, x: -240, y: 0))
        #expect(!CompareFrame.aligns([photo]) && CompareFrame.aligns([]))
        photo.eyes = EyePoints(left: PicturePoint(x: 400, y: 250), right: PicturePoint(x: 544, y: 250))
        #expect(CompareFrame.place(of: photo, isAligned: false) == plain)
        let place = CompareFrame.place(of: photo, isAligned: true)
        #expect(abs(place.a - 1) < 1e-12 && abs(place.x + 232) < 1e-9)
    }
}
