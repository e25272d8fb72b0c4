import Foundation
import SyncCore
import Testing

@testable import WatchConnectivity

/// R148: the bytes that count for the limits are those of a binary property list.
@Suite struct BinaryListSizeTests {
    @Test(
        arguments: [
            [:], ["a": 1], ["n": 0, "m": -1, "big": 1 << 40], ["max": UInt64.max], ["f": 1.5, "g": 2.5],
            ["d": Date(timeIntervalSinceReferenceDate: 7)], ["b": true], ["text": "fourteen bytes"],
            ["text": "fifteen letters"],
            ["text": "Größe"], ["text": String(repeating: "字", count: 300)], ["data": Data(count: 14)],
            ["data": Data(count: 15)], ["data": Data(count: 70_000)], ["list": [1, "two", [3, ["four": 4]]]],
            ["list": (0..<300).map { $0 }], ["list": (0..<300).map { "\($0 * 1000)" }], ["a": ["k": 1], "b": ["l": 2]],
        ] as [Sample]) func `it is what Foundation writes`(sample: Sample) throws
    {
        let data = try PropertyListSerialization.data(fromPropertyList: sample.value, format: .binary, options: 0)
        #expect(BinaryListSize.byteCount(of: try PropertyList(app: sample.value)) == data.count)
    }

    @Test(
        arguments: [
            (["list": Array(repeating: "lap", count: 300)], 364),
            (["list": Array(repeating: -900, count: 20) + Array(repeating: 1.5, count: 20)], 114),
            (["list": Array(repeating: Data([1, 2]), count: 300) + ["Größe", "Größe"]], 378),
            (["laps": (0..<400).map { ["time": $0, "style": "crawl", "length": 25] as [String: Any] }], 8636),
            (["list": Array(repeating: "aaaaaaaaaaaaaaaaaaaa", count: 70_000)], 70_093),
        ] as [(Sample, Int)]) func `it is what another writer writes that shares equal values`(
            sample: Sample, byteCount: Int
        ) throws
    {
        // The sizes are those of Python's plistlib.
        #expect(BinaryListSize.byteCount(of: try PropertyList(app: sample.value)) == byteCount)
    }

    @Test func `equal values are counted once, but for Booleans`() throws {
        func size(_ list: [PropertyList]) -> Int { BinaryListSize.byteCount(of: .array(list)) }
        // A reference of one byte for each further one.
        #expect(size([.string("lap"), .string("lap")]) == size([.string("lap")]) + 1)
        #expect(size([.data([1, 2]), .data([1, 2])]) == size([.data([1, 2])]) + 1)
        // An object and its offset, too.
        #expect(size([.boolean(true), .boolean(true)]) == size([.boolean(true)]) + 3)
    }

    /// A dictionary of an app.
    // Unchecked: nobody changes it.
    struct Sample: @unchecked Sendable, ExpressibleByDictionaryLiteral, CustomTestStringConvertible {
        let value: [String: Any]

        init(dictionaryLiteral elements: (String, Any)...) {
            value = Dictionary(uniqueKeysWithValues: elements)
        }

        var testDescription: String { String("\(value)".prefix(60)) }
    }
}
