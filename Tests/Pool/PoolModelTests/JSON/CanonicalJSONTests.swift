import PoolSamples
import TestSupport
import Testing

@testable import PoolModel

@Suite struct CanonicalJSONTests {
    private struct Sample: Codable, Equatable {
        var zeta = 1.5
        var alpha: UInt64 = .max
        var alPha = Int64.min
        var slash = "a/b\u{7F}é\n"
    }

    @Test func `keys are sorted, and nothing is escaped without need`() throws {
        let bytes = try CanonicalJSON.encode(Sample())
        #expect(
            text(bytes)
                == "{\"alPha\":-9223372036854775808,\"alpha\":18446744073709551615,\"slash\":\"a/b\u{7F}é\\n\",\"zeta\":1.5}"
        )
        #expect(try CanonicalJSON.decode(Sample.self, from: bytes) == Sample())
    }

    @Test func `every double survives exactly`() throws {
        var generator = SplitMix64(seed: 6)
        var numbers: [Double] = [
            0.1, -0.0, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1e22, 9_007_199_254_740_992, 1.0 / 3,
        ]
        for _ in 0..<2000 {
            let number = Double(bitPattern: generator.next())
            if number.isFinite { numbers.append(number) }
        }
        let bytes = try CanonicalJSON.encode(numbers)
        let read = try CanonicalJSON.decode([Double].self, from: bytes)
        #expect(read.map(\.bitPattern) == numbers.map(\.bitPattern))
    }

    @Test func `what JSON cannot say is a failure that says where`() {
        #expect(throws: CanonicalJSON.Failure.self) { try CanonicalJSON.encode([Double.nan]) }
        #expect(throws: CanonicalJSON.Failure.self) { try CanonicalJSON.decode([Int].self, from: []) }
        #expect(throws: CanonicalJSON.Failure.self) {
            try CanonicalJSON.decode([Int].self, from: Array(String(repeating: "[", count: 100_000).utf8))
        }
        let failure = #expect(throws: CanonicalJSON.Failure.self) {
            try CanonicalJSON.decode(DeviceReadings.self, from: Array("{\"deviceID\":7}".utf8))
        }
        #expect(failure?.reason.contains("deviceID") == true)
    }
}
