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

    @Test(.longWork) func `a watch stalls the others with uploads that cost little`() throws {
        let stalls = Mutant.plant([.hubChargesUploadsByBytes]) { !BusyHubTests.keepsUp(.creates, waits: true) }
        #expect(stalls)
        if stalls { try Caught.note("hubChargesUploadsByBytes", by: "DefenceMutantTests") }
    }

    @Test func `a credit of an earlier session confirms a value`() throws {
        let count = try Mutant.plant([.hubIgnoresSessions]) { try DefenceTests.confirmedCount() }
        #expect(count == 1)
        if count == 1 { try Caught.note("hubIgnoresSessions", by: "DefenceMutantTests") }
    }
}
