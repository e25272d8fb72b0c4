import Platform
package import PoolControl
import PoolModel
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
        guard let folder = try await FolderHolder.resting(path) else { return try await exchange(request, path: path) }
        if let sentence = folder.putBackSentence { onNotice(sentence) }
        let target = try RestingTarget(folder)
        defer { target.notices.withLock(\.self).forEach(onNotice) }
        return try await CommandHandler(target).perform(request)
    }

    /// Sends a request as ``perform(_:path:onNotice:)`` sends its command.
    ///
    /// - Returns: The reply.
    /// - Throws: `HubRequestError`, and as ``perform(_:path:onNotice:)``.
    package static func ask<Reply>(
        _ request: HubRequest<Reply>, path: String, onNotice: (String) -> Void = { _ in }
    ) async throws -> Reply {
        try request.reply(in: try await perform(request.command, path: path, onNotice: onNotice))
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
        try await exchange(request, path: path, patience: patience)
    }

    /// The pause between two requests for the result of long work.
    private static let outcomePause = Duration.milliseconds(150)

    /// Detects devices: in the running hub, or in this process, which does not keep the folder open during the detection.
    private static func detect(_ request: DetectionRequest, path: String) async throws -> HubReply {
        guard case .begin(let server, let seconds) = request,
            let (configuration, password) = try await resting(server, path)
        else { return try await exchange(.detection(request), path: path) }
        return .detection(
            try await DetectionService.listen(server, seconds: seconds, in: configuration) { _ in password })
    }

    /// The configuration in a folder, and the password of a server; nil if a hub runs.
    private static func resting(_ server: ServerID, _ path: String) async throws -> (PoolConfiguration, String?)? {
        guard let folder = try await FolderHolder.resting(path) else { return nil }
        let configuration = try folder.configuration()
        return (configuration, try folder.secrets.password(of: try configuration.known(server).id))
    }

    /// Sends a command to the running hub, and waits for its result.
    private static func exchange(
        _ command: HubCommand, path: String, patience: Duration = patience
    ) async throws -> HubReply {
        var answer = try await send(command, path: path, patience: patience)
        while case .working(let job) = answer {
            try await Task.sleep(for: outcomePause)
            answer = try await send(.outcome(job: job), path: path, patience: patience)
        }
        return answer
    }

    private static func send(
        _ command: HubCommand, path: String, patience: Duration
    ) async throws -> HubReply {
        let endpoint = try Endpoint(HubFolder.controlEndpoint(path: path))
        let bytes = try CanonicalJSON.encode(command)
        let isThere = { @Sendable in FolderHolder.isListening(path) }
        guard let answer = try await ControlClient.ask(bytes, at: endpoint, patience: patience, while: isThere) else {
            throw isThere() ? Failure.noAnswer(path: path) : .notRunning(path: path)
        }
        return try CanonicalJSON.decode(HubReply.self, from: answer)
    }
}
