import Foundation
import SyncCore
import SyncStore
import Synchronization

/// The counterparts of a device: always at least one, which belongs to nobody before the device is paired.
final class Peers: Sendable {
    private struct State {
        var all: [Peer] = []
        var facts: DeviceFacts
        var isStarted = false
    }

    private let device: StateFolder
    private let surroundings: Peer.Surroundings
    private let state: Mutex<State>
    /// Held while companions are told facts, so that an older fact never comes after a newer one.
    private let telling = Mutex(())

    /// Opens all counterparts of a device's folder.
    ///
    /// - Parameters:
    ///   - device: The device's folder.
    ///   - surroundings: What all counterparts share.
    ///   - transfers: What the engine's store holds of the transfers with a peer.
    /// - Throws: `FolderError`, `StoreError`, `FileStoreError`, ``DeviceError``.
    init(
        in device: StateFolder, _ surroundings: Peer.Surroundings, transfers: (PeerKey?) throws -> TransferState
    ) throws {
        self.device = device
        self.surroundings = surroundings
        var all: [Peer] = []
        repeat {
            all.append(try Peer(all.count + 1, in: device, surroundings, transfers: transfers))
        } while FileManager.default.fileExists(atPath: device.path(of: Peer.folderName(all.count + 1)))
        state = Mutex(State(all: all, facts: DeviceFacts(surroundings.setup)))
    }

    /// All of them, by their numbers; those that are nobody's included.
    var all: [Peer] { state.withLock(\.all) }

    /// What is true of the device.
    var facts: DeviceFacts { state.withLock(\.facts) }

    /// The one with this key.
    func with(_ peer: PeerKey) -> Peer? { all.first { $0.identity?.peer == peer } }

    /// Lets the companions begin.
    func start() {
        telling.withLock { _ in
            let (all, facts) = state.withLock { state in
                state.isStarted = true
                return (state.all, state.facts)
            }
            for counterpart in all { counterpart.start(facts.inputs(of: surroundings.setup.side)) }
        }
    }

    /// Tells all companions what is true of the device from now on.
    func tell(_ input: PeerState.Input) {
        telling.withLock { _ in
            let all = state.withLock { state in
                state.facts.note(input)
                return state.all
            }
            for counterpart in all { counterpart.shell.handle(input) }
        }
    }

    /// Takes somebody as a counterpart: again, as the one that belongs to nobody, or as a new one.
    ///
    /// - Throws: As ``init(in:_:transfers:)``; then it is no counterpart.
    @discardableResult
    func take(_ identity: Peer.Identity) throws -> Peer {
        if let known = identity.peer.flatMap(with) {
            if known.identity != identity { try known.identify(identity) }
            return known
        }
        if let free = all.first(where: { $0.identity == nil }) {
            try free.identify(identity)
            // An engine has nothing yet for somebody new. What was left of a pairing before is settled by that.
            free.report(.engineStarted(PeerState.Holdings()))
            free.report(.paired(true))
            return free
        }
        return try telling.withLock { _ in
            let (counterpart, facts) = try state.withLock { state in
                let new = try Peer(state.all.count + 1, in: device, surroundings) { _ in TransferState() }
                try new.identify(identity)
                state.all.append(new)
                return (new, state.isStarted ? state.facts : nil)
            }
            if let facts { counterpart.start(facts.inputs(of: surroundings.setup.side)) }
            return counterpart
        }
    }

    /// Forgets who a counterpart was; its place is the next one's.
    func release(_ counterpart: Peer) throws {
        try counterpart.identify(nil)
        counterpart.report(.link(isOpen: false))
        counterpart.report(.paired(false))
    }

    /// What is asked of any of them from now on has no answer.
    func end() {
        for counterpart in all { counterpart.link.end() }
    }
}
