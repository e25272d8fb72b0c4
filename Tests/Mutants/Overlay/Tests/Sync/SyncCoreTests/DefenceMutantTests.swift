import TestSupport
import Testing

@testable import SyncCore

/// The checks of `DefenceTests` matter: without them, what they prevent happens.
@Suite struct DefenceMutantTests {
    @Test func `the answer to an earlier greeting opens a session`() throws {
        let opens = Mutant.plant([.watchTakesAnyWelcome]) { DefenceTests.opens() }
        #expect(opens == true)
        if opens { try Caught.note("watchTakesAnyWelcome", by: "DefenceMutantTests") }
    }

    @Test func `a snapshot of a left epoch that comes late is shown again`() throws {
        let stores = try Mutant.plant([.watchIgnoresLeftEpochs]) { try DefenceTests.stores() }
        #expect(stores)
        if stores { try Caught.note("watchIgnoresLeftEpochs", by: "DefenceMutantTests") }
    }

    @Test func `a delta of a version that the watch does not hold is stored`() throws {
        let stores = try Mutant.plant([.watchIgnoresBases]) { try DeltaWatchTests.usesForeignBase() }
        #expect(stores)
        if stores { try Caught.note("watchIgnoresBases", by: "DefenceMutantTests") }
    }

    @Test(.longWork) func `a watch that sends uploads without end is not cut off, though they cost much`() throws {
        let goesOn = Mutant.plant([.hubChargesUploadsByBytes]) {
            BusyHub.Attack.allCases.contains { attack in
                guard attack != .editsNothing else { return false }
                var hub = BusyHub(attack, waits: false)
                hub.run(seconds: 4)
                return hub.cutOffCount == 0
            }
        }
        #expect(goesOn)
        if goesOn { try Caught.note("hubChargesUploadsByBytes", by: "DefenceMutantTests") }
    }

    @Test func `a credit of an earlier session confirms a value`() throws {
        let count = try Mutant.plant([.hubIgnoresSessions]) { try DefenceTests.confirmedCount() }
        #expect(count == 1)
        if count == 1 { try Caught.note("hubIgnoresSessions", by: "DefenceMutantTests") }
    }
}
