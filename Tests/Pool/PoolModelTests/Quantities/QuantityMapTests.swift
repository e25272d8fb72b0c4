import PoolSamples
import Testing

@testable import PoolModel

@Suite struct QuantityMapTests {
    @Test func `X2 an absent quantity is an absent key, never a zero`() throws {
        let map: QuantityMap<Double> = [.orp: 650, .ph: 0]
        let bytes = try CanonicalJSON.encode(map)
        #expect(text(bytes) == #"{"orp":650,"ph":0}"#)
        #expect(try CanonicalJSON.decode(QuantityMap<Double>.self, from: bytes) == map)
        #expect(try CanonicalJSON.decode(QuantityMap<Double>.self, from: Array(#"{"ph":null,"salt":3}"#.utf8)).isEmpty)
    }

    @Test func `pairs come in the order of the gauges`() {
        let map: QuantityMap<Int> = [.orp: 4, .temperature: 1, .orp: 5]
        #expect(map.pairs.map(\.quantity) == [.temperature, .orp])
        #expect(map.pairs.map(\.value) == [1, 5])
        #expect(map.compactMapValues { $0 == 1 ? nil : "\($0)" } == [.orp: "5"])
    }
}

@Suite struct QuantityTests {
    @Test func `P39 P40 P41 P42 each quantity has its unit and its digits`() {
        #expect(Quantity.allCases.map(\.unit) == ["°C", "", "mg/L", "mV"])
        #expect(Quantity.allCases.map(\.decimals) == [1, 2, 2, 0])
        #expect(Quantity.allCases.map(\.name) == ["Temperature", "pH", "Chlorine", "ORP"])
    }
}
