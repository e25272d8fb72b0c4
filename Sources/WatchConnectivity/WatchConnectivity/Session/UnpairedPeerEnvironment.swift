import Dispatch
import Foundation
import SyncCore
import Synchronization

/// The ports of a companion that has neither a disk nor a counterpart: it works as a device that is not paired.
final class UnpairedPeerEnvironment: PeerEnvironment {
    private struct Shell: Sendable {
        weak let shell: PeerDriver?
    }

    private let queue = DispatchQueue(label: "WatchConnectivity.unpaired")
    private let shell = Mutex<Shell?>(nil)
    private let start = ContinuousClock.now
    /// The number of the wish that counts.
    private let wish = Mutex<UInt64>(0)

    func attach(_ shell: PeerDriver) {
        self.shell.withLock { $0 = Shell(shell: shell) }
    }

    var moment: Moment {
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        return Moment(
            monotonic: Instant(nanoseconds: seconds * 1_000_000_000 + attoseconds / 1_000_000_000),
            wallMilliseconds: Int64(Date.now.timeIntervalSince1970 * 1_000))
    }

    func persist(_ record: PeerState.Record) {}

    func ask(_ request: PeerState.EngineRequest, tag: PeerState.EngineTag) {
        // There is no engine: anybody who waits for an answer learns it.
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

    func wake(at deadline: Instant?) {
        let number = wish.withLock { wish in
            wish += 1
            return wish
        }
        guard let deadline else { return }
        let wait = max(0, deadline.nanoseconds - moment.monotonic.nanoseconds)
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(wait))) { [weak self] in
            guard let self, wish.withLock({ $0 == number }) else { return }
            owner?.handle(.timeReached)
        }
    }

    func enqueue(_ work: @escaping @Sendable () -> Void) {
        queue.async(execute: work)
    }

    func trace(_ event: TraceEvent) {
        TraceWriter.unpaired.write(event)
    }

    private func report(_ input: PeerState.Input) {
        queue.async { [weak self] in self?.owner?.handle(input) }
    }

    private var owner: PeerDriver? { shell.withLock { $0?.shell } }
}

extension PeerClient {
    /// The line of a device that is not paired (trap T11).
    static func unpaired(_ role: PeerState.Role) -> PeerClient {
        let ports = UnpairedPeerEnvironment()
        let companion = PeerState(
            configuration: PeerState.Configuration(role: role), stored: [:], holdings: PeerState.Holdings(),
            seed: UInt64.random(in: .min ... .max))
        let shell = PeerDriver(companion, ports: ports)
        ports.attach(shell)
        let line = PeerClient(shell: shell, role: role)
        shell.start()
        shell.handle(.paired(false))
        shell.handle(.appState(.foreground))
        return line
    }
}
