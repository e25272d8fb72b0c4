import PoolControl
import PoolModel
import Testing

@testable import PoolHub

/// The patches from a detection's offers, with suggestions.
@Suite struct DetectionOfferTests {
    private let garden = ServerID(high: 0, low: 1)

    private static func suggestion(_ notation: String, _ words: String) throws -> DetectionOffer.Suggestion {
        let source = try ValueSource(notation: notation)
        return DetectionOffer.Suggestion(words: words, quantity: source.quantity, values: [source])
    }

    private static func offer(open: [Quantity] = []) throws -> DetectionOffer {
        DetectionOffer(
            name: "Box", topic: "box",
            mapping: DeviceMapping(
                values: [try ValueSource(notation: "temperature=~/t1"), try ValueSource(notation: "ph=~/ph")]),
            suggestions: [
                try suggestion("temperature=~/t1", "take t1"), try suggestion("temperature=~/t2", "take t2"),
                try suggestion("ph=~/ph*0.01", "ph × 0.01"),
            ], openQuantities: open)
    }

    @Test func `several suggestions are taken at once`() throws {
        let patch = try Self.offer(open: [.temperature]).patch(server: garden, taking: [1, 2])
        #expect(patch.mapping?.value?.values.map(\.notation) == ["temperature=~/t2", "ph=~/ph * 0.01"])
    }

    @Test func `what stays open must be chosen, and the candidates are named`() throws {
        let error = #expect(throws: DetectionOfferError.self) {
            try Self.offer(open: [.temperature]).patch(server: garden, taking: [2])
        }
        #expect(
            error?.description.contains("which Temperature is that of the water") == true, "\(error?.description ?? "")"
        )
        #expect(error?.description.contains("1 to take t1, 2 to take t2") == true)
    }

    @Test func `two suggestions for the same, and one that is not there, are refused`() throws {
        #expect(throws: DetectionOfferError.self) { try Self.offer().patch(server: garden, taking: [0, 1]) }
        let error = #expect(throws: DetectionOfferError.self) { try Self.offer().patch(server: garden, taking: [3]) }
        #expect(error?.description == "there are 3 suggestions: there is no 4")
    }
}
