import Foundation
import TestSupport
import Text

@testable import Appliances

/// The bytes of a file in Fixtures/tars.
func payload(_ file: String) throws -> [UInt8] {
    Array(try Data(contentsOf: Repository.url("Fixtures/tars/\(file)")))
}

/// The moment at which everything happens.
let noon = Moment(monotonic: Instant(nanoseconds: 0), wallMilliseconds: 1_780_315_200_000)

func commandID(_ number: UInt64) -> Command.ID { Command.ID(high: 0xA1A1_A1A1_A1A1_A1A1, low: number) }

func later(_ seconds: Double) -> Instant { Instant(nanoseconds: Int64(seconds * 1e9)) }

/// An appliance of this home and its link, with one command after the other.
struct Home<Bound: Binding> {
    var link: ApplianceLink<Bound>
    let appliance: Appliance
    private var number: UInt64 = 0

    init(_ found: Discovery<Bound>, dialect: Dialect) throws {
        appliance = try Appliance(
            id: .init(high: 0, low: 1), name: found.name, kind: found.kind, abilities: found.abilities, dialect: dialect
        )
        link = ApplianceLink(appliance, found.binding)
    }

    /// The id of the last command.
    var lastID: Command.ID { commandID(number) }

    /// Asks for an action with five seconds left.
    mutating func send(_ action: Action, at now: Moment = noon, left: Int64 = 5000) throws -> OutgoingMessage {
        number += 1
        let until = Timestamp(milliseconds: now.wallMilliseconds + left)
        return try link.send(
            Command(id: lastID, appliance: appliance.id, action: action, until: until), at: now)
    }

    @discardableResult
    mutating func hear(
        _ topic: String, _ text: String, isRetained: Bool = false, at seconds: Double = 0
    ) -> [ApplianceLink<Bound>.Change] {
        link.absorb(topic: topic, payload: Array(text.utf8), isRetained: isRetained, at: later(seconds))
    }
}
