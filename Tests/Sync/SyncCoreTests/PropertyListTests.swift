import Testing

@testable import SyncCore

@Suite struct PropertyListTests {
    private static let example: PropertyList = ["on": true, "n": -2, "xy": 7.25]

    /// The bytes in the documentation of the type.
    private static let exampleBytes: [UInt8] = [
        0x0A, 0x03, 0x01, 0x6E, 0x03, 0x03, 0x02, 0x6F, 0x6E, 0x02, 0x02, 0x78, 0x79, 0x05, 0x40, 0x1D, 0, 0, 0, 0, 0,
        0,
    ]

    /// A value of each kind, with the ends of its range.
    private static let all: PropertyList = [
        "text": ["", "é", "e\u{301}", "a\u{0}b", "😀"], "whole": [0, -1, .integer(.min), .integer(.max)],
        "beyond": .unsigned(.max), "real": [.real(-0.0), .real(.infinity), .real(.leastNonzeroMagnitude)],
        "truth": [true, false], "date": .date(-1e9), "data": .data([0, 255]), "empty": [[], [:], .data([])],
        "": ["nested": ["deeper": [1, [2]]]],
    ]

    @Test func `the example has the bytes that are written down`() throws {
        #expect(try Self.example.encoded() == Self.exampleBytes)
        #expect(try PropertyList(decoding: Self.exampleBytes) == Self.example)
    }

    @Test func `each kind of value survives`() throws {
        // R143: strings, numbers, truth values, dates, data, arrays and dictionaries in each other.
        #expect(try PropertyList(decoding: Self.all.encoded()) == Self.all)
        // R145: an empty dictionary is legal.
        #expect(try PropertyList(decoding: PropertyList.dictionary([:]).encoded()) == [:])
    }

    @Test func `random values survive, and equal bytes mean equal values`() throws {
        var generator = SplitMix64(seed: 11)
        for _ in 0..<500 {
            let value = PropertyList.random(depth: 4, using: &generator)
            let bytes = try value.encoded()
            let again = try PropertyList(decoding: bytes)
            #expect(again == value)
            #expect(again.hashValue == value.hashValue)
            #expect(try again.encoded() == bytes)
        }
    }

    @Test(arguments: [0x7FF8_0000_0000_0000, 0x7FF0_0000_0000_0001, 0xFFFF_FFFF_FFFF_FFFF, 0x8000_0000_0000_0000])
    func `the bits of a real are kept, whatever they mean`(_ bits: UInt64) throws {
        for value in [PropertyList.real(Double(bitPattern: bits)), .date(Double(bitPattern: bits))] {
            #expect(try PropertyList(decoding: value.encoded()) == value)
        }
        #expect(PropertyList.real(0) != .real(-0.0))
        #expect(PropertyList.real(1) != .date(1))
        #expect(PropertyList.real(1) != .integer(1))
    }

    @Test func `a number has one encoding, signed or not`() throws {
        #expect(PropertyList.unsigned(5) == .integer(5))
        #expect(PropertyList.unsigned(.max) != .integer(-1))
        #expect(try PropertyList.unsigned(5).encoded() == PropertyList.integer(5).encoded())
        #expect(throws: PropertyListError.notCanonical(path: "")) { try PropertyList(decoding: [4, 5]) }
        #expect(throws: PropertyListError.notCanonical(path: "")) { try PropertyList(decoding: [3, 0x80, 0]) }
        let tooLong = [UInt8](repeating: 0xFF, count: 9)
        #expect(throws: PropertyListError.notCanonical(path: "")) { try PropertyList(decoding: [4] + tooLong + [2]) }
        #expect(try PropertyList(decoding: [4] + tooLong + [1]) == .unsigned(.max))
    }

    @Test func `each beginning is truncated, and each end is the end`() throws {
        let bytes = try Self.all.encoded()
        for count in bytes.indices {
            #expect {
                try PropertyList(decoding: Array(bytes.prefix(count)))
            } throws: { error in
                if case PropertyListError.truncated = error { true } else { false }
            }
        }
        #expect(throws: PropertyListError.trailing(offset: bytes.count)) { try PropertyList(decoding: bytes + [1]) }
    }

    @Test func `damaged bytes give a fault or the value that they now are`() throws {
        var generator = SplitMix64(seed: 12)
        let bytes = try Self.all.encoded()
        for _ in 0..<3000 {
            var damaged = bytes
            damaged[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            // An error is as acceptable as a value here; only a trap is not.
            guard let value = try? PropertyList(decoding: damaged) else { continue }
            #expect(try value.encoded() == damaged)
        }
    }

    @Test func `a fault names the place`() {
        // {"a": [1, {"b": tag 99}]}
        let unknown: [UInt8] = [10, 1, 1, 0x61, 9, 2, 3, 2, 10, 1, 1, 0x62, 99]
        #expect(throws: PropertyListError.unknownTag(99, path: "a[1].b")) { try PropertyList(decoding: unknown) }
        #expect(throws: PropertyListError.truncated(path: "a[1].b")) { try PropertyList(decoding: unknown.dropLast()) }
        #expect(throws: PropertyListError.notText(path: "[0]")) { try PropertyList(decoding: [9, 1, 7, 1, 0xFF]) }
        // R144: values that a property list cannot contain have no tag, so they cannot be nested at any depth.
        #expect(throws: PropertyListError.unknownTag(0, path: "")) { try PropertyList(decoding: [0]) }
        #expect("\(PropertyListError.unknownTag(0, path: "a"))".contains("at a has the tag 0"))
    }

    @Test(arguments: [[0x62, 0x61], [0x61, 0x61]] as [[UInt8]])
    func `keys that do not ascend are refused`(_ keys: [UInt8]) {
        let bytes = [10, 2, 1, keys[0], 1, 1, keys[1], 1]
        #expect(throws: PropertyListError.self) { try PropertyList(decoding: bytes) }
    }

    @Test func `spellings of one letter are two keys`() throws {
        let value: PropertyList = ["é": 1, "e\u{301}": 2]
        guard case .dictionary(let pairs) = value else { return }
        #expect(pairs.count == 2)
        #expect(try PropertyList(decoding: value.encoded()) == value)
    }

    @Test func `the limits hold, one below and one above`() throws {
        // R147: a message is 65,536 bytes at most; the caller names the limit.
        let fitting = PropertyList.data([UInt8](repeating: 1, count: 65_532))
        let bytes = try fitting.encoded(byteCountMax: 65_536)
        #expect(bytes.count == 65_536)
        #expect(throws: PropertyListError.tooLarge(byteCount: 65_536, byteCountMax: 65_535)) {
            try fitting.encoded(byteCountMax: 65_535)
        }
        #expect(throws: PropertyListError.tooLarge(byteCount: 65_536, byteCountMax: 65_535)) {
            try PropertyList(decoding: bytes, byteCountMax: 65_535)
        }
        let deep = { (depth: Int) in (1..<depth).reduce(PropertyList.array([])) { value, _ in [value] } }
        let deepest = deep(PropertyList.depthMax)
        #expect(try PropertyList(decoding: deepest.encoded()) == deepest)
        #expect(throws: PropertyListError.self) { try deep(PropertyList.depthMax + 1).encoded() }
        let bottomless = [UInt8](repeating: 0, count: 100_000).flatMap { _ in [9, 1] as [UInt8] }
        #expect {
            try PropertyList(decoding: bottomless)
        } throws: { error in
            if case PropertyListError.tooDeep = error { true } else { false }
        }
    }

    @Test func `a count that lies makes no room`() {
        let lie: [UInt8] = [9, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1]
        for tag: UInt8 in [7, 8, 9, 10] {
            #expect(throws: PropertyListError.truncated(path: "")) {
                try PropertyList(decoding: [tag] + lie.dropFirst())
            }
        }
    }
}

extension PropertyList {
    fileprivate static func random(depth: Int, using generator: inout SplitMix64) -> PropertyList {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 7), using: &generator) {
        case 0: return .string(text(using: &generator))
        case 1: return .integer(Int64(bitPattern: generator.next() >> UInt64.random(in: 0..<64, using: &generator)))
        case 2: return .unsigned(generator.next())
        case 3: return .real(Double(bitPattern: generator.next()))
        case 4: return .boolean(Bool.random(using: &generator))
        case 5: return .date(Double(Int64.random(in: -1_000_000...1_000_000, using: &generator)) / 8)
        case 6: return .data((0..<Int.random(in: 0..<300, using: &generator)).map { UInt8(truncatingIfNeeded: $0) })
        case 7:
            return .array(
                (0..<Int.random(in: 0..<6, using: &generator)).map { _ in random(depth: depth - 1, using: &generator) })
        default:
            var pairs: [Key: PropertyList] = [:]
            for _ in 0..<Int.random(in: 0..<6, using: &generator) {
                pairs[Key(text(using: &generator))] = random(depth: depth - 1, using: &generator)
            }
            return .dictionary(pairs)
        }
    }

    private static func text(using generator: inout SplitMix64) -> String {
        let letters = Array("aZ0 é\u{301}ß漢😀\u{0}\u{10FFFF}".unicodeScalars)
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0..<20, using: &generator) {
            text.append(letters[Int.random(in: letters.indices, using: &generator)])
        }
        return String(text)
    }
}
