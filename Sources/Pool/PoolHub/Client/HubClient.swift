import Logging
package import PoolControl
import PoolModel
import PoolStore
import SyncCore
import SyncStore
import SyncTransport
import ZeroMQ

/// Asks the hub of a folder: the process that runs it, or, if none does, its files.
public enum HubClient {
    /// The time that a running hub has to answer: long, because what it does is on the disk before it answers, and the disk
    /// of a busy machine may take its time; who does not want to wait interrupts the command.
    public static let patience = Duration.seconds(120)

    /// Why the hub of a folder could not be asked.
    public enum Failure: Error, CustomStringConvertible {
        /// Another process holds the folder but does not answer.
        case noAnswer(path: String)
        /// The process that holds the folder was suspended, as `^Z` does it.
        case suspended(path: String, processID: Int32)
        /// Another process, which is no hub that runs, holds the folder.
        case held(path: String, processID: Int32?)
        /// The request needs a hub that runs.
        case notRunning(path: String)

        /// What is wrong, and the way out.
        public var description: String {
            switch self {
            case .noAnswer(let path):
                "a process holds \(path) but does not answer; is it a hub that is just starting, or stopped?"
            case .suspended(let path, let processID):
                "the process \(processID) that holds \(path) is suspended: let it go on with `fg`, or with "
                    + "`kill -CONT \(processID)`"
            case .held(let path, let processID):
                "\(path) is in use by \(processID.map { "process \($0)" } ?? "another process"), which is not a running hub: "
                    + "try again when it has ended"
            case .notRunning(let path): "no hub runs on \(path); start it with: poolsensors hub"
            }
        }
    }

    /// Whether a hub runs on a folder, and can be asked.
    public static func isRunning(path: String) -> Bool { FolderHolder.isListening(path) }

    /// Asks.
    ///
    /// - Parameters:
    ///   - request: What to do.
    ///   - path: The hub's folder.
    ///   - onNotice: Gets what a person should know beside the answer, of a hub at rest.
    /// - Returns: The answer.
    /// - Throws: ``Failure``, and what is wrong with the folder or the request, in words.
    package static func perform(
        _ request: HubCommand, path: String, onNotice: (String) -> Void = { _ in }
    ) async throws -> HubReply {
        if case .detection(let detection) = request { return try await detect(detection, path: path) }
        guard let folder = try await FolderHolder.resting(path) else { return try await ask(request, path: path) }
        if let sentence = folder.putBackSentence { onNotice(sentence) }
        let resting = try RestingLedger(folder.store)
        let editor = ConfigurationEditor(ledger: resting, secrets: folder.secrets)
        if let answer = try await editor.edit(request) {
            try await editor.repair().forEach(onNotice)
            return answer
        }
        let revisions = RevisionHistory(ledger: resting, store: folder.store)
        let configured = ConfiguredState(editor: editor, secrets: folder.secrets)
        switch request {
        case .invite, .links, .reconnect, .look, .share(.send), .share(.cancel), .edited:
            throw Failure.notRunning(path: path)
        case .share(.list): return .shares(try FileSharing.list(folder, resting.watches.map(\.watch)))
        case .unpair(let name):
            guard let watch = resting.watches.map(\.watch).first(where: { $0.name == name }) else {
                return .refused(WatchNames.missing(name, among: resting.watches.map(\.watch.name)))
            }
            try resting.unpair(watch.key)
            do {
                try FileSharing.forget(watch.key, in: folder)
            } catch {
                onNotice("what was shared with watch \(name) is listed still: \(error)")
            }
            return .done("forgot watch \(name)")
        case .testServer(let id): return try await ServerEditor(editor: editor, secrets: folder.secrets).trial(of: id)
        case .log(let count):
            return .log(try await revisions.log(last: count, watches: resting.watches.map(\.watch)))
        case .history(let request):
            let keeper = HistoryMaintenance(history: folder.history, logger: Logger(label: "poolsensors"))
            keeper.use(try await editor.configuration().configuration)
            return try await keeper.perform(request)
        case .alerts(let request):
            let configuration = try await editor.configuration().configuration
            return try await AlertCommandHandler(
                editor: editor, secrets: folder.secrets, store: folder.history.alerts
            ).perform(
                request, report: { try AlertReport(resting: folder.history.alerts, configuration) }, test: nil)
        case .diff(let first, let second):
            return try await revisions.differences(from: first, to: second)
        case .restoreRevision(let revision):
            let answer = try await revisions.restore(revision: revision)
            try await editor.repair().forEach(onNotice)
            return answer
        case .exportConfiguration(let wish):
            return try await ConfigurationTransfer(ledger: resting, secrets: folder.secrets)
                .export(wish, hub: folder.shortName)
        case .backUp(let path): return try folder.backUp(to: path)
        case .names: return .state(try await configured.state(history: nil))
        case .outcome: throw Failure.notRunning(path: path)
        // Edits and detections are answered above.
        case .state, .addServer, .editServer, .removeServer, .addDevice, .editDevice, .removeDevice, .selectDevice,
            .addPool, .editPool, .removePool, .setLimits, .clearLimits, .replaceLimits, .applyPreset, .addCalibration,
            .removeCalibration, .setHistory, .setExport, .settle, .importConfiguration, .detection:
            var state = try await configured.state(history: folder.history, isResting: true)
            state.watches = resting.watches.map { WatchConnection($0, now: nil) }
            return .state(state)
        }
    }

    /// Asks the hub that runs on a folder, which is never opened here.
    ///
    /// - Parameters:
    ///   - request: What to do.
    ///   - path: The hub's folder.
    ///   - patience: How long to wait for the answer; long work is asked for again and again.
    /// - Returns: The answer.
    /// - Throws: ``Failure/notRunning(path:)`` if no hub is there, within a second; ``Failure/noAnswer(path:)`` if it has not
    ///   answered in time, and may still do what it was asked.
    package static func performAtRunning(
        _ request: HubCommand, path: String, patience: Duration = patience
    ) async throws -> HubReply {
        try await ask(request, path: path, patience: patience)
    }

    /// The pause before the outcome of long work is asked for again; others are answered in it.
    private static let outcomePause = Duration.milliseconds(150)

    /// Detects devices: in the hub that runs, else in this process, which gives the folder free meanwhile.
    private static func detect(_ request: DetectionRequest, path: String) async throws -> HubReply {
        guard case .begin(let server, let seconds) = request,
            let (configuration, password) = try await resting(server, path)
        else { return try await ask(.detection(request), path: path) }
        return try await DetectionService.listen(server, seconds: seconds, in: configuration) { _ in password }
    }

    /// The configuration of a hub at rest, and the password of one of its servers; nil if a hub runs.
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
