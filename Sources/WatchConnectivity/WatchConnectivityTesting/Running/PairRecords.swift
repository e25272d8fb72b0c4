import Platform
import SyncCore
import SyncSimulation
import WatchConnectivity

/// The shared records of a simulated device, from its start until it loses power.
final class PairRecords: RecordsDriver {
    private typealias Waiting = CheckedContinuation<SharedRecords.Outcome?, Never>

    private enum State {
        case open([RequestID: Waiting])
        case ended
    }

    private weak let stage: PairRunner?
    private let device: DeviceID
    private let state = Lock(State.open([:]))

    init(stage: PairRunner, device: DeviceID) {
        self.stage = stage
        self.device = device
    }

    var recordsContents: RecordsContents {
        stage?.world.withLock { $0.recordsContents(of: device) } ?? RecordsContents()
    }

    func peerKey(of watch: SessionWatch.ID?) -> PeerKey? {
        guard let stage else { return nil }
        let number: Int?
        switch device {
        case .watch(let own): number = own
        case .hub: number = stage.sides(of: .hub).map(\.watch).first { PairRunner.watch($0).id == watch }
        }
        return number.map { number in stage.world.withLock { $0.key(of: number) } }
    }

    func change(_ changes: [CellChange]) async throws(SharedRecordsError) -> SharedRecords.Outcome {
        try await ask(.change(changes))
    }

    func settle(_ conflict: RandomID, restoring: Bool) async throws(SharedRecordsError) -> SharedRecords.Outcome {
        try await ask(.settle(conflict, restoring: restoring))
    }

    private func ask(_ request: RecordsRequest) async throws(SharedRecordsError) -> SharedRecords.Outcome {
        if case .watch(let number) = device, stage?.world.withLock({ $0.isPaired(number) }) == false {
            throw .notPaired
        }
        let outcome: SharedRecords.Outcome? = await withCheckedContinuation { continuation in
            let isTaken = state.withLock { state in
                // An answer takes this lock, so it comes after the entry.
                guard case .open(var waiting) = state,
                    let id = stage?.world.withLock({ $0.ask(request, of: device) })
                else { return false }
                waiting[id] = continuation
                state = .open(waiting)
                return true
            }
            if !isTaken { continuation.resume(returning: nil) }
        }
        guard let outcome else { throw .interrupted }
        return outcome
    }

    func answered(_ request: RequestID, _ outcome: SharedRecords.Outcome) {
        let continuation = state.withLock { state -> Waiting? in
            guard case .open(var waiting) = state else { return nil }
            let continuation = waiting.removeValue(forKey: request)
            state = .open(waiting)
            return continuation
        }
        continuation?.resume(returning: outcome)
    }

    /// The device has lost power: nothing is answered any more.
    func end() {
        let waiting = state.withLock { state -> [Waiting] in
            defer { state = .ended }
            guard case .open(let waiting) = state else { return [] }
            return Array(waiting.values)
        }
        for continuation in waiting { continuation.resume(returning: nil) }
    }
}
