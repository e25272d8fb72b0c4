import TestSupport
import Testing

@testable import PoolModel

@Suite struct IdentifierTests {
    @Test func `P2 P22 an identity survives its text and its JSON`() throws {
        var generator = SplitMix64(seed: 0)
        for _ in 0..<500 {
            let id = DeviceID(using: &generator)
            #expect(DeviceID("\(id)") == id)
            #expect(DeviceID("\(id)".uppercased()) == id)
            #expect(DeviceID("\(id)".filter { $0 != "-" }) == id)
            #expect(try CanonicalJSON.decode([DeviceID].self, from: CanonicalJSON.encode([id])) == [id])
        }
        #expect("\(DeviceID(high: 1, low: 0xAB))" == "00000000-0000-0001-0000-0000000000ab")
    }

    @Test(arguments: [
        "", "0", "00000000-0000-0001-0000-0000000000a", "00000000-0000-0001-0000-0000000000abc",
        "00000000_0000-0001-0000-0000000000ab", "g0000000-0000-0001-0000-0000000000ab",
        "000000000-000-0001-0000-0000000000ab", "0000000000000001000000000000000é",
    ])
    func `anything else is no identity`(text: String) {
        #expect(DeviceID(text) == nil)
        #expect(throws: CanonicalJSON.Failure.self) {
            try CanonicalJSON.decode([DeviceID].self, from: CanonicalJSON.encode([text]))
        }
    }

    @Test func `identities sort by their bits`() {
        #expect(DeviceID(high: 0, low: .max) < DeviceID(high: 1, low: 0))
        #expect(DeviceID(high: 1, low: 0) < DeviceID(high: 1, low: 1))
    }
}
