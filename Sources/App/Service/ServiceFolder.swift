import Primitives
package import SyncStore
import SyncTransport
import Text
package import ZeroMQ

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The folder of a service: a program that keeps the folder to itself while it runs, and carries out the commands that other
/// processes send to the socket in it.
///
/// A command that finds no running service opens the folder itself.
package struct ServiceFolder: Hashable, Sendable {
    /// The time in which a running service must answer.
    ///
    /// It is long, because a service answers only when a change is durable, and the disk of a busy machine may be slow.
    package static let patience = Duration.seconds(120)
    /// The pause between two requests for the result of long work.
    private static let outcomePause = Duration.milliseconds(150)

    /// The folder.
    package let path: String
    /// What the service is called in a sentence, such as `hub`.
    package let noun: String
    /// How to start it, as the end of a sentence.
    package let startAdvice: String

    /// Names a folder; nothing is opened.
    package init(path: String, noun: String, startAdvice: String) {
        self.path = path
        self.noun = noun
        self.startAdvice = startAdvice
    }

    private var controlPath: String { "\(path)/control" }

    /// The endpoint of the service's socket.
    ///
    /// - Throws: `ZeroMQError` if the path is too long for a socket.
    package func controlEndpoint() throws -> Endpoint { try Endpoint("ipc://\(controlPath)") }

    /// Whether the service runs and listens for commands.
    package var isRunning: Bool { ControlClient.isListening(path: controlPath) }

    // MARK: - At rest

    /// Opens the folder of a service that does not run; waits a few seconds while a command uses it.
    ///
    /// - Parameters:
    ///   - patience: How long to wait.
    ///   - open: Opens the folder at the path.
    /// - Returns: What `open` returned; nil if the service runs.
    /// - Throws: ``ServiceFailure`` if a process other than the running service keeps the folder in use, and the errors of
    ///   `open`.
    package func resting<Folder: ~Copyable>(
        patience: FolderWaitPolicy = FolderWaitPolicy(), open: (String) throws -> Folder
    ) async throws -> Folder? {
        do {
            return try await waiting(patience: patience, open: open)
        } catch FolderError.inUse(_, let processID) {
            if isRunning { return nil }
            throw ServiceFailure.held(self, processID: processID)
        }
    }

    /// Opens the folder, and waits a few seconds while a command uses it, but not for the running service.
    ///
    /// - Parameters:
    ///   - patience: How long to wait.
    ///   - onWait: Called with the reason if it must wait.
    ///   - open: Opens the folder at the path.
    /// - Returns: What `open` returned.
    /// - Throws: ``ServiceFailure/suspended(_:processID:)``, and the errors of `open`.
    package func waiting<Folder: ~Copyable>(
        patience: FolderWaitPolicy = FolderWaitPolicy(), onWait: (any Error) -> Void = { _ in },
        open: (String) throws -> Folder
    ) async throws -> Folder {
        try await patience.open({ try open(path) }, while: { try isAtWork($0) }, onWait: onWait)
    }

    /// Whether an error means that another command, or a service that is just starting, uses the folder.
    private func isAtWork(_ error: any Error) throws -> Bool {
        guard case FolderError.inUse(_, let processID) = error else { return false }
        if let processID, Self.isSuspended(processID) {
            throw ServiceFailure.suspended(self, processID: processID)
        }
        return !isRunning
    }

    /// Whether a process is suspended; false on systems other than Linux.
    ///
    /// Source: proc_pid_stat(5): the state follows the name, which is in parentheses.
    private static func isSuspended(_ processID: Int32) -> Bool {
        guard let bytes = FileManager.default.contents(atPath: "/proc/\(processID)/stat"),
            let end = bytes.lastIndex(of: UInt8(ascii: ")"))
        else { return false }
        return bytes[end...].dropFirst(2).first == UInt8(ascii: "T")
    }

    // MARK: - Running

    /// Sends a command to the running service, and waits for its result.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - patience: How long to wait for each answer.
    ///   - next: The command that asks for the result of long work; nil if a reply is the result.
    /// - Returns: The result.
    /// - Throws: ``ServiceFailure/notRunning(_:)`` within a second if the service does not run;
    ///   ``ServiceFailure/noAnswer(_:)`` if it has not answered in time, although it may still carry out the command.
    package func exchange<Command: Encodable, Reply: Decodable>(
        _ command: Command, patience: Duration = patience, next: (Reply) -> Command?
    ) async throws -> Reply {
        var reply: Reply = try await send(command, patience: patience)
        while let command = next(reply) {
            try await Task.sleep(for: Self.outcomePause)
            reply = try await send(command, patience: patience)
        }
        return reply
    }

    private func send<Reply: Decodable>(_ command: some Encodable, patience: Duration) async throws -> Reply {
        let bytes = try CanonicalJSON.encode(command)
        let answer = try await ControlClient.ask(
            bytes, at: controlEndpoint(), patience: patience, while: { isRunning })
        guard let answer else { throw isRunning ? ServiceFailure.noAnswer(self) : .notRunning(self) }
        return try CanonicalJSON.decode(Reply.self, from: answer)
    }
}

/// Why a command could not be carried out by a service or on its folder.
package enum ServiceFailure: Error, Equatable, CustomStringConvertible {
    /// Another process uses the folder but does not answer.
    case noAnswer(ServiceFolder)
    /// The process that uses the folder is suspended, for example by `^Z`.
    case suspended(ServiceFolder, processID: Int32)
    /// A process other than the running service uses the folder.
    case held(ServiceFolder, processID: Int32?)
    /// The command needs the running service.
    case notRunning(ServiceFolder)

    /// The error, and what to do about it.
    package var description: String {
        switch self {
        case .noAnswer(let service):
            "a process holds \(service.path) but does not answer; is it a \(service.noun) that is just starting, or stopped?"
        case .suspended(let service, let processID):
            "the process \(processID) that holds \(service.path) is suspended: continue it with `fg`, or with "
                + "`kill -CONT \(processID)`"
        case .held(let service, let processID):
            "\(service.path) is in use by \(processID.map { "process \($0)" } ?? "another process"), which is not a "
                + "running \(service.noun): try again when it has ended"
        case .notRunning(let service): "no \(service.noun) runs on \(service.path); \(service.startAdvice)"
        }
    }
}
