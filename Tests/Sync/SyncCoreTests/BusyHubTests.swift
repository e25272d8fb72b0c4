import TestSupport
import Testing

@testable import SyncCore

/// What one watch makes the hub do delays no other watch by a second, and costs no session (I20).
///
/// The hub's processor is slow, and takes virtual time for each step of the ledger and each byte.
@Suite struct BusyHubTests {
    @Test(.longWork, arguments: BusyHub.Attack.allCases, [true, false])
    func `an attack with uploads delays nobody else`(_ attack: BusyHub.Attack, _ waits: Bool) {
        var hub = BusyHub(attack, waits: waits)
        hub.run(seconds: 4)
        #expect(hub.slowestValue < 1000, "\(hub.slowestValue) ms")
        #expect(hub.slowestEdit < 1000, "\(hub.slowestEdit) ms")
        #expect(hub.valueCount >= 35 && hub.editCount >= 3)
        #expect(!hub.isHonestLost)
        // The hub does work for the attacker meanwhile; one that waits for its receipts is not cut off, only delayed.
        #expect(hub.takenCount > 1)
        #expect(waits ? hub.cutOffCount == 0 : hub.cutOffCount > 0 || attack == .editsNothing)
    }
}
