#if Processes
    import Dispatch
    import Foundation
    import Logging
    import Platform
    import SyncCore
    import SyncStore
    import SyncTransport
    import ZeroMQ

    /// A phone's end of the links to its watches.
    ///
    /// Unless the setup names an endpoint, it listens on its last one if the port is free, so that its watches find it
    /// again.
    final class PhoneLink: DeviceLink {
        private let setup: SessionSetup
        private let folder: StateFolder
        private let store: HubStore
        private let keys: CurveKeyPair
        private let counterparts: Peers
        private let place: RendezvousFolder.Host?
        private let observer: DeviceObserver
        let records: LinkRecords
        private let linkState = Lock(LinkState())

        private enum Phase {
            /// The callers that wait until watches can connect.
            case starting([CheckedContinuation<HubTransport, any Error>])
            /// Watches can connect.
            case listening(HubTransport)
            case ended

            var isEnded: Bool { if case .ended = self { true } else { false } }

            /// Changes the phase, and returns the callers that waited.
            mutating func become(_ next: Phase) -> [CheckedContinuation<HubTransport, any Error>] {
                guard !isEnded else { return [] }
                defer { self = next }
                return if case .starting(let waiting) = self { waiting } else { [] }
            }
        }

        private struct LinkState {
            var phase = Phase.starting([])
            var run: TransportRun?
            var invitations: Task<Void, Never>?
            /// Wakes the task that shows invitations.
            var invitationUsed: AsyncStream<Void>.Continuation?
        }

        private static let endpointName = "endpoint"
        /// The validity of an invitation, and the time after which another one is shown, in seconds.
        private static let invitationSeconds: (valid: Int64, shown: Int64) = (7200, 3600)

        /// Opens the phone's store; it listens only after ``start()``.
        ///
        /// - Throws: `FolderError`, `StoreError`, ``DeviceError``, and the errors of keys.
        init(in folder: StateFolder, _ deviceContext: Peer.DeviceContext) throws {
            self.folder = folder
            (setup, observer) = (deviceContext.setup, deviceContext.observer)
            place = try setup.meetingFolder.map { try RendezvousFolder.Host($0) }
            keys = try DeviceKeys.keys(in: folder)
            var generator = SystemRandomNumberGenerator()
            let store = try HubStore(in: folder, firstEpoch: Epoch(number: generator.next()))
            if store.wasPutBack != nil { try store.beginEpoch() }
            self.store = store
            records = LinkRecords(setup.records, observer)
            counterparts = try Peers(in: folder, deviceContext) { peer in
                try peer.map { try store.transfers(with: $0) } ?? TransferState()
            }
            // A crash may have happened after a pairing, before the peer was notified of it.
            for watch in try watches() {
                try counterparts.take(.init(key: watch.key.hexadecimal, name: watch.name))
            }
            records.starting = { [weak self] in
                guard let self else { throw DeviceError.ended }
                return .phone(try await running())
            }
            try records.show { rules in
                let ledger = try store.load()
                return RecordsContents(cells: ledger.cells, conflicts: ledger.conflicts.values, rules: rules)
            }
        }

        /// The watches of this phone.
        var all: Peers { counterparts }

        private func watches() throws -> [PairedWatch] {
            let engine = HubEngine(configuration: engineConfiguration, state: try store.load(), seed: 1, at: .now)
            return engine.watches.map(\.watch)
        }

        private var engineConfiguration: HubEngine.Configuration {
            var configuration = HubEngine.Configuration(
                app: setup.appName, unnamedApp: SessionSetup.unnamedApp,
                schema: SharedRecords.schema(setup.records, versions: setup.recordVersions),
                heartbeat: setup.heartbeat, transfers: setup.behaviour.engineConfiguration)
            configuration.mayWrite = { [counterparts, permission = setup.recordPermission] peer, key in
                counterparts.with(peer)?.watch.map { permission.allows($0, SharedRecords.Key(key)) } ?? false
            }
            return configuration
        }

        // MARK: - Running

        func start() {
            do {
                if let text = setup.endpoint {
                    run(at: try Endpoint(text), otherwise: nil)
                } else {
                    let free = try Endpoint("tcp://127.0.0.1:*")
                    let last = try folder.readSecret(Self.endpointName).map { String(decoding: $0, as: UTF8.self) }
                    run(at: try last.map { try Endpoint($0) } ?? free, otherwise: last == nil ? nil : free)
                }
            } catch {
                fail(error)
            }
        }

        /// Serves watches; at the other endpoint if the first one is not available.
        private func run(at endpoint: Endpoint, otherwise other: Endpoint?) {
            let transport: HubTransport
            do {
                transport = try self.transport(at: endpoint)
            } catch {
                return fail(error)
            }
            let run = TransportRun {
                try await transport.run { [weak self] endpoint in self?.isReady(transport, at: endpoint) }
            } onEnd: { [weak self] error in
                if let other, case .endpoint? = error as? LinkError {
                    self?.run(at: other, otherwise: nil)
                } else {
                    self?.fail(error)
                }
            }
            let isEnded = linkState.withLock { linkState in
                linkState.run = run
                return linkState.phase.isEnded
            }
            if isEnded { run.cancel() }
        }

        private func transport(at endpoint: Endpoint) throws -> HubTransport {
            let (counterparts, observer) = (counterparts, observer)
            return HubTransport(
                configuration: .init(endpoint: endpoint, keys: keys, engine: engineConfiguration),
                state: try store.load(), transfers: try store.transfers(), storage: store,
                files: { counterparts.with($0)?.files },
                logger: Logger(label: "WatchConnectivity") { _ in SwiftLogNoOpLogHandler() },
                onTransfer: { counterparts.with($0)?.report(.engineEvent($1)) },
                onEvent: { [weak self] event in
                    switch event {
                    case .paired(let watch): self?.paired(watch)
                    case .linked(let peer, let name):
                        observer.trace(.link("linked with \(name)"))
                        counterparts.with(peer)?.report(.link(isOpen: true))
                    case .unlinked(let peer, let name, let reason):
                        observer.trace(.link("no longer linked with \(name): \(reason)"))
                        counterparts.with(peer)?.report(.link(isOpen: false))
                    case .refused(_, let refusal): observer.trace(.link("refused a watch: \(refusal.text)"))
                    case .committed, .conflicted: self?.records.refreshSoon()
                    case .acknowledged, .uploadsTaken, .conflictsFull, .uploadsContradicted,
                        .clockSuspect, .forked, .duplicateWatch, .cutOff, .dropped, .registerRefused, .notStored:
                        break
                    }
                })
        }

        /// Called on the link's thread.
        private func isReady(_ transport: HubTransport, at endpoint: Endpoint) {
            observer.trace(.link("listening at \(endpoint.text)"))
            if setup.endpoint == nil {
                do {
                    try folder.writeSecret(Self.endpointName, Array(endpoint.text.utf8))
                } catch {
                    // Remembering it would only save its watches the search.
                    observer.trace(.warning("the endpoint is not remembered: \(error)"))
                }
            }
            for counterpart in counterparts.all { open(counterpart, by: transport) }
            records.open(.phone(transport))
            let waiting = linkState.withLock { $0.phase.become(.listening(transport)) }
            for continuation in waiting { continuation.resume(returning: transport) }
            if setup.invitationFile != nil || place != nil { showInvitations(of: transport) }
        }

        private func open(_ counterpart: Peer, by transport: HubTransport) {
            guard let peer = counterpart.identity?.peer else { return }
            counterpart.link.open(.phone(transport, watch: peer))
        }

        /// A watch was paired: it becomes a counterpart before its first message arrives.
        ///
        /// Called on the link's thread.
        private func paired(_ watch: PairedWatch) {
            do {
                let counterpart = try counterparts.take(.init(key: watch.key.hexadecimal, name: watch.name))
                if case .listening(let transport) = linkState.withLock(\.phase) { open(counterpart, by: transport) }
                observer.trace(.link("paired with \(watch.name)"))
            } catch {
                observer.trace(.warning("\(watch.name) was paired, but cannot be used: \(error)"))
            }
            observer.counterpartsChanged()
            _ = linkState.withLock { $0.invitationUsed?.yield() }
        }

        private func fail(_ error: any Error) {
            observer.trace(.warning("the phone cannot be reached by its watches: \(error)"))
            let waiting = linkState.withLock { linkState -> [CheckedContinuation<HubTransport, any Error>] in
                guard case .starting(let waiting) = linkState.phase else { return [] }
                linkState.phase = .starting([])
                return waiting
            }
            for continuation in waiting { continuation.resume(throwing: error) }
        }

        func stop(atMost patience: DispatchTimeInterval) {
            let (run, invitations, waiting) = linkState.withLock { linkState in
                (linkState.run, linkState.invitations, linkState.phase.become(.ended))
            }
            for continuation in waiting { continuation.resume(throwing: DeviceError.ended) }
            invitations?.cancel()
            run?.cancel()
            run?.wait(atMost: patience)
            counterparts.end()
            store.close()
        }

        // MARK: - Pairing

        /// Shows a new invitation when the last one was used or becomes old.
        private func showInvitations(of transport: HubTransport) {
            let (used, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            let task = Task { [weak self] in
                let clock = Task {
                    while !Task.isCancelled {
                        // Only cancellation ends the sleep early.
                        try? await Task.sleep(for: .seconds(Self.invitationSeconds.shown))
                        continuation.yield()
                    }
                }
                defer { clock.cancel() }
                await self?.showInvitation(of: transport)
                for await _ in used { await self?.showInvitation(of: transport) }
            }
            linkState.withLock { linkState in
                linkState.invitations = task
                linkState.invitationUsed = continuation
            }
        }

        private func showInvitation(of transport: HubTransport) async {
            do {
                let code = try await transport.invite(name: nil, validForSeconds: Self.invitationSeconds.valid)
                try place?.show(code)
                if let path = setup.invitationFile { try NewFile.write(Array((code.text + "\n").utf8), to: path) }
            } catch LinkError.ended {
                // No watch can pair any more.
            } catch {
                observer.trace(.warning("no watch can pair now: \(error)"))
            }
        }

        /// Invites one watch; waits until watches can connect.
        func invite() async throws -> String {
            let transport = try await running()
            return try await transport.invite(name: nil, validForSeconds: Self.invitationSeconds.valid).text
        }

        private func running() async throws -> HubTransport {
            try await withCheckedThrowingContinuation { continuation in
                let answer: Result<HubTransport, any Error>? = linkState.withLock { linkState in
                    switch linkState.phase {
                    case .ended: return .failure(DeviceError.ended)
                    case .listening(let transport): return .success(transport)
                    case .starting(let waiting):
                        linkState.phase = .starting(waiting + [continuation])
                        return nil
                    }
                }
                if let answer { continuation.resume(with: answer) }
            }
        }

        func unpair(_ counterpart: Peer) async throws {
            guard let peer = counterpart.identity?.peer else { return }
            try await running().unpair(peer)
            counterpart.closeLink()
            try counterparts.release(counterpart)
            observer.counterpartsChanged()
        }
    }
#endif
