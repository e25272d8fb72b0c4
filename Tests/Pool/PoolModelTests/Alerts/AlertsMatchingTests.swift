import PoolSamples
import Testing

@testable import PoolModel

/// Which open alerts a text of a person refers to.
@Suite struct AlertsMatchingTests {
    private func alert(_ name: String, _ quantity: Quantity, _ number: UInt64) -> AlertState.Alert {
        AlertState.Alert(
            episodeID: AlertEpisodeID(high: 7, low: number), key: .value(lagoon.id, quantity, .high), name: name,
            severity: .warning, since: noon, value: nil, limit: nil, isAcknowledged: false, snoozedUntil: nil)
    }

    @Test func `a device means all its alerts, all means all, and nothing means the only one`() throws {
        let state = AlertState([alert("Lagoon", .ph, 1), alert("Spa", .ph, 2), alert("Lagoon", .orp, 3)])
        func numbers(_ text: String?) throws -> [UInt64] { try state.alerts(matching: text).map(\.episodeID.low) }

        #expect(try numbers("lagoon").sorted() == [1, 3])
        #expect(try numbers("all").sorted() == [1, 2, 3])
        #expect(try numbers("2") == [state.alerts[1].episodeID.low])
        #expect(throws: AlertMatchError.notFound("Nope", count: 3)) { try numbers("Nope") }
        let error = #expect(throws: AlertMatchError.self) { try numbers(nil) }
        let text = "3 alerts are open: give a number, the name of a device, or all"
        #expect(error.map { "\($0)".hasPrefix(text) } == true)
        #expect(try AlertState([alert("Spa", .ph, 2)]).alerts(matching: nil).map(\.episodeID.low) == [2])
        #expect(try AlertState().alerts(matching: nil).isEmpty && AlertState().alerts(matching: "all").isEmpty)
    }
}
