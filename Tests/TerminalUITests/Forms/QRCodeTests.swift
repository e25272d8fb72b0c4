import Testing

@testable import TerminalUI

/// The pictures were made by python-qrcode 8, another encoder, with the same mask; the decoder below is written apart from
/// the encoder: it finds the bits by looking at the picture alone.
struct QRCodeTests {
    private static let invitation =
        "psw1-0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
        + "-fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210-89abcdef-tcp://192.168.1.20:7201"

    /// Version 1, M, mask 3.
    private static let short = """
        #######.#...#.#######
        #.....#.#...#.#.....#
        #.###.#.......#.###.#
        #.###.#.#.#.#.#.###.#
        #.###.#..###..#.###.#
        #.....#...###.#.....#
        #######.#.#.#.#######
        ........#####........
        #.##.###.#.##.#..#.##
        .##....#.#######.##..
        .....#####.#.#.#...##
        #.#.##.##..#...#.#.#.
        #...#.##.##.##....#.#
        ........#.##..##..#.#
        #######.#.#######....
        #.....#.###..#.#.####
        #.###.#..#..#.#..#...
        #.###.#.###...#..###.
        #.###.#.##..#..#..#..
        #.....#..###.####...#
        #######.##.#.#.#.....
        """

    /// Version 2, L, mask 0.
    private static let middle = """
        #######..##.#..#..#######
        #.....#...####.##.#.....#
        #.###.#.###.#.#...#.###.#
        #.###.#..####.#...#.###.#
        #.###.#...######..#.###.#
        #.....#..#.######.#.....#
        #######.#.#.#.#.#.#######
        ........######.#.........
        ###.#####.##.#..###...#..
        ..#.##.##.#..#..###.....#
        #..#.###.#......##..#.###
        ##.....#.....###..##...#.
        #.##.###...#####.###.#.##
        .#.###..#...#...###..#..#
        #.....#......#...#.#..###
        .##.##..###.#####.#.#..#.
        #..#.###.#.#.#..######...
        ........###..####...##.##
        #######.#.#.#.###.#.##.##
        #.....#.###..#..#...##...
        #.###.#.#.#..#..######.#.
        #.###.#...#.##.##..####..
        #.###.#.###...##....#...#
        #.....#.#..#.####.#.##.#.
        #######.#..###..#.##...##
        """

    /// Version 8, L, mask 5: each row as a hexadecimal number.
    private static let long = """
        1fca936e7d17f 104526542f741 174d8ca1f835d 175755599325d 17539fff5385d 10469144a5c41 1fd555555557f
        53fc7da200 18e6b57ee9118 181b3b47e4d76 cc6f95f07491 1e19608f300f0 1c68119bf1e3b 168a04726b252
        1af702deacca1 13b8956ec6f26 2e8b55225547 7a56a825286e bd8fcc3b1a37 14898c833a032 1d6724fac9b45
        1ca4eef5dd776 17f93d7e2cffb 3187bc79291a 1f5b4ed75b55b 1f1a4a47e1912 15f9c87d845f9 d9f130a6e7b5
        1b57cacac17d7 13ab0459fa2aa 3d7d51db93e9 12b6801dd2b89 1b4f152a6133d 1e3e9b52f7fd6 1b4e3611147c1
        3368e4d7a223 1bffff05bb361 1812bf16d012a 8f87d0007e73 e3eee686669e 1c6e15fe89fff 11ca45c3912
        1fdc02d62b95b 105b424572910 174bc8fc893f7 174955a1f766c 174b4e5007ec8 105904a37c2f9 1fd0ce5bf59b9
        """

    // MARK: Known pictures

    @Test func `a short code is drawn as another encoder draws it`() throws {
        let code = try #require(QRCode(Array("HELLO WORLD".utf8), mask: 3))
        #expect(code.version == 1)
        #expect(picture(code) == Self.short)
    }

    @Test func `a code with an alignment pattern is drawn as another encoder draws it`() throws {
        let code = try #require(QRCode(Array("https://pool.example/pair?k=1".utf8), mask: 0))
        #expect(code.version == 2)
        #expect(picture(code) == Self.middle)
    }

    @Test func `an invitation, of several blocks and with a version, is drawn as another encoder draws it`() throws {
        let code = try #require(QRCode(Array(Self.invitation.utf8), mask: 5))
        #expect(code.version == 8)
        let rows = (0..<code.side).map { row in
            (0..<code.side).reduce(UInt64(0)) { $0 << 1 | (code.isDark($1, row) ? 1 : 0) }
        }
        let known = Self.long.split(whereSeparator: \.isWhitespace).map { UInt64($0, radix: 16) ?? 0 }
        #expect(rows == known)
    }

    // MARK: Reading back

    @Test(arguments: [0, 1, 14, 17, 32, 100, 167, 230, 271, 400, 858])
    func `what was encoded is read again`(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) }
        let code = try #require(QRCode(bytes))
        #expect(QRReader(code).bytes() == bytes)
    }

    @Test func `every mask is read again`() throws {
        let bytes = Array(Self.invitation.utf8)
        for mask in 0..<8 {
            let code = try #require(QRCode(bytes, mask: mask))
            #expect(QRReader(code).bytes() == bytes)
        }
    }

    @Test func `what is too long is not encoded`() {
        #expect(QRCode([UInt8](repeating: 0x41, count: 859)) == nil)
    }

    private func picture(_ code: QRCode) -> String {
        (0..<code.side).map { row in
            String((0..<code.side).map { code.isDark($0, row) ? Character("#") : "." })
        }.joined(separator: "\n")
    }
}
