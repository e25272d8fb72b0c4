import PoolControl
import PoolDecoding
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

    @Test func `what is suspected adds nothing until a suggestion makes it clear`() throws {
        var detection = Detection()
        detection.absorb(
            topic: "x/pool", payload: Array(#"{"ph":7.2,"orp":0.711,"temp":0}"#.utf8), isRetained: false,
            receivedAt: Timestamp(milliseconds: 1_780_315_200_000))
        let offer = DetectionOffer(try #require(detection.report().proposals.first), knownAs: nil)
        let error = #expect(throws: DetectionOfferError.self) { try offer.patch(server: garden) }
        let words = error?.description ?? ""
        #expect(words.hasPrefix("V suspected: 0.711 can hardly be ORP, 711 can; give --suggestion"), "\(words)")
        let place = try #require(offer.suggestions.firstIndex { $0.values.first?.unit == .volts })
        #expect(words.contains("\(place + 1) to ORP"), "\(words)")
        let patch = try offer.patch(server: garden, taking: [place])
        #expect(patch.mapping?.value?.values.map(\.notation) == ["ph=ph", "orp=orp V"])
        #expect(offer.leftOut?.first?.hasPrefix("Temperature is left out; --suggestion") == true)
    }

    @Test func `two suggestions for the same, and one that is not there, are refused`() throws {
        #expect(throws: DetectionOfferError.self) { try Self.offer().patch(server: garden, taking: [0, 1]) }
        let error = #expect(throws: DetectionOfferError.self) { try Self.offer().patch(server: garden, taking: [3]) }
        #expect(error?.description == "there are 3 suggestions: there is no 4")
    }
}
