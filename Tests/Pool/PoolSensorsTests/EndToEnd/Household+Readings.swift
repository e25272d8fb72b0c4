import BrokerFixture
import Foundation
import MQTT
import ProgramFixture
import TestSupport
import Testing

@testable import poolsensors

extension Household {
    /// Publishes readings of the household's only device, one after the other, each when the hub has stored the one before.
    ///
    /// - Parameters:
    ///   - payloads: The messages. They hold what the test needs: a simulated probe omits a value now and then.
    ///   - broker: The broker; the hub may be about to subscribe.
    ///   - before: How many readings the hub has stored before.
    /// - Throws: What the client says, and `WaitedInVain` if a reading does not reach the hub.
    func publish(_ payloads: [String], to broker: Broker, after before: Int = 0) async throws {
        let client = try Client()
        let isConnected = Awaited(false)
        try client.connect(to: BrokerAddress(host: broker.host, port: broker.port)) { event in
            if case .connected = event { isConnected.change { $0 = true } }
        }
        await isConnected.wait { $0 }
        #expect(await broker.logLine(containing: "pool/sensor/1 (QoS") != nil)
        for (index, payload) in payloads.enumerated() {
            try client.publish(Array(payload.utf8), to: TopicName("pool/sensor/1"))
            let stored = before + index + 1
            try await poll("reading \(stored) at the hub") {
                try await Program.run(["device", "list", "--json"], in: folder).lines
                    .contains { $0.contains(#""storedReadings":\#(stored),"#) }
            }
        }
        client.close()
    }
}
