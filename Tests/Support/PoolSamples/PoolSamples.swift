package import PoolDecoding
package import PoolModel
import TestSupport

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// 2026-06-01T12:00:00Z: the moment of receipt in most tests.
package let noon = Timestamp(milliseconds: 1_780_315_200_000)

package func seconds(_ count: Int64) -> Int64 { count * 1000 }

/// An identity that a person can tell apart from others: its number.
package func serverID(_ number: UInt64) -> ServerID { ServerID(high: 0x1111_0000_0000_0000, low: number) }
package func deviceID(_ number: UInt64) -> DeviceID { DeviceID(high: 0x2222_0000_0000_0000, low: number) }

/// Words that must never reach a watch.
package let secretWords = [
    "broker.example", "8884", "gardener", "/etc/pool/ca.pem", "pool/sensor/main", "Chlorine Buddy 3",
]

package let home = Server(
    id: serverID(1), name: "Home", host: "broker.example", port: 8884, username: "gardener", usesTLS: true,
    caFile: "/etc/pool/ca.pem", protocolVersion: .v5)
package let ryokan = Server(id: serverID(2), name: "Ryokan", host: "10.0.0.7")
package let lagoon = Device(
    id: deviceID(1), name: "Lagoon", serverID: home.id, topic: "pool/sensor/main", deviceType: "Chlorine Buddy 3",
    expectedIntervalSeconds: 30, limits: [.ph: Limits(criticalLow: 6.9, low: 7.1, high: 7.5, criticalHigh: 7.9)])
package let spa = Device(id: deviceID(2), name: "Spa", serverID: home.id, topic: "pool/sensor/spa")
package let onsen = Device(id: deviceID(3), name: "露天風呂 onsen", serverID: ryokan.id, topic: "pool/sensor/main")

/// Two servers, three devices, the first one selected.
package func sampleConfiguration() throws -> PoolConfiguration {
    try PoolConfiguration().adding(home).adding(ryokan).adding(lagoon).adding(spa).adding(onsen)
        .selecting(device: lagoon.id)
}

/// The bytes of a sample payload.
package func payload(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: Repository.url("Fixtures/payloads/\(name)")))
}

extension PayloadOutcome {
    package var decoded: DecodedPayload? {
        if case .decoded(let payload) = self { payload } else { nil }
    }

    package var rejection: PayloadError? {
        if case .rejected(let rejection) = self { rejection } else { nil }
    }
}

extension PayloadDecoder {
    package func decode(_ text: String, receivedAt: Timestamp = noon, isRetained: Bool = false) -> PayloadOutcome {
        decode(Array(text.utf8), receivedAt: receivedAt, isRetained: isRetained)
    }
}

/// A message with these values, by default sampled by a good clock at the moment of receipt.
package func message(
    _ values: QuantityMap<Double>, sampledAt: Timestamp?, quality: TimeQuality = .device, receivedAt: Timestamp,
    isRetained: Bool = false
) -> DecodedPayload {
    DecodedPayload(
        values: values, sampledAt: sampledAt, timeQuality: quality, receivedAt: receivedAt, isRetained: isRetained,
        format: .json, quarantined: [], remarks: [], payloadHash: 0)
}

package func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
