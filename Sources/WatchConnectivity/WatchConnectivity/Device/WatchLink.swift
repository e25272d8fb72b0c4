#if Processes
    import Dispatch
    import Foundation
    import Logging
    import Platform
    import SyncCore
    import SyncStore
    import SyncTransport
    import ZeroMQ

    /// A watch's end of the link to its phone.
    ///
    /// An unpaired watch looks for an invitation. A paired watch connects to its phone; if the rendezvous folder names
    /// another endpoint of that phone, it uses that one.
    final class WatchLink: DeviceLink {
        private let setup: SessionSetup
        private let folder: StateFolder
        private let keys: CurveKeyPair
        private let counterparts: Peers
        private let observer: DeviceObserver
        let records: LinkRecords
        private let linkState: Lock<LinkState>

        /// The progress of the link's transport.
        ///
        ///     none ──follow──▶ running ──end──▶ ending
        ///      ▲                                  │
        ///      └──────the transport has ended─────┘
        ///
        ///     every phase ──stop──▶ stopped
        private enum Phase {
            case none
            case running(TransportRun, WatchTransport)
            /// The transport was cancelled, and still releases the store.
            case ending(TransportRun)
            /// The device stopped, with its last transport; there is no other one.
            case stopped(TransportRun?)

            /// The run that may still use the store.
            var run: TransportRun? {
                switch self {
                case .none: nil
                case .running(let run, _), .ending(let run): run
                case .stopped(let run): run
                }
            }

            /// The transport of the link.
            var transport: WatchTransport? {
                switch self {
                case .running(_, let transport): transport
                case .none, .ending, .stopped: nil
                }
            }

            var isStopped: Bool {
                switch self {
                case .stopped: true
                case .none, .running, .ending: false
                }
            }
        }

        private struct LinkState {
            /// The store; nil while it is being recreated, and after the end.
            var store: WatchStore?
            var phase = Phase.none
            /// Looks for an invitation, or for the phone's present endpoint.
            var search: Task<Void, Never>?
            /// The code in the rendezvous folder that belongs to another app, so that it is tried and traced only once.
            var foreignCode: String?
        }

        /// The pauses between two reads of the rendezvous folder.
        private static let pauses = (shortest: Duration.milliseconds(50), longest: Duration.milliseconds(500))
        /// The time for one invitation before the watch checks for another one.
        private static let patience = Duration.seconds(3)

        /// Opens the watch's store; the search begins with ``start()``.
        ///
        /// - Throws: `FolderError`, `StoreError`, ``DeviceError``, and the errors of keys.
        init(in folder: StateFolder, _ deviceContext: Peer.DeviceContext) throws {
            self.folder = folder
            (setup, observer) = (deviceContext.setup, deviceContext.observer)
            keys = try DeviceKeys.keys(in: folder)
            let store = try WatchStore(in: folder)
            if let damaged = store.setAside {
                observer.trace(
                    .warning("the watch's store was damaged (\(damaged.finding)) and lies in \(damaged.path) now"))
            }
            linkState = Lock(LinkState(store: store))
            records = LinkRecords(setup.records, observer)
            counterparts = try Peers(in: folder, deviceContext) { _ in try store.load().transfers }
            try showRecords(of: store)
        }

        /// The watch's only phone.
        var all: Peers { counterparts }

        private var phone: Peer { counterparts.all[0] }

        /// Shows the records of a store, before the engine of a link has them.
        private func showRecords(of store: WatchStore) throws {
            try records.show { rules in
                let engine = WatchEngine(
                    configuration: engineConfiguration(name: setup.name), state: try store.load(), seed: 0)
                return RecordsContents(
                    view: engine.view, conflicts: engine.snapshot?.conflicts.values.map(\.self) ?? [], rules: rules)
            }
        }

        private func engineConfiguration(name: String) -> WatchEngine.Configuration {
            WatchEngine.Configuration(
                name: name, app: setup.appName, schemaVersions: setup.recordVersions,
                transfers: setup.behaviour.engineConfiguration)
        }

        // MARK: - Running

        func start() {
            if let identity = phone.identity { follow(identity) } else { lookForInvitation() }
        }

        /// Connects to the phone that the watch is paired with.
        ///
        /// - Parameters:
        ///   - identity: The phone.
        ///   - isAnew: Whether the peer has to be notified of what the engine holds; false at the start, when it knows.
        private func follow(_ identity: Peer.Identity, isAnew: Bool = false) {
            do {
                guard let store = linkState.withLock(\.store) else { throw DeviceError.ended }
                let state = try store.load()
                let transport = try self.transport(of: identity, on: store, state)
                // This comes before any event of the transport. Requests that the last transport did not answer are
                // sent again.
                if isAnew { phone.report(.engineStarted(PeerState.StoredTransfers(state.transfers))) }
                let run = TransportRun {
                    try await transport.run()
                } onEnd: { [observer] in
                    observer.trace(.warning("the link has ended: \($0)"))
                }
                let isStopped = linkState.withLock { linkState in
                    let isStopped = linkState.phase.isStopped
                    linkState.phase = isStopped ? .stopped(run) : .running(run, transport)
                    return isStopped
                }
                if isStopped { return run.cancel() }
                phone.link.open(.watch(transport))
                records.open(.watch(transport, keys.publicKey.peerKey))
            } catch {
                observer.trace(.warning("the watch cannot follow its phone: \(error)"))
            }
        }

        private func transport(
            of identity: Peer.Identity, on store: WatchStore, _ state: WatchEngine.State
        ) throws -> WatchTransport {
            guard let endpoint = identity.endpoint, let key = identity.peer else { throw DeviceError.ended }
            let phone = phone
            return WatchTransport(
                configuration: .init(
                    endpoint: try Endpoint(endpoint), hubKey: try CurvePublicKey(bytes: key.bytes), keys: keys,
                    engine: engineConfiguration(name: identity.name)),
                state: state, storage: store, files: phone.files,
                logger: Logger(label: "WatchConnectivity") { _ in SwiftLogNoOpLogHandler() },
                onTransfer: { phone.report(.engineEvent($0)) },
                onEvent: { [weak self] event in
                    switch event {
                    case .engine(.linkChanged(let link)): self?.linkChanged(link)
                    case .transport(let transport): self?.transportChanged(transport, of: identity)
                    case .engine(.snapshotChanged), .engine(.editsConfirmed): self?.records.refreshSoon()
                    case .engine(.registerChanged), .engine(.hubForked), .engine(.dropped), .engine(.notStored):
                        break
                    }
                })
        }

        private func linkChanged(_ link: WatchEngine.Link) {
            switch link {
            case .waiting: break
            case .linked: observer.trace(.link("linked with the phone"))
            case .lost: observer.trace(.link("no longer linked with the phone"))
            case .refused(let refusal): observer.trace(.link("the phone refused: \(refusal.text)"))
            }
            phone.report(.link(isOpen: link == .linked))
        }

        private func transportChanged(_ transport: WatchTransport.Transport, of identity: Peer.Identity) {
            switch transport {
            case .connected: linkState.withLock(\.search)?.cancel()
            case .connecting: break
            case .unreachable, .notAdmitted, .unfinished, .notThisHub:
                observer.trace(.link(transport.words))
                lookForPhone(identity)
            }
        }

        func stop(atMost patience: DispatchTimeInterval) {
            let (run, search, store) = linkState.withLock { linkState in
                let run = linkState.phase.run
                linkState.phase = .stopped(run)
                return (run, linkState.search, linkState.store)
            }
            search?.cancel()
            run?.cancel()
            run?.wait(atMost: patience)
            counterparts.end()
            store?.close()
        }

        // MARK: - Searching

        private func search(_ body: @escaping @Sendable () async -> Void) {
            linkState.withLock { linkState in
                guard !linkState.phase.isStopped else { return }
                linkState.search?.cancel()
                linkState.search = Task { await body() }
            }
        }

        /// Looks for the phone's present endpoint while nothing answers at the known one.
        private func lookForPhone(_ identity: Peer.Identity) {
            guard let place = setup.meetingFolder else { return }
            search { [weak self] in
                await Self.look { [weak self] in
                    if let code = RendezvousFolder.invitation(in: place) { self?.phoneShows(code, identity) }
                    return false
                }
            }
        }

        private func phoneShows(_ code: InvitationCode, _ identity: Peer.Identity) {
            guard code.hubKey.peerKey == identity.peer else { return }
            linkState.withLock(\.phase.transport)?.follow(code.endpoint)
            guard code.endpoint.text != identity.endpoint, phone.identity?.endpoint != code.endpoint.text else {
                return
            }
            var moved = identity
            moved.endpoint = code.endpoint.text
            do {
                try phone.identify(moved)
            } catch {
                // Remembering it would only save the next run the search.
                observer.trace(.warning("the phone's endpoint is not remembered: \(error)"))
            }
        }

        /// Pairs with the code of the setup, or with the one in the rendezvous folder.
        private func lookForInvitation() {
            guard setup.invitation != nil || setup.meetingFolder != nil else { return }
            search { [weak self] in
                await Self.look { [weak self] in
                    guard let self else { return true }
                    return await acceptInvitation()
                }
            }
        }

        /// Returns whether the search is over.
        private func acceptInvitation() async -> Bool {
            var code: InvitationCode?
            do {
                code = try invitation
                guard let code, code.text != linkState.withLock(\.foreignCode) else { return false }
                try await pair(with: code, patience: Self.patience)
                return true
            } catch LinkError.pairingTimedOut(let obstacle) {
                observer.trace(.link("not paired yet: \(obstacle)"))
                return false
            } catch is CancellationError {
                return true
            } catch {
                observer.trace(.warning("the watch cannot be paired: \(error)"))
                if (error as? LinkError)?.isOfOtherApp == true { linkState.withLock { $0.foreignCode = code?.text } }
                // The rendezvous folder may show another code later; the code of the setup does not change.
                return setup.meetingFolder == nil
            }
        }

        private var invitation: InvitationCode? {
            get throws {
                if let text = setup.invitation { return try InvitationCode(text) }
                return setup.meetingFolder.flatMap { RendezvousFolder.invitation(in: $0) }
            }
        }

        /// Repeats the search, with pauses, until it is over or the task is cancelled.
        private static func look(_ look: @Sendable () async -> Bool) async {
            var pause = pauses.shortest
            while !Task.isCancelled {
                if await look() { return }
                // Only cancellation ends the sleep early.
                try? await Task.sleep(for: pause)
                pause = min(pause * 2, pauses.longest)
            }
        }

        // MARK: - Pairing

        /// Pairs with the phone of an invitation, and connects to it.
        ///
        /// - Throws: `LinkError`, and the errors of the disk.
        func pair(with code: InvitationCode, patience: Duration) async throws {
            let name = try await PairingTransport.pair(
                code, as: keys.publicKey, name: setup.name, app: setup.appName, patience: patience)
            let identity = Peer.Identity(
                key: code.hubKey.peerKey.hexadecimal, name: name, endpoint: code.endpoint.text)
            if let known = phone.identity, known.key != identity.key { try await forget() }
            await end()
            try phone.identify(identity)
            phone.report(.paired(true))
            observer.trace(.link("paired as \(name)"))
            observer.counterpartsChanged()
            follow(identity, isAnew: true)
        }

        func unpair(_ counterpart: Peer) async throws {
            linkState.withLock(\.search)?.cancel()
            try await forget()
            observer.counterpartsChanged()
        }

        /// Removes the phone, and everything that was exchanged with it.
        private func forget() async throws {
            await end()
            try counterparts.release(phone)
            let store = linkState.withLock { linkState in
                defer { linkState.store = nil }
                return linkState.store
            }
            guard let store else { return }
            store.close()
            // The main file is removed first: a journal without its file counts as damage and is moved aside; it never
            // counts as new.
            for path in ["", "-wal", "-shm", "-journal"].map({ store.path + $0 })
            where FileManager.default.fileExists(atPath: path) {
                try FileManager.default.removeItem(atPath: path)
            }
            let new = try WatchStore(in: folder)
            linkState.withLock { $0.store = new }
            await records.waitForReading()
            try showRecords(of: new)
        }

        /// Ends the link, if there is one; returns when its transport has answered everything and released the store.
        private func end() async {
            let run = linkState.withLock { linkState in
                if case .running(let run, _) = linkState.phase { linkState.phase = .ending(run) }
                return linkState.phase.run
            }
            phone.closeLink()
            records.close()
            guard let run else { return }
            run.cancel()
            observer.trace(.link("the link is let go"))
            await run.waitForEnd()
            linkState.withLock { linkState in
                if case .ending(let ended) = linkState.phase, ended === run { linkState.phase = .none }
            }
        }
    }

    extension LinkError {
        /// Whether the hub refused because it belongs to another app; trying again would not help.
        fileprivate var isOfOtherApp: Bool {
            switch self {
            case .otherApp: true
            case .pairingRefused(let refusal): refusal.code == .otherApp
            case .endpoint, .notProtected, .ended, .refused, .pairingTimedOut, .invitation, .transport: false
            }
        }
    }

    extension WatchTransport.Transport {
        /// The text for people.
        fileprivate var words: String {
            switch self {
            case .connecting: "the phone is being looked for"
            case .unreachable: "nothing answers where the phone was"
            case .notAdmitted: "the phone does not know this watch any more, or just starts"
            case .unfinished:
                "what answers does not finish the handshake: the phone has much to do, or it is another program"
            case .notThisHub:
                "what answers breaks the handshake off: it is not the phone of this watch, or that is in trouble"
            case .connected: "connected"
            }
        }
    }
#endif
