import Logging
package import PoolControl
import PoolModel
import PoolStore
import SyncCore
import SyncStore
import SyncTransport
import ZeroMQ

/// Sends commands to the hub of a folder; without a running hub it carries them out on the folder itself.
public enum HubClient {
    /// The time in which a running hub must answer.
    ///
    /// It is long, because the hub answers only when the change is durable, and the disk of a busy machine may be slow.
    public static let patience = Duration.seconds(120)

    /// Why a command could not be sent.
    public enum Failure: Error, CustomStringConvertible {
        /// Another process uses the folder but does not answer.
        case noAnswer(path: String)
        /// The process that uses the folder is suspended, for example by `^Z`.
        case suspended(path: String, processID: Int32)
        /// A process other than a running hub uses the folder.
        case held(path: String, processID: Int32?)
        /// The command needs a running hub.
        case notRunning(path: String)

        /// The error, and what to do about it.
        public var description: String {
            switch self {
            case .noAnswer(let path):
                "a process holds \(path) but does not answer; is it a hub that is just starting, or stopped?"
            case .suspended(let path, let processID):
                "the process \(processID) that holds \(path) is suspended: continue it with `fg`, or with "
                    + "`kill -CONT \(processID)`"
            case .held(let path, let processID):
                "\(path) is in use by \(processID.map { "process \($0)" } ?? "another process"), which is not a running hub: "
                    + "try again when it has ended"
            case .notRunning(let path): "no hub runs on \(path); \(HubFolder.startAdvice(path: path))"
            }
        }
    }

    /// Whether a hub runs on a folder.
    public static func isRunning(path: String) -> Bool { FolderHolder.isListening(path) }

    /// Sends a command to the running hub, or carries it out on the folder.
    ///
    /// - Parameters:
    ///   - request: The command.
    ///   - path: The hub's folder.
    ///   - onNotice: Called with notices for the user, if no hub runs.
    /// - Returns: The reply.
    /// - Throws: ``Failure``, and the errors of the folder or the command, in words.
    package static func perform(
        _ request: HubCommand, path: String, onNotice: (String) -> Void = { _ in }
    ) async throws -> HubReply {
        if case .detection(let detection) = request { return try await detect(detection, path: path) }
        guard let folder = try await FolderHolder.resting(path) else { return try await ask(request, path: path) }
        if let sentence = folder.putBackSentence { onNotice(sentence) }
        let resting = try StoredLedger(folder.store)
        let editor = ConfigurationEditor(ledger: resting, secrets: folder.secrets)
        let revisions = RevisionHistory(ledger: resting, store: folder.store)
        let configured = ConfiguredState(editor: editor, folder: folder)
        switch request {
        case .edit(let edit):
            let answer = try await editor.edit(edit)
            try await editor.repair().forEach(onNotice)
            return answer
        case .invite, .links, .reconnect, .look, .share(.send), .share(.cancel), .edited:
            throw Failure.notRunning(path: path)
        case .share(.list): return .shares(try FileSharing.list(folder, resting.watches.map(\.watch)))
        case .unpair(let id):
            let watch = try resting.watches.map(\.watch).paired(id)
            try resting.unpair(watch.key)
            do {
                try FileSharing.forget(watch.key, in: folder)
            } catch {
                onNotice("what was shared with watch \(watch.name) is listed still: \(error)")
            }
            return .done("forgot watch \(watch.name)")
        case .testServer(let id): return try await ServerEditor(editor: editor, secrets: folder.secrets).trial(of: id)
        case .tryServer(let id, let patch):
            return try await ServerEditor(editor: editor, secrets: folder.secrets).trial(of: id, with: patch)
        case .log(let count):
            return .log(try await revisions.log(last: count, watches: resting.watches.map(\.watch)))
        case .history(let request):
            let maintenance = HistoryMaintenance(history: folder.history, logger: Logger(label: "poolsensors"))
            maintenance.use(try await editor.configuration().configuration)
            return try await maintenance.perform(request)
        case .alerts(let request):
            let configuration = try await editor.configuration().configuration
            return try await AlertCommandHandler(
                editor: editor, secrets: folder.secrets, store: folder.history.alerts
            ).perform(
                request, report: { try AlertReport(resting: folder.history.alerts, configuration) }, test: nil)
        case .doses(let request):
            return try await WaterCommandHandler(resting: editor, history: folder.history).perform(request)
        case .advice(let pool, let numbers):
            return try await WaterCommandHandler(resting: editor, history: folder.history).advice(pool, numbers)
        case .forecast(let device):
            return try await WaterCommandHandler(resting: editor, history: folder.history).forecast(device)
        case .diff(let first, let second):
            return try await revisions.differences(from: first, to: second)
        case .restoreRevision(let revision):
            let answer = try await revisions.restore(revision: revision)
            try await editor.repair().forEach(onNotice)
            return answer
        case .exportConfiguration(let request):
            return try await ConfigurationTransfer(ledger: resting, secrets: folder.secrets)
                .export(request, hub: folder.shortName)
        case .backUp(let path): return try folder.backUp(to: path)
        case .names:
            var state = try await configured.state(history: nil)
            state.watches = resting.watches.map { WatchConnection($0, now: nil) }
            return .state(state)
        case .outcome: throw Failure.notRunning(path: path)
        // Detections were carried out above.
        case .state, .detection:
            var state = try await configured.state(history: folder.history, isResting: true)
            state.watches = resting.watches.map { WatchConnection($0, now: nil) }
            return .state(state)
        }
    }

    /// Sends a command to the running hub of a folder, which is never opened here.
    ///
    /// - Parameters:
    ///   - request: The command.
    ///   - path: The hub's folder.
    ///   - patience: How long to wait for each answer; the result of long work is requested repeatedly.
    /// - Returns: The reply.
    /// - Throws: ``Failure/notRunning(path:)`` within a second if no hub runs; ``Failure/noAnswer(path:)`` if the hub has not
    ///   answered in time, although it may still carry out the command.
    package static func performAtRunning(
        _ request: HubCommand, path: String, patience: Duration = patience
    ) async throws -> HubReply {
        try await ask(request, path: path, patience: patience)
    }

    /// The pause between two requests for the result of long work.
    private static let outcomePause = Duration.milliseconds(150)

    /// Detects devices: in the running hub, or in this process, which does not keep the folder open during the detection.
    private static func detect(_ request: DetectionRequest, path: String) async throws -> HubReply {
        guard case .begin(let server, let seconds) = request,
            let (configuration, password) = try await resting(server, path)
        else { return try await ask(.detection(request), path: path) }
        return try await DetectionService.listen(server, seconds: seconds, in: configuration) { _ in password }
    }

    /// The configuration in a folder, and the password of a server; nil if a hub runs.
    private static func resting(_ server: ServerID, _ path: String) async throws -> (PoolConfiguration, String?)? {
        guard let folder = try await FolderHolder.resting(path) else { return nil }
        let configuration = try folder.configuration()
        return (configuration, try folder.secrets.password(of: try configuration.known(server).id))
    }

    private static func ask(
        _ request: HubCommand, path: String, patience: Duration = patience
    ) async throws -> HubReply {
        var answer = try await exchange(request, path: path, patience: patience)
        while case .working(let job) = answer {
            try await Task.sleep(for: outcomePause)
            answer = try await exchange(.outcome(job: job), path: path, patience: patience)
        }
        return answer
    }

    private static func exchange(
        _ request: HubCommand, path: String, patience: Duration
    ) async throws -> HubReply {
        let endpoint = try Endpoint(HubFolder.controlEndpoint(path: path))
        let bytes = try CanonicalJSON.encode(request)
        let isThere = { @Sendable in FolderHolder.isListening(path) }
        guard let answer = try await ControlClient.ask(bytes, at: endpoint, patience: patience, while: isThere) else {
            throw isThere() ? Failure.noAnswer(path: path) : .notRunning(path: path)
        }
        return try CanonicalJSON.decode(HubReply.self, from: answer)
    }
}
