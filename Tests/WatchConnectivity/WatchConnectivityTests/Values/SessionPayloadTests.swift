import Foundation
import SyncCore
import Testing

@testable import WatchConnectivity

@Suite struct SessionPayloadTests {
    /// What the other side gets of a dictionary.
    private func received(_ dictionary: [String: Any]) throws -> [String: Any] {
        guard case .bytes(let bytes, _) = SessionPayload.payload(dictionary) else {
            throw UnsupportedValue(type: "\(SessionPayload.payload(dictionary))")
        }
        return try #require(SessionPayload.dictionary(bytes))
    }

    private func unsendablePath(_ dictionary: [String: Any]) -> String? {
        SessionPayload.payload(dictionary).unsendablePath
    }

    @Test func `every kind of value arrives, at any depth`() throws {
        // R143
        let date = Date(timeIntervalSinceReferenceDate: 700_000_000.25)
        let arrived = try received([
            "text": "grüß", "number": 7, "real": 2.5, "truth": true, "date": date, "data": Data([0, 255]),
            "list": [1, "two", [3.5]] as [Any], "nested": ["deep": ["deeper": false]] as [String: Any],
        ])

        #expect(arrived["text"] as? String == "grüß")
        #expect(arrived["number"] as? Int == 7)
        #expect(arrived["real"] as? Double == 2.5)
        #expect(arrived["truth"] as? Bool == true)
        #expect(arrived["date"] as? Date == date)
        #expect(arrived["data"] as? Data == Data([0, 255]))
        let list = try #require(arrived["list"] as? [Any])
        #expect(list[0] as? Int == 1)
        #expect(list[1] as? String == "two")
        #expect(list[2] as? [Double] == [3.5])
        let nested = try #require(arrived["nested"] as? [String: Any])
        #expect((nested["deep"] as? [String: Any])?["deeper"] as? Bool == false)
        #expect(arrived.count == 8)
    }

    @Test func `an empty dictionary is legal`() throws {
        // R145
        #expect(try received([:]).isEmpty)
        #expect(try received(["a": [:] as [String: Any], "b": [] as [Any]]).count == 2)
    }

    @Test func `numbers and truth values arrive as NSNumber and are read as any type that holds them`() throws {
        // R146, rule 17 of the clients
        let arrived = try received(["int": 3, "real": 2.0, "truth": true, "falsehood": false])

        for key in ["int", "real", "truth", "falsehood"] { #expect(arrived[key] is NSNumber) }
        #expect(arrived["int"] as? Double == 3)
        #expect(arrived["int"] as? Int64 == 3)
        #expect(arrived["int"] as? Float == 3)
        #expect(arrived["real"] as? Int == 2)
        #expect(arrived["truth"] as? Int == 1)
        #expect(arrived["truth"] as? Double == 1)
        #expect(arrived["truth"] as? Bool == true)
        #expect(arrived["falsehood"] as? Int == 0)
        #expect(arrived["falsehood"] as? Bool == false)
    }

    @Test(arguments: [0, 1, -1, 127, 128, -128, 255, 256, 65_535, Int64.max, .min, 1 << 53, (1 << 53) + 1])
    func `a whole number keeps its value`(_ number: Int64) throws {
        let arrived = try received(["n": number])
        #expect(arrived["n"] as? Int64 == number)
    }

    @Test(arguments: [0, UInt64(Int64.max), UInt64(Int64.max) + 1, .max])
    func `an unsigned number keeps its value`(_ number: UInt64) throws {
        let arrived = try received(["n": number])
        #expect((arrived["n"] as? NSNumber)?.uint64Value == number)
    }

    @Test(arguments: [
        0.0, -0.0, 0.1, .pi, .greatestFiniteMagnitude, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, .infinity,
        -.infinity, 9_007_199_254_740_992, .ulpOfOne,
    ])
    func `a double keeps its bits`(_ number: Double) throws {
        let arrived = try received(["n": number])
        #expect((arrived["n"] as? NSNumber)?.doubleValue.bitPattern == number.bitPattern)
    }

    @Test func `a NaN stays one`() throws {
        #expect((try received(["n": Double.nan])["n"] as? NSNumber)?.doubleValue.isNaN == true)
    }

    @Test func `every type of number that Apple's systems take is taken`() throws {
        // T10: CGFloat is one of them there.
        let arrived = try received([
            "int8": Int8(-8), "uint8": UInt8(200), "int16": Int16(-300), "uint16": UInt16(60_000),
            "int32": Int32.min, "uint32": UInt32.max, "uint": UInt.max, "float": Float(0.1), "cgfloat": CGFloat(1.5),
            "number": NSNumber(value: 5), "decimal": NSDecimalNumber(string: "1.25"), "truth": NSNumber(value: true),
        ])

        #expect(arrived["int8"] as? Int == -8)
        #expect(arrived["uint8"] as? Int == 200)
        #expect(arrived["int16"] as? Int == -300)
        #expect(arrived["uint16"] as? Int == 60_000)
        #expect(arrived["int32"] as? Int == Int(Int32.min))
        #expect(arrived["uint32"] as? Int == Int(UInt32.max))
        #expect((arrived["uint"] as? NSNumber)?.uint64Value == .max)
        #expect((arrived["float"] as? NSNumber)?.doubleValue == Double(Float(0.1)))
        #expect(arrived["cgfloat"] as? Double == 1.5)
        #expect(arrived["number"] as? Int == 5)
        #expect(arrived["decimal"] as? Double == 1.25)
        #expect(arrived["truth"] as? Bool == true)
    }

    @Test func `a byte of one is no truth value`() {
        // Both have the same type as NSNumbers on Linux.
        #expect(SessionPayload.payload(["n": Int8(1)]) == SessionPayload.payload(["n": 1]))
        #expect(SessionPayload.payload(["n": Int8(1)]) != SessionPayload.payload(["n": true]))
    }

    @Test func `objects of Foundation are taken as the values that they are`() throws {
        let arrived = try received([
            "text": NSString("a"), "list": NSArray(array: [1, 2]), "pairs": NSDictionary(dictionary: ["k": "v"]),
            "data": NSData(data: Data([1])), "date": NSDate(timeIntervalSinceReferenceDate: 5),
            "some": Optional<String>.some("there") as Any,
        ])

        #expect(arrived["text"] as? String == "a")
        #expect(arrived["list"] as? [Int] == [1, 2])
        #expect(arrived["pairs"] as? [String: String] == ["k": "v"])
        #expect(arrived["data"] as? Data == Data([1]))
        #expect(arrived["date"] as? Date == Date(timeIntervalSinceReferenceDate: 5))
        #expect(arrived["some"] as? String == "there")
    }

    @Test func `what no property list holds is named with its place and type`() {
        // R144, P15, T10
        let url = URL(fileURLWithPath: "/")
        #expect(unsendablePath(["a": NSNull()]) == "a: NSNull")
        #expect(unsendablePath(["a": ["b": [1, 2, url] as [Any]] as [String: Any]]) == "a.b[2]: URL")
        #expect(unsendablePath(["a": [[UUID()]]]) == "a[0][0]: UUID")
        #expect(unsendablePath(["a": Optional<Int>.none as Any]) == "a: Optional<Int>")
        #expect(unsendablePath(["a": Set([1])]) == "a: Set<Int>")
        #expect(unsendablePath(["a": "text".dropFirst()]) == "a: Substring")
        #expect(unsendablePath(["a": Unsendable()]) == "a: Unsendable")
        #expect(unsendablePath(["a": [1: "one"]]) == "a: Dictionary<Int, String>, whose key 1 is no text")
        #expect(unsendablePath(["a": 1, "b": "c"]) == nil)
    }

    private struct Unsendable {}

    @Test func `of two bad values the one whose key sorts first is named`() {
        #expect(unsendablePath(["z": NSNull(), "a": NSNull()]) == "a: NSNull")
    }

    @Test func `what is nested too deep is no payload`() {
        var value: Any = 1
        for _ in 0..<PropertyList.depthMax { value = [value] }
        #expect(unsendablePath(["a": value])?.contains("128 levels") == true)

        var fitting: Any = 1
        for _ in 0..<PropertyList.depthMax - 2 { fitting = [fitting] }
        #expect(unsendablePath(["a": fitting]) == nil)
    }

    @Test func `equal dictionaries have equal bytes, whatever order they were filled in`() {
        // R81 compares them.
        var (one, other): ([String: Any], [String: Any]) = ([:], [:])
        for number in 0..<50 { one["k\(number)"] = number }
        for number in (0..<50).reversed() { other["k\(number)"] = number }
        #expect(SessionPayload.payload(one) == SessionPayload.payload(other))
    }

    @Test func `bytes that are no dictionary give none`() {
        #expect(SessionPayload.dictionary([]) == nil)
        #expect(SessionPayload.dictionary([3, 2]) == nil)
        #expect(SessionPayload.dictionary([0xFF, 1, 2]) == nil)
    }
}
