import ImtModel
import Primitives
import Testing

@Suite struct PictureIntakeTests {
    private func refusal(_ bytes: [UInt8]) throws -> String {
        let problem = try #require(throws: ImtProblem.self) { try PictureIntake.take(bytes) }
        #expect(!problem.french.isEmpty && problem.french != problem.description)
        return problem.description
    }

    @Test func `an upright picture keeps its points bit by bit, and loses everything else`() throws {
        let picture = try SamplePictures.jpeg()
        let segments =
            SamplePictures.exif(orientation: 1, taken: "2024:05:31 10:20:30")
            + SamplePictures.segment(0xED, Array("Photoshop 3.0 secret".utf8))
            + SamplePictures.segment(0xE2, Array("ICC_PROFILE".utf8))
            + SamplePictures.segment(0xFE, Array("comment".utf8))
        let taken = try PictureIntake.take(SamplePictures.with(segments, picture) + Array("hidden".utf8) + picture)
        #expect(taken.bytes == picture)
        #expect(taken.size == PictureSize(width: 64, height: 48))
        #expect(taken.taken == "2024:05:31 10:20:30")
        #expect(taken.hash.count == 64)
    }

    @Test(arguments: [0xDC, 0xDE, 0xDF, 0xF0, 0xFD, 0x02, 0xBF, 0xC8] as [UInt8])
    func `a segment that readers pass over is not kept`(marker: UInt8) throws {
        let picture = try SamplePictures.jpeg()
        let secret = SamplePictures.segment(marker, Array("SECRET".utf8))
        #expect(try JPEGScan(SamplePictures.with(secret, picture)).cleaned == picture)
        #expect(try JPEGScan(picture.dropLast(2) + secret + [0xFF, 0xD9]).cleaned == picture)
    }

    @Test func `a copy of a picture of any shape is made within the limit of points`() throws {
        // Shrunk to eighths, each side is rounded up: 65,500 × 251 would have 12,601,900 points at six eighths of them.
        let size = PictureSize(width: 65_500, height: 251)
        let picture = try JPEGScan(JPEGCodec.encode(Raster(size: size, gray: 90), quality: 20)).cleaned
        for scale in [0.4, 0.7, 0.74, 0.75, 0.88, 1] {
            let copy = try Rendition.make(
                of: picture, size, at: Similarity(a: scale, b: 0, x: 0, y: 0), in: PictureSize(width: 64, height: 64))
            #expect(copy.count > 100)
        }
    }

    @Test func `bytes that hide behind the last points are not kept`() throws {
        let picture = try SamplePictures.jpeg()
        let secret = Array("SECRETGPS48.8584N".utf8)
        let taken = try PictureIntake.take(picture.dropLast(2) + secret + [0xFF, 0xD9])
        #expect(taken.bytes.count > 200 && !taken.bytes.contains(secret))
        let (before, after) = (
            try JPEGCodec.decode(picture, eighths: 8), try JPEGCodec.decode(taken.bytes, eighths: 8)
        )
        #expect(before.size == after.size)
        #expect(zip(before.bytes, after.bytes).allSatisfy { abs(Int($0) - Int($1)) < 40 })
    }

    @Test(arguments: 1...8, [true, false])
    func `IMT32 each of the 8 orientations is applied, and no segment of an application is left`(
        orientation: Int, isLittle: Bool
    ) throws {
        // A picture whose four corners differ, as a camera held otherwise would store it.
        let size = PictureSize(width: 64, height: 32)
        var seen = Raster(size: size, gray: 90)
        let corners: [(x: Int, y: Int, gray: UInt8)] = [(0, 0, 250), (48, 0, 10), (0, 16, 180), (48, 16, 130)]
        for corner in corners {
            for y in corner.y..<corner.y + 16 {
                for x in corner.x..<corner.x + 16 {
                    for part in 0..<3 { seen.bytes[(y * 64 + x) * 3 + part] = corner.gray }
                }
            }
        }
        // What undoes an orientation: 6 and 8 undo each other, all others themselves.
        let inverse = orientation == 6 ? 8 : orientation == 8 ? 6 : orientation
        let stored = try JPEGCodec.encode(seen.upright(from: inverse), quality: 95)
        let segments = SamplePictures.exif(orientation: orientation, taken: "2024:05:31 10:20:30", isLittle: isLittle)
        let taken = try PictureIntake.take(SamplePictures.with(segments, stored))
        #expect(taken.size == size && taken.taken == "2024:05:31 10:20:30")
        let result = try JPEGCodec.decode(taken.bytes, eighths: 8)
        for corner in corners {
            let place = ((corner.y + 8) * 64 + corner.x + 8) * 3
            #expect(abs(Int(result.bytes[place]) - Int(corner.gray)) < 12, "\(orientation): \(corner)")
        }
        #expect(markers(of: taken.bytes).allSatisfy { !(0xE0...0xEF).contains($0) && $0 != 0xFE })
        #expect(!String(decoding: taken.bytes, as: UTF8.self).contains("GPS"))
    }

    /// The markers of a JPEG, found in another way than by the scan under test.
    private func markers(of bytes: [UInt8]) -> [UInt8] {
        bytes.indices.dropLast().compactMap {
            bytes[$0] == 0xFF && ![0, 0xFF].contains(bytes[$0 + 1]) ? bytes[$0 + 1] : nil
        }
    }

    @Test func `a picture that is cut off anywhere is refused with the byte`() throws {
        let picture = try SamplePictures.jpeg()
        for count in stride(from: 2, to: picture.count, by: 37) {
            let said = try refusal(Array(picture.prefix(count)))
            #expect(said.contains("\(count)") || said.contains("byte"), "\(said)")
        }
        // A cut that somebody hid behind an end of the image.
        #expect(try refusal(Array(picture.prefix(picture.count * 2 / 3)) + [0xFF, 0xD9]).contains("cut off"))
    }

    @Test func `files of other kinds are named by what they are, whatever they are called`() throws {
        let table: [([UInt8], String)] = [
            ([0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10], "PNG"), (Array("GIF89a".utf8), "GIF"),
            (Array("RIFF\0\0\0\0WEBPVP8 ".utf8), "WebP"), ([0, 0, 0, 24] + Array("ftypheic".utf8), "HEIC"),
            ([0, 0, 0, 24] + Array("ftypavif".utf8), "AVIF"), ([0, 0, 0, 24] + Array("ftypisom".utf8), "MP4"),
            (Array("%PDF-1.4".utf8), "PDF"), ([0, 1, 2, 3], "begins with 00 01 02 03"), ([], "no bytes"),
        ]
        for (bytes, words) in table { #expect(try refusal(bytes).contains(words)) }
    }

    @Test func `bombs, inks of a press, 12 bits and rare kinds are refused by the header alone`() throws {
        let picture = try SamplePictures.jpeg()
        let frame = SamplePictures.frame(of: picture)
        func changed(_ change: (inout [UInt8]) -> Void) -> [UInt8] {
            var bytes = picture
            change(&bytes)
            return bytes
        }
        let bomb = changed { $0.replaceSubrange(frame + 5..<frame + 9, with: [0x75, 0x30, 0x75, 0x30]) }
        #expect(try refusal(bomb).contains("30000×30000 points, at most 64 million"))
        #expect(try refusal(changed { $0.replaceSubrange(frame + 5..<frame + 9, with: [0, 0, 0, 0]) }).contains("0×0"))
        #expect(try refusal(changed { $0[frame + 4] = 12 }).contains("12 bits"))
        #expect(try refusal(changed { $0[frame + 1] = 0xC9 }).contains("SOF9"))
        #expect(try refusal(changed { $0[frame + 1] = 0xC3 }).contains("SOF3"))
        let cmyk = SamplePictures.segment(0xC0, [8, 0, 16, 0, 16, 4, 1, 17, 0, 2, 17, 0, 3, 17, 0, 4, 17, 0])
        #expect(try refusal([0xFF, 0xD8] + cmyk + [0xFF, 0xD9]).contains("CMYK"))
        // 60 megapixels that can only be read as a whole.
        let progressive = changed {
            $0[frame + 1] = 0xC2
            $0.replaceSubrange(frame + 5..<frame + 9, with: [0x1D, 0x4C, 0x1F, 0x40])
        }
        #expect(try refusal(progressive).contains("at most 67"))
        // The bytes of a large file take their part of the memory.
        let comment: [UInt8] = [0xFF, 0xFE, 0xFF, 0xFF] + [UInt8](repeating: 7, count: 65_533)
        let padded =
            progressive.prefix(2) + Array(repeating: comment, count: 240).flatMap(\.self) + progressive.dropFirst(2)
        #expect(try refusal(Array(padded)).contains("at most 48"))
        #expect(try refusal([UInt8](repeating: 0xFF, count: 17_000_000)).contains("at most 16777216"))
    }

    @Test func `damage in the middle ends with a sentence, never with a crash`() throws {
        let picture = try SamplePictures.jpeg(120, 90)
        var generator = SplitMix64(seed: 5)
        var refused = 0
        for _ in 0..<600 {
            var bytes = picture
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                bytes[Int.random(in: 2..<bytes.count, using: &generator)] = UInt8(truncatingIfNeeded: generator.next())
            }
            do throws(ImtProblem) {
                let taken = try PictureIntake.take(bytes)
                #expect(taken.size.pointCount > 0)
            } catch {
                #expect(!error.description.isEmpty)
                refused += 1
            }
        }
        #expect(refused > 100)
    }

    @Test func `IMT31 broken Exif parts count as missing`() throws {
        let picture = try SamplePictures.jpeg()
        let whole = SamplePictures.exif(orientation: 6, taken: "2024:05:31 10:20:30")
        for count in stride(from: 10, to: whole.count, by: 3) {
            let content = Array(whole[4..<count])
            let taken = try PictureIntake.take(SamplePictures.with(SamplePictures.segment(0xE1, content), picture))
            #expect(taken.taken == nil || taken.taken == "2024:05:31 10:20:30")
        }
    }

    @Test func `IMT14 IMT37 a copy for a watch has at most 120 KiB, and eyes come where eyes belong`() throws {
        let size = PictureSize(width: 1200, height: 900)
        let face = GeneratedFace(seed: 3, progress: 0)
        let picture = try face.jpeg(size)
        let place = Similarity(face.eyes(in: size), onto: CompareFrame.eyes)
        let copy = try Rendition.make(of: picture, size, at: place, in: CompareFrame.size)
        #expect(copy.count <= Rendition.byteCountMax)
        let raster = try JPEGCodec.decode(copy, eighths: 8)
        #expect(raster.size == CompareFrame.size)
        for eye in [CompareFrame.eyes.left, CompareFrame.eyes.right] {
            let middle = (Int(eye.y) * raster.size.width + Int(eye.x)) * 3
            #expect(raster.bytes[middle] < 90, "the pupil is dark")
        }
        let thumb = try Rendition.make(
            of: picture, size, at: Similarity(filling: Rendition.thumbSize, with: size), in: Rendition.thumbSize)
        #expect(try JPEGCodec.decode(thumb, eighths: 8).size == Rendition.thumbSize)
        #expect(markers(of: copy).allSatisfy { !(0xE0...0xEF).contains($0) })
    }
}
