import PoolSamples
import TestSupport
import Testing

@testable import PoolDecoding
@testable import PoolModel

/// P53: random payloads never crash the decoder, and garbage never becomes a measurement.
@Suite(.longWork) struct PayloadFuzzTests {
    private let decoder = PayloadDecoder()

    @Test(arguments: 0..<3 as Range<UInt64>)
    func `P53 ten thousand random payloads of a seed give no measurement from nothing`(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        let letters = Array("{}[]\":,.-+0123456789eE \r\n\tnulltruefalseNaNxyz\\u".utf8)
        for _ in 0..<10_000 {
            let choice = generator.next()
            let isStructured = choice & 1 == 0
            let isRetained = choice & 2 == 0
            let payload = randomBytes(count: Int(choice >> 8 % 60), using: &generator).map { byte in
                isStructured ? letters[Int(byte) % letters.count] : byte
            }
            let outcome = decoder.decode(payload, receivedAt: noon, isRetained: isRetained)
            if let fault = fault(of: outcome, payload, isRetained) { Issue.record("\(fault): \(payload)") }
            // The letters contain neither p nor c, so that no key of a quantity can occur.
            if isStructured, outcome.decoded != nil { Issue.record("a measurement from \(text(payload))") }
        }
    }

    @Test(arguments: 0..<3 as Range<UInt64>)
    func `P53 ten thousand mutations of good messages give no value without its key`(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed &+ 1000)
        let good = try [
            "readme.json", "lower-case.json", "pretty-crlf.json", "strings.json", "text-form.txt", "flat-bridge.json",
        ]
        .map { try payload($0) }
        var decodedCount = 0
        for _ in 0..<10_000 {
            var payload = good[Int.random(in: 0..<good.count, using: &generator)]
            for _ in 0..<Int.random(in: 1...4, using: &generator) { mutate(&payload, using: &generator) }
            let outcome = decoder.decode(payload, receivedAt: noon, isRetained: false)
            if let fault = fault(of: outcome, payload, false) { Issue.record("\(fault): \(text(payload))") }
            if outcome.decoded != nil { decodedCount += 1 }
        }
        // Some mutated messages must stay readable; otherwise nothing would be tested.
        #expect((500..<9500).contains(decodedCount))
    }

    /// Eight bytes from each random number, because generating single bytes would take most of the time.
    private func randomBytes(count: Int, using generator: inout SplitMix64) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let number = generator.next()
            for shift in stride(from: 0, to: 64, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
            }
        }
        return bytes
    }

    /// A description of the first invariant that an outcome violates; nil if it violates none.
    private func fault(of outcome: PayloadOutcome, _ payload: [UInt8], _ isRetained: Bool) -> String? {
        guard let decoded = outcome.decoded else {
            return outcome.rejection?.description.isEmpty == false ? nil : "no reason"
        }
        let lowercased = text(payload).lowercased()
        let names: QuantityMap<[String]> = [
            .temperature: ["temp"], .ph: ["ph", "\\u"], .chlorine: ["cl", "chlorine", "\\u"], .orp: ["orp", "\\u"],
            .salinity: ["sal", "\\u"], .conductivity: ["ec", "conductivity", "\\u"], .battery: ["battery", "\\u"],
        ]
        for (quantity, value) in decoded.values.pairs {
            if ProbeFault(quantity, value) != nil { return "\(quantity) of \(value)" }
            if names[quantity]?.contains(where: { lowercased.contains($0) }) != true {
                return "\(quantity) without its key"
            }
            if !lowercased.contains(where: \.isNumber) { return "\(quantity) without a digit" }
        }
        if decoded.quarantined.contains(where: { !$0.value.isFinite || ProbeFault($0.quantity, $0.value) == nil }) {
            return "a plausible value in quarantine"
        }
        if decoded.values.isEmpty, decoded.quarantined.isEmpty { return "a measurement of nothing" }
        if (decoded.sampledAt == nil) != (decoded.timeQuality == .unknown) { return "a time that nobody knows" }
        if decoded.timeQuality == .unknown, !isRetained { return "a live message of unknown time" }
        return decoded.remarks.count <= 16 ? nil : "too many remarks"
    }

    private func mutate(_ payload: inout [UInt8], using generator: inout SplitMix64) {
        guard !payload.isEmpty else { return }
        let place = Int.random(in: 0..<payload.count, using: &generator)
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: payload[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: payload.remove(at: place)
        case 2: payload.insert(UInt8.random(in: 0x20..<0x7F, using: &generator), at: place)
        case 3: payload.removeLast(payload.count - place)
        default: payload.swapAt(place, Int.random(in: 0..<payload.count, using: &generator))
        }
    }
}
