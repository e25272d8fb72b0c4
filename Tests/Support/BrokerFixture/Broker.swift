public import Foundation
internal import Platform
internal import TestSupport

/// A mosquitto broker of one's own, on a free port of 127.0.0.1, with its files in a temporary folder.
///
/// It ends with this object; it also ends when the process of the test ends, however that happens. No method blocks the
/// thread.
///
/// ```swift
/// let broker = try await Broker.start()
/// // … connect to broker.host and broker.port …
/// await broker.stop()
/// ```
public final class Broker: Sendable {
    /// What the broker shall be like.
    public struct Configuration: Sendable {
        /// The passwords of the users who may connect; empty to let everyone in without a name.
        public var passwords: [String: String] = [:]
        /// The certificates for a listener that speaks TLS; nil for one that does not.
        public var certificates: Certificates?
        /// Whether the broker shows ``Certificates/expired`` instead of ``Certificates/server``.
        public var isCertificateExpired = false
        /// The certificate that the broker shows instead of ``Certificates/server``; nil for that one.
        public var shownCertificate: Certificates.Pair?
        /// Whether a client must show a certificate of the same authority; needs ``certificates``.
        public var requiresClientCertificate = false
        /// Whether retained messages and sessions outlive the broker; they are saved within a second of a change.
        public var isPersistent = false
        /// Further lines for the configuration file, such as `max_inflight_messages 1`.
        public var furtherLines: [String] = []
        /// The lines of an access control list, such as `topic read status/#`; empty to allow everything.
        ///
        /// A broker of version 2.0 grants every subscription all the same, and delivers nothing.
        public var accessControlList: [String] = []
        /// What clients without a user name may subscribe to, such as `open/#`; nil to allow everything.
        ///
        /// Needs the plugin for dynamic security, which is part of mosquitto.
        public var subscribableTopics: [String]?

        /// Creates the configuration of an open broker.
        public init() {}
    }

    /// The broker did not start; its last words.
    public struct StartFailure: Error, CustomStringConvertible {
        /// What it wrote before it ended.
        public let description: String
    }

    /// The address it listens at: 127.0.0.1.
    public let host = "127.0.0.1"
    /// The port it listens at.
    public let port: Int
    /// The folder with its configuration and its saved state; gone with this object.
    public var folder: URL { files.folder.url }
    private let files: BrokerFiles
    private let running: Lock<GuardedProcess?>

    private init(files: BrokerFiles, process: GuardedProcess) {
        port = files.port
        self.files = files
        running = Lock(process)
    }

    /// Starts a broker and waits until it listens.
    public static func start(_ configuration: Configuration = Configuration()) async throws -> Broker {
        let folder = try TemporaryFolder()
        for _ in 0..<10 {
            let files = BrokerFiles(folder: folder, port: try freePort())
            try await files.write(configuration)
            do {
                return Broker(files: files, process: try await launch(files))
            } catch let failure as StartFailure where failure.isPortTaken {
                // Somebody else took the port between its choice and its use.
                continue
            }
        }
        throw StartFailure(description: "ten ports were taken by others before the broker could take them")
    }

    /// The broker's process; nil after ``stop()`` or ``kill()``.
    public var processIdentifier: Int32? { running.withLock { $0?.processIdentifier } }

    /// Stops the process from running without ending it: connections stay open, and nothing answers.
    public func suspend() { signal(SIGSTOP) }

    /// Lets a suspended process go on.
    public func resume() { signal(SIGCONT) }

    /// Ends the broker as its service manager would, and waits until it is gone.
    public func stop() async { await end(with: SIGTERM) }

    /// Ends the broker at once, as a power cut would, and waits until it is gone.
    public func kill() async { await end(with: SIGKILL) }

    /// Starts the broker again, at the same port and with the same files, after ``stop()`` or ``kill()``.
    public func restart() async throws {
        precondition(processIdentifier == nil, "the broker runs")
        let process = try await Self.launch(files)
        running.withLock { $0 = process }
    }

    /// Waits for a line of the broker's log with this text; lines from its start on count.
    ///
    /// - Parameter text: Part of a line, such as `New client connected from`.
    /// - Returns: The line; nil if the broker ended without it, or the task was cancelled.
    public func logLine(containing text: String) async -> String? {
        await running.withLock { $0 }?.log.line(containing: text)
    }

    /// What the broker has written so far.
    public var log: [String] { running.withLock { $0 }?.log.lines ?? [] }

    private func signal(_ number: Int32) {
        guard let process = running.withLock({ $0 }) else { preconditionFailure("the broker does not run") }
        process.signal(number)
    }

    private func end(with number: Int32) async {
        guard let process = running.withLock({ $0.take() }) else { return }
        // Again and again: mosquitto says that it runs a moment before it does, and forgets a signal that comes between.
        let hasEnded = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            repeat {
                process.signal(number)
                // A suspended process sees the signal only when it goes on.
                process.signal(SIGCONT)
            } while hasEnded.wait(timeout: .now() + .milliseconds(100)) == .timedOut
        }
        await process.log.end()
        hasEnded.signal()
        await process.end()
    }

    private static func launch(_ files: BrokerFiles) async throws -> GuardedProcess {
        let process = try await GuardedProcess.start(try Tool.mosquitto.path, ["-c", files.configurationPath])
        guard await process.log.line(containing: " running") != nil else {
            await process.end()
            throw StartFailure(description: process.log.lines.joined(separator: "\n"))
        }
        return process
    }
}

extension Broker.StartFailure {
    fileprivate var isPortTaken: Bool { description.contains("Address already in use") }
}
