#if Processes
    import Platform
    import SyncCore
    import SyncTransport

    /// The shared records of a real device: what its link's engine shows, and changes of it.
    final class LinkRecords: RecordsDriver {
        typealias Rules = [SharedRecords.Name: SharedRecords.Rule]

        /// A transport, and on a watch its key.
        enum Transport: Sendable {
            case phone(HubTransport)
            case watch(WatchTransport, PeerKey)
        }

        private struct State: Sendable {
            var contents = RecordsContents()
            var transport: Transport?
            /// The last reading of the engine; each begins when the one before has ended, so none shows older contents.
            var reading: Task<Void, Never>?
            var counterparts: @Sendable () -> [Peer] = { [] }
            /// Waits for the transport that a phone will have; nil on a watch, which may never have one.
            var starting: (@Sendable () async throws -> Transport)?
        }

        private let rules: Rules
        private let observer: DeviceObserver
        private let state = Lock(State())

        init(_ rules: Rules, _ observer: DeviceObserver) {
            self.rules = rules
            self.observer = observer
        }

        /// The counterparts of the device, by whom a phone knows whose a record is.
        var counterparts: @Sendable () -> [Peer] {
            get { state.withLock(\.counterparts) }
            set { state.withLock { $0.counterparts = newValue } }
        }

        /// Waits until a phone can be reached by its watches; nil on a watch.
        var starting: (@Sendable () async throws -> Transport)? {
            get { state.withLock(\.starting) }
            set { state.withLock { $0.starting = newValue } }
        }

        // MARK: - The link

        /// There is a transport from now on.
        func open(_ transport: Transport) {
            state.withLock { $0.transport = transport }
            refreshSoon()
        }

        /// The transport ends.
        func close() { state.withLock { $0.transport = nil } }

        /// Waits until nothing of an ended transport will be shown any more.
        func waitForReading() async { await state.withLock(\.reading)?.value }

        /// Shows contents; without rules there are none.
        func show(_ contents: (Rules) throws -> RecordsContents) rethrows {
            guard !rules.isEmpty else { return }
            let contents = try contents(rules)
            let isNew = state.withLock { state in
                defer { state.contents = contents }
                return state.contents != contents
            }
            guard isNew else { return }
            observer.trace(
                .device("\(contents.values.count) shared records, \(contents.conflicts.count) conflicts"))
            observer.recordsChanged()
        }

        /// The engine's contents may have changed; returns at once.
        func refreshSoon() {
            if !rules.isEmpty { _ = read() }
        }

        private func read() -> Task<Void, Never> {
            state.withLock { state in
                let before = state.reading
                let reading = Task { [weak self] in
                    await before?.value
                    await self?.readNow()
                }
                state.reading = reading
                return reading
            }
        }

        private func readNow() async {
            guard !rules.isEmpty, let transport = state.withLock(\.transport) else { return }
            do {
                switch transport {
                case .phone(let transport):
                    let status = try await transport.status()
                    show { RecordsContents(cells: status.cells, conflicts: status.conflicts, rules: $0) }
                case .watch(let transport, _):
                    let view = try await transport.view()
                    show { RecordsContents(view: view.cells, conflicts: view.conflicts, rules: $0) }
                }
            } catch {
                // The transport has ended; the next one is read when it opens.
            }
        }

        // MARK: - The app

        var recordsContents: RecordsContents { state.withLock(\.contents) }

        func peerKey(of watch: SessionWatch.ID?) -> PeerKey? {
            let (transport, counterparts) = state.withLock { ($0.transport, $0.counterparts) }
            if case .watch(_, let key)? = transport { return key }
            return counterparts().first { "\($0.number)" == watch }?.identity?.peer
        }

        func change(_ changes: [CellChange]) async throws(SharedRecordsError) -> SharedRecords.Outcome {
            try await ask("changes \(changes.count) shared records") { transport in
                switch transport {
                case .phone(let transport):
                    _ = try await transport.transact(changes)
                    return .accepted
                case .watch(let transport, _): return .init(try await transport.edit(changes))
                }
            }
        }

        func settle(
            _ conflict: RandomID, restoring: Bool
        ) async throws(SharedRecordsError) -> SharedRecords.Outcome {
            try await ask(restoring ? "restores what lost" : "dismisses what lost") { transport in
                switch transport {
                case .phone(let transport):
                    _ = try await transport.settle(conflict, restoring: restoring)
                    return .accepted
                case .watch(let transport, _):
                    return .init(try await transport.settle(conflict, restoring: restoring))
                }
            }
        }

        private func ask(
            _ what: String, _ body: (Transport) async throws -> SharedRecords.Outcome
        ) async throws(SharedRecordsError) -> SharedRecords.Outcome {
            let transport = try await transport()
            observer.trace(.app(what))
            let outcome: SharedRecords.Outcome
            do {
                outcome = try await body(transport)
            } catch LinkError.refused(let fault) {
                outcome = .refused("\(fault)")
            } catch {
                throw .interrupted
            }
            if case .refused(let reason) = outcome { observer.trace(.app("is refused: \(reason)")) }
            // What was accepted is shown when the call returns.
            await read().value
            return outcome
        }

        private func transport() async throws(SharedRecordsError) -> Transport {
            let (transport, starting) = state.withLock { ($0.transport, $0.starting) }
            if let transport { return transport }
            guard let starting else { throw .notPaired }
            do { return try await starting() } catch { throw .noDevice }
        }
    }
#endif
