import Platform
import PoolControl
import PoolModel
import PoolStore
import Service
import SyncCore
import SyncStore
import SyncTransport

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The hub on which commands are carried out: a running one, or the folder of one that does not run.
protocol CommandTarget: Sendable {
    var folder: HubFolder { get }
    /// Edits the configuration without an author.
    var editor: ConfigurationEditor { get }
    var water: WaterCommandHandler { get }
    /// What only a running hub has.
    ///
    /// - Throws: `ServiceFailure.notRunning(_:)`.
    var running: RunningTarget { get throws }

    /// The paired watches.
    func watches() async throws -> [PairedWatch]
    /// Unpairs a watch, and removes what was shared with it.
    func unpair(_ watch: PairedWatch, author: String?) async throws
    /// Called after each edit of the configuration.
    func noteEdit() async throws
    /// Called after each change of the log of doses.
    func noteDose() async
    /// Carries out a history command; it may take long.
    func history(_ request: HistoryRequest) async throws -> HistoryAnswer
    /// The open alerts.
    func alertReport() async throws -> AlertReport
    /// The shared files.
    func files() async throws -> [SharedFile]
    /// The state for lists.
    func state() async throws -> HubState
    /// Only names and identities, also if the history or the passwords cannot be read.
    func names() async throws -> HubState
}

/// Carries out the commands.
struct CommandHandler: Sendable {
    let target: any CommandTarget
    private let longWork = LongWork()
    private let startedAt = Timestamp.now

    /// Creates a handler that carries commands out on a hub.
    init(_ target: some CommandTarget) { self.target = target }

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
            return try await perform(command, with: target.editor, by: nil)
        }
        _ = try target.running
        guard (1...HubCommand.authorByteCountMax).contains(author.utf8.count), HiddenCharacter.find(in: author) == nil
        else {
            return .refused(
                "an author has 1 to \(HubCommand.authorByteCountMax) bytes and no control characters")
        }
        do {
            let editor = target.editor.authored(by: author, ifRevision: revision)
            return try await perform(command, with: editor, by: author)
        } catch let moved as RevisionMoved {
            return .revisionMoved(moved.now)
        }
    }

    /// Carries out a command with an editor, on behalf of its author if there is one.
    private func perform(
        _ command: HubCommand, with editor: ConfigurationEditor, by author: String?
    ) async throws -> HubReply {
        let folder = target.folder
        let revisions = RevisionHistory(ledger: editor.ledger, store: folder.store)
        switch command {
        case .edit(let edit):
            let answer = try await editor.edit(edit)
            try await target.noteEdit()
            return answer
        case .invite(let name, let seconds):
            let hub = try target.running
            if let scalar = name.flatMap(HiddenCharacter.find) { throw ConfigurationError.nameSteers(.watch, scalar) }
            let code = try await hub.transport.invite(name: name, validForSeconds: seconds, author: author)
            return .invitation(code: code.text, validForSeconds: seconds)
        case .unpair(let id):
            let watch = try await target.watches().paired(id)
            try await target.unpair(watch, author: author)
            return .done("forgot watch \(watch.name)")
        case .testServer(let id): return try await ServerEditor(editor: editor, secrets: folder.secrets).trial(of: id)
        case .tryServer(let id, let patch):
            return try await ServerEditor(editor: editor, secrets: folder.secrets).trial(of: id, with: patch)
        case .log(let count): return .log(try await revisions.log(last: count, watches: try await target.watches()))
        case .history(let request): return .history(try await target.history(request))
        case .alerts(let request):
            return try await AlertCommandHandler(
                editor: editor, secrets: folder.secrets, store: folder.history.alerts
            ).perform(
                request, report: { try await target.alertReport() }, service: (try? target.running)?.alerts)
        case .detection(let request):
            return .detection(
                try await target.running.detection.perform(request, in: try await editor.configuration().configuration)
                {
                    try folder.secrets.password(of: $0)
                })
        case .doses(let request):
            let reply = try await target.water.perform(request)
            if request.isChange { await target.noteDose() }
            return reply
        case .advice(let pool, let numbers): return try await target.water.advice(pool, numbers)
        case .forecast(let device): return try await target.water.forecast(device)
        case .diff(let first, let second): return .differences(try await revisions.differences(from: first, to: second))
        case .restoreRevision(let revision):
            let answer = try await revisions.restore(revision: revision)
            try await target.noteEdit()
            return answer
        case .exportConfiguration(let request):
            return try await ConfigurationTransfer(ledger: editor.ledger, secrets: folder.secrets)
                .export(request, hub: folder.shortName)
        case .backUp(let path): return try await blocking { try folder.backUp(to: path) }
        case .links(let request):
            let hub = try target.running
            defer { hub.reducer.changeSignal.signal() }
            return try await hub.links.perform(request)
        case .share(.list): return .shares(try await target.files())
        case .share(let request):
            let hub = try target.running
            defer { hub.reducer.changeSignal.signal() }
            return try await hub.files.perform(request, hub.transport)
        case .reconnect:
            let count = try await target.running.brokers.startAnew()
            return count == 0
                ? .refused("there is no server with a device yet: add one, and a device")
                : .done("reconnecting to \(count) \(count == 1 ? "server" : "servers")")
        case .look(let request):
            let hub = try target.running
            let state = try await hub.observer.state(after: request.after)
            return .look(state, events: state == nil ? [] : hub.reducer.events(after: request.eventsAfter))
        case .outcome(let job):
            _ = try target.running
            return await longWork.outcome(of: job)
        case .about:
            let endpoint = try await target.running.transport.status().endpoint
            return .about(
                HubInfo(
                    version: Release.version, processID: getpid(),
                    startedAt: startedAt, folder: folder.folder.path, endpoint: endpoint.text))
        case .edited: return .refused("a command of an author cannot contain another command of an author")
        case .names: return .state(try await target.names())
        case .state: return .state(try await target.state())
        }
    }
}
