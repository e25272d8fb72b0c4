import PoolSamples
import Testing

@testable import PoolDecoding
@testable import PoolModel

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The messages of one file in Fixtures/payloads/formats.
struct FormatFixture {
    struct Message {
        var offset: Int64
        var isRetained: Bool
        var topic: String
        var payload: [UInt8]
    }

    var profile = ""
    var device = ""
    var messages: [Message] = []

    static let names = [
        "S01-flat", "S02-zigbee2mqtt", "S03-tasmota-neopool", "S04-esphome", "S05-poolmaster", "S06-blueriiot",
        "S07-bayrol", "S08-homie-pool-controller", "S09-njspc", "S10-aqualinkd", "S11-ble-yc01",
        "S12-pool-monitor-webapp", "S13-theengs", "S14-shelly-gen1", "S14-shelly-gen2", "S15-espeasy",
        "S16-chirpstack", "S17-tuya-dps", "S18-iopool", "S19-ha-statestream", "S20-sparkplug-b",
    ]

    init(_ name: String) throws {
        for line in text(try PoolSamples.payload("formats/\(name).tsv")).split(separator: "\n") {
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            if columns.count == 2, columns[0] == "# profile" { profile = columns[1] }
            if columns.count == 2, columns[0] == "# device" { device = columns[1] }
            guard columns.count == 4, let offset = Int64(columns[0]) else { continue }
            messages.append(
                Message(
                    offset: offset, isRetained: columns[1] == "retained", topic: columns[2],
                    payload: Self.bytes(columns[3])))
        }
    }

    /// The decoder for the file's profile.
    func decoder() throws -> MappingDecoder {
        let mapping = try #require(try BuiltInProfile.named(profile).mapping)
        return try MappingDecoder(mapping: mapping, deviceTopic: device)
    }

    private static func bytes(_ text: String) -> [UInt8] {
        guard text.hasPrefix("hex:") else { return Array(text.utf8) }
        let digits = Array(text.utf8.dropFirst(4))
        return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
        }
    }
}

/// The results of a decoder, as lines of text.
struct MappingLog {
    private(set) var lines: [String] = []
    var decoder: MappingDecoder

    mutating func play(_ fixture: FormatFixture) {
        for message in fixture.messages {
            send(message.topic, message.payload, at: message.offset, isRetained: message.isRetained)
        }
        expire(at: 1_000_000_000)
    }

    mutating func send(_ topic: String, _ payload: [UInt8], at offset: Int64, isRetained: Bool = false) {
        if let deadline = decoder.deadline, deadline <= noon.advanced(byMilliseconds: offset) {
            expire(at: deadline.milliseconds(since: noon))
        }
        let outcome = decoder.receive(
            topic: topic, payload: payload, receivedAt: noon.advanced(byMilliseconds: offset), isRetained: isRetained)
        guard let outcome else { return }
        for reading in outcome.readings { note(reading, at: offset) }
        if let isAvailable = outcome.isAvailable { lines.append("\(offset) \(isAvailable ? "online" : "offline")") }
        if outcome.isHeartbeat { lines.append("\(offset) heartbeat") }
        if !outcome.repeated.isEmpty {
            lines.append("\(offset) repeated \(outcome.repeated.map(\.rawValue).joined(separator: ","))")
        }
        if let rejection = outcome.rejection { lines.append("\(offset) rejected \(rejection.code)") }
        for remark in outcome.remarks { lines.append("\(offset) remark \(remark.code)") }
    }

    mutating func expire(at offset: Int64) {
        for reading in decoder.expire(at: noon.advanced(byMilliseconds: offset)) { note(reading, at: offset) }
    }

    private mutating func note(_ reading: DecodedPayload, at offset: Int64) {
        let values = reading.values.pairs.map { "\($0.quantity.rawValue) \(Self.rounded($0.value))" }
        let outliers = reading.quarantined.map { "\($0.quantity.rawValue)?\(Self.rounded($0.value))" }
        let remarks = reading.remarks.map { "(\($0.code))" }
        let age = reading.sampledAt.map { "\($0.milliseconds(since: noon))" } ?? "?"
        let parts = [reading.isRetained ? "retained" : nil, "\(reading.timeQuality.rawValue)@\(age)"].compactMap(\.self)
        lines.append("\(offset) " + (values + outliers + parts + remarks).joined(separator: " "))
    }

    /// Rounded to three decimals, because unit conversions leave more digits.
    private static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
}
