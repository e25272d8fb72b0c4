import Testing

@testable import Terminal

/// The expected codes were created by python-qrcode 8, another encoder, with the same mask.
///
/// The decoder below is independent of the encoder: it reads only the modules.
struct QRCodeTests {
    private static let invitation =
        "psw1-0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
        + "-fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210-89abcdef-tcp://192.168.1.20:7201"

    /// Version 1, M, mask 3, alphanumeric.
    private static let short = """
        #######.##..#.#######
        #.....#.#.#...#.....#
        #.###.#...#...#.###.#
        #.###.#.#.##..#.###.#
        #.###.#.......#.###.#
        #.....#.......#.....#
        #######.#.#.#.#######
        ........##...........
        #.##.###.#....#..#.##
        #.####.##...##..#####
        #..#..#####.#.#...#..
        ###.#..####.##..#.##.
        .###.####.##......#..
        ........###..#.#..##.
        #######.#....###.#.##
        #.....#.########..##.
        #.###.#..###..##...##
        #.###.#.##...#..##.#.
        #.###.#.#..#.#..##...
        #.....#..#.##.##.#...
        #######.##.##..#..##.
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

    /// The same in capitals, version 6, L, mask 5.
    private static let capitals = """
        1fc97387b7f 1047c94e941 17468e9665d 175e015ab5d 1756a418a5d 104d9139141 1fd5555557f 94897f00 18ea7591a18
        287174a567 641367325c 152f4314c6f 157fd0a47e 188058bc688 18db4e25158 826a61d092 84b109c5d3 1ea59a7979c
        bcd3119ed7 1eb9bd24cb9 cc051fc582 14a9d5d6cc3 af8b0f5056 1cb503a4ef8 163b61d9a6 13af42b2de2 4f307bca9a
        1c80124652f 196d26152ae 1014582f838 19ed908a064 121a737a933 11ee8f845fe 12bdf7113 1fddcb28750 105a9fe1115
        1746a9dbdfc 174586bc97e 174cfbcebdc 105d14dbb24 1fd9b8e3e46
        """

    // MARK: Known codes

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
        #expect(rows(code) == numbers(Self.long))
        let capitals = try #require(QRCode(Array(Self.invitation.uppercased().utf8), mask: 5))
        #expect(rows(capitals) == numbers(Self.capitals))
    }

    private func rows(_ code: QRCode) -> [UInt64] {
        (0..<code.side).map { row in
            (0..<code.side).reduce(UInt64(0)) { $0 << 1 | (code.isDark($1, row) ? 1 : 0) }
        }
    }

    private func numbers(_ text: String) -> [UInt64] {
        text.split(whereSeparator: \.isWhitespace).map { UInt64($0, radix: 16) ?? 0 }
    }

    // MARK: Decoding

    @Test(arguments: [0, 1, 14, 17, 32, 100, 167, 230, 271, 400, 858])
    func `what was encoded is read again`(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) }
        let code = try #require(QRCode(bytes))
        #expect(QRReader(code).bytes() == bytes)
    }

    @Test(arguments: [1, 2, 24, 25, 45, 100, 167, 279, 400, 1249])
    func `capitals and digits are read again, and take less room`(count: Int) throws {
        let signs = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:".utf8)
        let bytes = (0..<count).map { signs[($0 * 7 + 3) % signs.count] }
        let code = try #require(QRCode(bytes))
        #expect(QRReader(code).bytes() == bytes)
        if count > 25, count <= 858 { #expect(code.version < QRCode(bytes.map { $0 | 0x80 })?.version ?? 0) }
    }

    @Test func `an invitation in capitals has room on a phone`() throws {
        let code = try #require(QRCode(Array(Self.invitation.uppercased().utf8)))
        #expect(code.version == 6)
        #expect(code.side + 2 * QRCode.quietZone <= 46)
        #expect(QRReader(code).bytes() == Array(Self.invitation.uppercased().utf8))
    }

    @Test func `every mask is read again`() throws {
        let bytes = Array(Self.invitation.utf8)
        for mask in 0..<8 {
            let code = try #require(QRCode(bytes, mask: mask))
            #expect(QRReader(code).bytes() == bytes)
        }
    }

    @Test func `what is too long is not encoded`() {
        #expect(QRCode([UInt8](repeating: 0x61, count: 859)) == nil)
        #expect(QRCode([UInt8](repeating: 0x41, count: 1250)) == nil)
    }

    private func picture(_ code: QRCode) -> String {
        (0..<code.side).map { row in
            String((0..<code.side).map { code.isDark($0, row) ? Character("#") : "." })
        }.joined(separator: "\n")
    }
}
