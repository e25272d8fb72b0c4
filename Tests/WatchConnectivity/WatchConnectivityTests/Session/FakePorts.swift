import Dispatch
import Foundation
import Platform
import SyncCore

@testable import WatchConnectivity

/// Ports without a disk and an engine: what a companion asks is kept, and the test answers.
final class FakePorts: PeerEnvironment {
    struct State {
        var asked: [(tag: PeerState.EngineTag, request: PeerState.EngineRequest)] = []
        var traced: [TraceEvent] = []
        var launches: [PeerState.LaunchReason] = []
        var directory: String?
        /// The work that was enqueued and has not ended.
        var pendingCount = 0
        weak var peerDriver: PeerDriver?
    }

    let state = Lock(State())
    private let queue = DispatchQueue(label: "WatchConnectivityTests.calls")
    private static let key = DispatchSpecificKey<Bool>()

    init() {
        queue.setSpecific(key: Self.key, value: true)
    }

    /// Whether the code runs on a session's queue.
    static var isOnQueue: Bool { DispatchQueue.getSpecific(key: key) == true }

    var moment: Moment { Moment(monotonic: Instant(nanoseconds: 1_000_000_000), wallMilliseconds: 1_000_000) }
    func persist(_ record: PeerState.Record) {}
    func ask(_ request: PeerState.EngineRequest, tag: PeerState.EngineTag) {
        state.withLock { $0.asked.append((tag, request)) }
    }
    func copyFile(_ id: RandomID, path: String) {
        let digest = FileDigest(bytes: [UInt8](repeating: 7, count: 32))
        let peerDriver = state.withLock(\.peerDriver)
        enqueue {
            guard let digest, FileManager.default.isReadableFile(atPath: path) else {
                peerDriver?.handle(.fileNotCopied(id, .fileAccessDenied))
                return
            }
            let copied = PeerState.CopiedFile(file: "copy", name: "name", byteCount: 5, digest: digest)
            peerDriver?.handle(.fileCopied(id, copied))
        }
    }
    func releaseCopy(_ file: String) {}
    func path(of file: FileOffer) -> String? { nil }
    func remove(_ file: FileOffer) {}
    func launchApp(_ reason: PeerState.LaunchReason) { state.withLock { $0.launches.append(reason) } }
    func watchDirectory(exists: Bool) { state.withLock { $0.directory = exists ? "/watch" : nil } }
    var watchDirectoryPath: String? { state.withLock(\.directory) }
    func wake(at deadline: Instant?) {}
    func trace(_ event: TraceEvent) { state.withLock { $0.traced.append(event) } }

    func enqueue(_ work: @escaping @Sendable () -> Void) {
        state.withLock { $0.pendingCount += 1 }
        queue.async { [self] in
            work()
            state.withLock { $0.pendingCount -= 1 }
        }
    }

    /// Lets the queue wait while something is done.
    func hold(_ body: () -> Void) {
        queue.suspend()
        body()
        queue.resume()
    }

    /// Returns when all work is done, also that which comes of it.
    func settle() {
        while state.withLock({ $0.pendingCount > 0 }) { queue.sync {} }
    }

    var traced: [TraceEvent] { state.withLock(\.traced) }
}

/// A companion on fake ports, paired with a counterpart that has its app and is out of reach.
struct FakeDevice {
    let environment = FakePorts()
    let peerDriver: PeerDriver
    let role: PeerState.Role

    init(_ role: PeerState.Role, _ behaviour: SessionBehaviour = SessionBehaviour(), isPaired: Bool = true) {
        self.role = role
        let peerState = PeerState(
            configuration: PeerState.Configuration(role: role, behaviour: behaviour),
            // What the counterpart told in an earlier run.
            stored: isPaired ? [DeviceSide.Key.counterpart: DeviceStatus().packed] : [:],
            storedTransfers: PeerState.StoredTransfers(), seed: 1)
        let peerDriver = PeerDriver(peerState, environment: environment)
        environment.state.withLock { $0.peerDriver = peerDriver }
        self.peerDriver = peerDriver
        peerDriver.start()
        if isPaired { peerDriver.handle(.paired(true)) }
        peerDriver.handle(.appState(.foreground))
    }

    /// A session on this device, whose queue is settled by ``settle()``.
    func session() -> WCSession { WCSession(peerDriver: peerDriver, role: role) }

    func settle() { environment.settle() }
}
