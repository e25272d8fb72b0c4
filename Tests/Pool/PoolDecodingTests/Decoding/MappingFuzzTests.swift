import PoolSamples
import TestSupport
import Testing

@testable import PoolDecoding
@testable import PoolModel

/// P53: random payloads never crash a mapped decoder, and its results satisfy all invariants.
@Suite(.longWork) struct MappingFuzzTests {
    /// Each decoder gets its own messages and those of other formats on its own topics, complete or damaged.
    @Test(arguments: 0..<3 as Range<UInt64>)
    func `P53 ten thousand mutated messages of a seed stop no profile`(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let fixtures = try FormatFixture.names.map { try FormatFixture($0) }
        let payloads = fixtures.flatMap(\.messages).map(\.payload)
        var decoders: [(decoder: MappingDecoder, topics: [String])] = []
        for fixture in fixtures where !["", "flat"].contains(fixture.profile) {
            decoders.append((try fixture.decoder(), fixture.messages.map(\.topic)))
        }
        var now = noon
        var readingCount = 0
        for _ in 0..<10_000 {
            let choice = Int(generator.next() % UInt64(decoders.count))
            let topics = decoders[choice].topics
            var payload = payloads[Int(generator.next() % UInt64(payloads.count))]
            for _ in 0..<(generator.next() % 4) { mutate(&payload, using: &generator) }
            now = now.advanced(byMilliseconds: Int64(generator.next() % 4000) - 500)
            let isRetained = generator.next() % 4 == 0
            let outcome = decoders[choice].decoder.receive(
                topic: topics[Int(generator.next() % UInt64(topics.count))], payload: payload, receivedAt: now,
                isRetained: isRetained)
            for reading in outcome?.readings ?? [] {
                readingCount += 1
                if let fault = fault(of: reading) { Issue.record("\(fault): \(text(payload))") }
            }
            if outcome?.rejection?.description.isEmpty == true { Issue.record("no reason") }
            if let description = outcome?.rejection?.description, description.utf8.count > 8000 {
                Issue.record("a reason of \(description.utf8.count) bytes")
            }
            if decoders[choice].decoder.waitingCount > decoders[choice].decoder.mapping.values.count {
                Issue.record("more values wait than there are sources")
            }
        }
        #expect(readingCount > 200)
    }

    private func fault(of reading: DecodedPayload) -> String? {
        if reading.values.isEmpty, reading.quarantined.isEmpty { return "a reading of nothing" }
        for (quantity, value) in reading.values.pairs where ProbeFault(quantity, value) != nil {
            return "\(quantity) of \(value)"
        }
        if reading.quarantined.contains(where: { !$0.value.isFinite || ProbeFault($0.quantity, $0.value) == nil }) {
            return "a plausible value in quarantine"
        }
        if (reading.sampledAt == nil) != (reading.timeQuality == .unknown) { return "a time that nobody knows" }
        if reading.timeQuality == .unknown, !reading.isRetained { return "a live message of unknown time" }
        return reading.remarks.count <= 16 ? nil : "too many remarks"
    }

    private func mutate(_ payload: inout [UInt8], using generator: inout SplitMix64) {
        guard !payload.isEmpty else { return }
        let place = Int(generator.next() % UInt64(payload.count))
        switch generator.next() % 6 {
        case 0: payload[place] = UInt8(truncatingIfNeeded: generator.next())
        case 1: payload.remove(at: place)
        case 2: payload.insert(0x20 + UInt8(generator.next() % 95), at: place)
        case 3: payload.removeLast(payload.count - place)
        case 4: payload.insert(contentsOf: payload[..<place], at: place)
        default: payload.swapAt(place, Int(generator.next() % UInt64(payload.count)))
        }
    }
}
