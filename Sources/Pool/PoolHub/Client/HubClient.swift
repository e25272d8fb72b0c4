import Platform
package import PoolControl
import PoolModel
import Service

/// Sends commands to the hub of a folder; without a running hub it carries them out on the folder itself.
public enum HubClient {
    /// Whether a hub runs on a folder.
    public static func isRunning(path: String) -> Bool { HubFolder.service(path: path).isRunning }

    /// Sends a command to the running hub, or carries it out on the folder.
    ///
    /// - Parameters:
    ///   - request: The command.
    ///   - path: The hub's folder.
    ///   - onNotice: Called with notices for the user, if no hub runs.
    /// - Returns: The reply.
    /// - Throws: `ServiceFailure`, and the errors of the folder or the command, in words.
    package static func perform(
        _ request: HubCommand, path: String, onNotice: (String) -> Void = { _ in }
    ) async throws -> HubReply {
        if case .detection(let detection) = request { return try await detect(detection, path: path) }
        guard let folder = try await resting(path) else { return try await exchange(request, path: path) }
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
    /// - Throws: `ServiceFailure.notRunning(_:)` within a second if no hub runs; `ServiceFailure.noAnswer(_:)` if the hub has not
    ///   answered in time, although it may still carry out the command.
    package static func performAtRunning(
        _ request: HubCommand, path: String, patience: Duration = ServiceFolder.patience
    ) async throws -> HubReply {
        try await exchange(request, path: path, patience: patience)
    }

    /// The folder, opened; nil if the hub runs.
    private static func resting(_ path: String) async throws -> HubFolder? {
        try await HubFolder.service(path: path).resting { try HubFolder(path: $0) }
    }

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
        guard let folder = try await resting(path) else { return nil }
        let configuration = try folder.configuration()
        return (configuration, try folder.secrets.password(of: try configuration.known(server).id))
    }

    /// Sends a command to the running hub, and waits for its result.
    private static func exchange(
        _ command: HubCommand, path: String, patience: Duration = ServiceFolder.patience
    ) async throws -> HubReply {
        try await HubFolder.service(path: path).exchange(command, patience: patience) { (reply: HubReply) in
            if case .working(let job) = reply { .outcome(job: job) } else { nil }
        }
    }
}
