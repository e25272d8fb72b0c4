#if Processes
    import Foundation
    import Platform
    import SyncCore
    import SyncStore

    /// The counterparts of a device.
    ///
    /// There is always at least one; it is free (belongs to no watch or phone) until the device is paired.
    final class Peers: Sendable {
        private struct State {
            var all: [Peer] = []
            var facts: DeviceFacts
            var isStarted = false
        }

        private let device: StateFolder
        private let deviceContext: Peer.DeviceContext
        private let state: Lock<State>
        /// Held while peers get facts, so that an older fact never arrives after a newer one.
        private let reportLock = Lock(())

        /// Opens all counterparts in a device's folder.
        ///
        /// - Parameters:
        ///   - device: The device's folder.
        ///   - deviceContext: The values that all counterparts share.
        ///   - transfers: What the engine's store holds about the transfers with a peer.
        /// - Throws: `FolderError`, `StoreError`, `FileStoreError`, ``DeviceError``.
        init(
            in device: StateFolder, _ deviceContext: Peer.DeviceContext, transfers: (PeerKey?) throws -> TransferState
        ) throws {
            self.device = device
            self.deviceContext = deviceContext
            var all: [Peer] = []
            repeat {
                all.append(try Peer(all.count + 1, in: device, deviceContext, transfers: transfers))
            } while FileManager.default.fileExists(atPath: device.path(of: Peer.folderName(all.count + 1)))
            state = Lock(State(all: all, facts: DeviceFacts(deviceContext.setup)))
        }

        /// All of them, in the order of their numbers, including free ones.
        var all: [Peer] { state.withLock(\.all) }

        /// The facts about the device.
        var facts: DeviceFacts { state.withLock(\.facts) }

        /// The counterpart with this key.
        func with(_ peer: PeerKey) -> Peer? { all.first { $0.identity?.peer == peer } }

        /// Starts all peers.
        func start() {
            reportLock.withLock { _ in
                let (all, facts) = state.withLock { state in
                    state.isStarted = true
                    return (state.all, state.facts)
                }
                for counterpart in all { counterpart.start(facts.inputs(of: deviceContext.setup.side)) }
            }
        }

        /// Passes a fact about the device to all peers.
        func tell(_ input: PeerState.Input) {
            reportLock.withLock { _ in
                let all = state.withLock { state in
                    state.facts.note(input)
                    return state.all
                }
                for counterpart in all { counterpart.peerDriver.handle(input) }
            }
        }

        /// Adds a counterpart: an already known one, in the place of a free one, or as a new one.
        ///
        /// - Throws: As ``init(in:_:transfers:)``; the counterpart is not added then.
        @discardableResult
        func take(_ identity: Peer.Identity) throws -> Peer {
            if let known = identity.peer.flatMap(with) {
                if known.identity != identity { try known.identify(identity) }
                return known
            }
            if let free = all.first(where: { $0.identity == nil }) {
                try free.identify(identity)
                // The engine holds nothing yet for a new counterpart. This also settles what an earlier pairing left.
                free.report(.engineStarted(PeerState.StoredTransfers()))
                free.report(.paired(true))
                return free
            }
            return try reportLock.withLock { _ in
                let (counterpart, facts) = try state.withLock { state in
                    let new = try Peer(state.all.count + 1, in: device, deviceContext) { _ in TransferState() }
                    try new.identify(identity)
                    state.all.append(new)
                    return (new, state.isStarted ? state.facts : nil)
                }
                if let facts { counterpart.start(facts.inputs(of: deviceContext.setup.side)) }
                return counterpart
            }
        }

        /// Frees the place of a counterpart for the next one.
        func release(_ counterpart: Peer) throws {
            try counterpart.identify(nil)
            counterpart.report(.link(isOpen: false))
            counterpart.report(.paired(false))
        }

        /// Requests to any of them get no answer from now on.
        func end() {
            for counterpart in all { counterpart.link.end() }
        }
    }
#endif
