import MQTT
import Testing

@testable import PoolHub

@Suite struct BrokerProblemTests {
    @Test(arguments: [ClientIDConflict.certain, .likely(connectionCount: 3)])
    func `a hub whose name a second one uses says which name and what to do`(conflict: ClientIDConflict) {
        // P16
        let words = conflict.words(clientIdentifier: "PoolSensors-x")
        #expect(words.contains("PoolSensors-x"))
        #expect(words.contains("second hub"))
        #expect(words.contains("hub.key.secret"))
    }
}
