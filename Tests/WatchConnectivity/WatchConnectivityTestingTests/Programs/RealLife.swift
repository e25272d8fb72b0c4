import Foundation

@testable import WatchConnectivity
@testable import WatchConnectivityTesting

/// One life of a device of a program: everything is real but its process, which is the test's own.
// Unchecked: a session is not Sendable, because clients may subclass it; what it keeps itself is locked.
final class RealLife: @unchecked Sendable {
    let app: any ProgramApp & WCSessionDelegate
    let device: RealDevice
    let session: WCSession
    private let registry: SessionRegistry
    private let observations: [NSKeyValueObservation]

    /// Opens the device's folder and starts it, with an app that is not activated.
    ///
    /// - Throws: As the device does, also while the life before still has the folder.
    init(_ setup: SessionSetup, _ app: any ProgramApp & WCSessionDelegate, _ bell: Bell) throws {
        self.app = app
        registry = SessionRegistry(role: setup.side)
        device = try RealDevice(setup, on: registry, trace: { _ in })
        registry.host = device
        device.start()
        session = registry.defaultSession
        session.delegate = app
        observations = [
            session.observe(\.hasContentPending) { _, _ in bell.ring() },
            session.observe(\.isReachable) { _, _ in bell.ring() },
            session.observe(\.activationState) { _, _ in bell.ring() },
            session.observe(\.isCompanionAppInstalled) { _, _ in bell.ring() },
        ]
    }

    /// Ends the link; the folder is free when nobody holds this life any more.
    func stop() {
        for observation in observations { observation.invalidate() }
        device.stop()
    }
}
