import Dispatch
import Foundation
import Platform
import SyncCore

/// The environment of a peer without a disk and without a counterpart: it behaves like an unpaired device.
final class UnpairedPeerEnvironment: PeerEnvironment {
    private let queue = DispatchQueue(label: "WatchConnectivity.unpaired")
    private let peerDriver = Lock<WeakReference<PeerDriver>?>(nil)
    private let timer = Lock<DeviceTimer?>(nil)

    func attach(_ peerDriver: PeerDriver) {
        self.peerDriver.withLock { $0 = WeakReference(peerDriver) }
        timer.withLock { $0 = DeviceTimer(on: queue) { [weak self] in self?.owner?.handle(.timeReached) } }
    }

    var moment: Moment { .now }
    func wake(at deadline: Instant?) {
        timer.withLock { $0?.set(deadline) }
    }
    func persist(_ record: PeerState.Record) {}

    func ask(_ request: PeerState.EngineRequest, tag: PeerState.EngineTag) {
        // There is no engine, so each request is answered with nil.
        report(.engineAnswered(tag, nil))
    }

    func copyFile(_ id: RandomID, path: String) {
        report(.fileNotCopied(id, .fileAccessDenied))
    }

    func releaseCopy(_ file: String) {}

    func path(of file: FileOffer) -> String? { nil }

    func remove(_ file: FileOffer) {}

    func launchApp(_ reason: PeerState.LaunchReason) {}

    func watchDirectory(exists: Bool) {}

    var watchDirectoryPath: String? { nil }

    func enqueue(_ work: @escaping @Sendable () -> Void) {
        queue.async(execute: work)
    }

    func trace(_ event: TraceEvent) {
        TraceWriter.unpaired.write(event)
    }

    private func report(_ input: PeerState.Input) {
        queue.async { [weak self] in self?.owner?.handle(input) }
    }

    private var owner: PeerDriver? { peerDriver.withLock { $0?.object } }
}

extension PeerClient {
    /// The client of an unpaired device.
    static func unpaired(_ role: PeerState.Role) -> PeerClient {
        let environment = UnpairedPeerEnvironment()
        let peerState = PeerState(
            configuration: PeerState.Configuration(role: role), stored: [:],
            storedTransfers: PeerState.StoredTransfers(),
            seed: UInt64.random(in: .min ... .max))
        let peerDriver = PeerDriver(peerState, environment: environment)
        environment.attach(peerDriver)
        let client = PeerClient(peerDriver: peerDriver, role: role)
        peerDriver.start()
        peerDriver.handle(.paired(false))
        peerDriver.handle(.appState(.foreground))
        return client
    }
}
