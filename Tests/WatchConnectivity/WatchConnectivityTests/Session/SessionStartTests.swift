import Foundation
import Testing

@testable import WatchConnectivity

@Suite struct SessionStartTests {
    private let hopeless = SessionSetup(side: .phone, stateFolder: "/dev/null/state")

    @Test func `a device that cannot be started fails the activation and says why`() async {
        // R10
        let (registry, recorder) = (SessionRegistry(role: .phone), EventRecorder())
        #expect(throws: SessionSetupError.self) { try registry.start.start(hopeless, registry) }
        let session = registry.use { WCSession.default }
        session.delegate = recorder

        session.activate()

        await recorder.wait(for: 1)
        #expect(recorder.events == ["activated 0 7001, reads 0"])
    }

    @Test func `a setup that cannot be used is refused before anything starts`() {
        let registry = SessionRegistry(role: .phone)
        var setup = hopeless
        setup.name = ""
        #expect(throws: SessionSetupError.unusable(.name, value: "", wayOut: "use 1 to 64 bytes")) {
            try registry.start.start(setup, registry)
        }
        #expect(registry.start.fault == nil)
    }

    @Test func `the process's session cannot be set up when it is in use`() {
        _ = SessionRegistry.process.use { WCSession.default }
        #expect(throws: SessionSetupError.tooLate) { try WCSession.setUp(hopeless) }
    }
}
