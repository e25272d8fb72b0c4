import PoolControl
import PoolModel
import PoolStore
import SyncCore
import SyncTransport

/// Carries out the commands for a running hub.
struct CommandHandler: Sendable {
    private let folder: HubFolder
    private let reducer: HubReducer
    private let transport: HubTransport
    private let editor: ConfigurationEditor
    private let revisions: RevisionHistory
    private let configured: ConfiguredState
    private let maintenance: HistoryMaintenance
    private let brokers: BrokerConnections
    private let alerts: AlertService
    private let detection: DetectionService
    private let links: LinkFaultRegistry
    private let files: FileSharing
    private let water: WaterCommandHandler
    private let observer: HubStateObserver
    private let longWork = LongWork()

    /// Creates a handler that uses these parts of a hub.
    init(
        folder: HubFolder, reducer: HubReducer, transport: HubTransport, editor: ConfigurationEditor,
        maintenance: HistoryMaintenance, brokers: BrokerConnections, alerts: AlertService, files: FileSharing,
        ingest: Ingest, detection: DetectionService, doses: DoseLog
    ) {
        self.folder = folder
        self.reducer = reducer
        self.transport = transport
        self.editor = editor
        revisions = RevisionHistory(ledger: editor.ledger, store: folder.store)
        let configured = ConfiguredState(editor: editor, folder: folder)
        self.configured = configured
        self.maintenance = maintenance
        self.brokers = brokers
        self.alerts = alerts
        self.detection = detection
        self.files = files
        water = WaterCommandHandler(
            log: doses,
            newest: { device in
                let facts = ingest.facts[device.id]
                return WaterCommandHandler.Newest(
                    readings: facts?.readings, quarantinedAt: facts?.quarantinedAt ?? [:])
            })
        links = LinkFaultRegistry(transport: transport)
        observer = HubStateObserver(
            reducer: reducer, transport: transport, editor: editor, configured: configured, history: folder.history,
            ingest: ingest, brokers: brokers,
            links: links, alerts: alerts, detection: detection)
    }

    /// Carries out a command in JSON, and returns the reply in JSON; long work runs beside other commands.
    func answer(_ bytes: [UInt8]) async -> [UInt8] {
        do {
            return try CanonicalJSON.encode(await reply(to: bytes))
        } catch {
            return Array("{\"refused\":{\"_0\":\"the answer could not be written\"}}".utf8)
        }
    }

    private func reply(to bytes: [UInt8]) async -> HubReply {
        guard let command = try? CanonicalJSON.decode(HubCommand.self, from: bytes) else {
            return .refused(HubReply.unknownCommandWords)
        }
        if case .outcome(let job) = command { return await longWork.outcome(of: job) }
        if command.mayTakeLong { return await longWork.perform { try await perform(command) } }
        do {
            return try await perform(command)
        } catch {
            return .refused("\(error)")
        }
    }

    /// Carries out a command.
    ///
    /// - Throws: The error in the command, in words.
    func perform(_ command: HubCommand) async throws -> HubReply {
        guard case .edited(let author, let revision, let command) = command else {
            return try await perform(command, with: editor, by: nil)
        }
        guard (1...HubCommand.authorByteCountMax).contains(author.utf8.count), HiddenCharacter.find(in: author) == nil
        else {
            return .refused(
                "an author has 1 to \(HubCommand.authorByteCountMax) bytes and no control characters")
        }
        do {
            let editor = editor.authored(by: author, ifRevision: revision)
            return try await perform(command, with: editor, by: author)
        } catch let moved as RevisionMoved {
            return .revisionMoved(moved.now)
        }
    }

    /// Carries out a command with an editor, on behalf of its author if there is one.
    private func perform(
        _ command: HubCommand, with editor: ConfigurationEditor, by author: String?
    ) async throws -> HubReply {
        switch command {
        case .edit(let edit):
            let answer = try await editor.edit(edit)
            // A changed password is no change of a cell.
            reducer.noteConfigurationChange()
            await observer.forget()
            return answer
        case .invite(let name, let seconds):
            if let scalar = name.flatMap(HiddenCharacter.find) { throw ConfigurationError.nameSteers(.watch, scalar) }
            let code = try await transport.invite(name: name, validForSeconds: seconds, author: author)
            return .invitation(code: code.text, validForSeconds: seconds)
        case .unpair(let id):
            let watch = try await transport.status().watches.map(\.watch).paired(id)
            try await transport.unpair(watch.key, author: author)
            files.forget(watch.key)
            reducer.noteConfigurationChange()
            return .done("forgot watch \(watch.name)")
        case .testServer(let id):
            return try await ServerEditor(editor: editor, secrets: folder.secrets).trial(of: id)
        case .tryServer(let id, let patch):
            return try await ServerEditor(editor: editor, secrets: folder.secrets).trial(of: id, with: patch)
        case .log(let count):
            let watches = try await transport.status().watches.map(\.watch)
            return .log(try await revisions.log(last: count, watches: watches))
        case .history(let request): return try await maintenance.perform(request)
        case .alerts(let request):
            return try await AlertCommandHandler(
                editor: editor, secrets: folder.secrets, store: folder.history.alerts
            ).perform(
                request, report: { try await alerts.report() },
                test: { await alerts.test() })
        case .detection(let request):
            return try await detection.perform(request, in: try await editor.configuration().configuration) {
                try folder.secrets.password(of: $0)
            }
        case .doses(let request): return try await water.perform(request)
        case .advice(let pool, let numbers): return try await water.advice(pool, numbers)
        case .forecast(let device): return try await water.forecast(device)
        case .diff(let first, let second):
            return try await revisions.differences(from: first, to: second)
        case .restoreRevision(let revision):
            return try await RevisionHistory(ledger: editor.ledger, store: folder.store).restore(revision: revision)
        case .exportConfiguration(let request):
            return try await ConfigurationTransfer(ledger: editor.ledger, secrets: folder.secrets)
                .export(request, hub: folder.shortName)
        case .backUp(let path):
            return try await blocking { [folder] in try folder.backUp(to: path) }
        case .links(let request):
            defer { reducer.changeSignal.signal() }
            return try await links.perform(request)
        case .share(let request):
            defer { reducer.changeSignal.signal() }
            return try await files.perform(request, transport)
        case .reconnect:
            let count = await brokers.startAnew()
            return count == 0
                ? .refused("there is no server with a device yet: add one, and a device")
                : .done("reconnecting to \(count) \(count == 1 ? "server" : "servers")")
        case .look(let request):
            let state = try await observer.state(after: request.after)
            return .look(state, events: state == nil ? [] : reducer.events(after: request.eventsAfter))
        case .edited: return .refused("a command of an author cannot contain another command of an author")
        case .names: return .state(try await observer.named())
        // Results of long work are returned by ``answer(_:)``.
        case .state, .outcome: return .state(try await observer.listed())
        }
    }
}
