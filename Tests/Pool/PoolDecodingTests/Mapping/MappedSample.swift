import PoolSamples
import Testing

@testable import PoolDecoding
@testable import PoolModel

/// The result of decoding one live message at noon.
func mapped(
    _ values: [String], time: String? = nil, _ payload: [UInt8], topic: String = "d", deviceTopic: String = "d",
    isRetained: Bool = false
) throws -> MappingOutcome {
    var sources: [ValueSource] = []
    for value in values { sources.append(try ValueSource(notation: value)) }
    var mapping = DeviceMapping(values: sources)
    if let time { mapping.time = try TimeSource(notation: time) }
    var decoder = try MappingDecoder(mapping: mapping, deviceTopic: deviceTopic)
    let outcome = decoder.receive(topic: topic, payload: payload, receivedAt: noon, isRetained: isRetained)
    return try #require(outcome)
}

/// The result of decoding a text as a payload.
func mapped(
    _ values: [String], time: String? = nil, _ payload: String, isRetained: Bool = false
) throws -> MappingOutcome {
    try mapped(values, time: time, Array(payload.utf8), isRetained: isRetained)
}
