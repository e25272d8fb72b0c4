import CommandSupport
import Foundation
import Logging
import Platform
import PoolHub
import PoolModel
import PoolWatch
import SyncCore
import SyncStore
import SyncTransport
import ZeroMQ

/// One watch on its folder: waits until it is paired, then follows its hub.
///
/// While it is not paired it does not keep the folder open, so that `watch pair` can use it.
final class WatchSession: Sendable {
    /// How often an unpaired watch checks whether it has been paired.
    private static let pairingCheckInterval = Duration.seconds(1)

    /// The options of a session.
    struct Options: Sendable {
        /// The folder.
        var path: String
        /// The name of the watch, for messages.
        var name: String
        /// The device to show; nil for the selected one.
        var device: String?
        /// The hub's endpoint; nil for the one of the pairing.
        var endpoint: Endpoint?
        var logger: Logger
        /// Opens the watch's journal; nil for none.
        var recording: (@Sendable (PeerKey) throws -> any WatchRecording)?
    }

    /// The error if another process uses the watch's folder.
    struct InUse: Error, CustomStringConvertible {
        /// The error for the person.
        var failure: CommandFailure

        var description: String { "\(failure)" }
    }

    /// Yields an element after each change that could alter the display; changes before the next read give one element.
    let changes: AsyncStream<Void>

    private let options: Options
    private let changing: AsyncStream<Void>.Continuation
    private let watch: Lock<PoolWatch?>
    private let onChange: @Sendable () -> Void

    /// Opens the folder.
    ///
    /// - Parameters:
    ///   - options: The options of the session.
    ///   - onChange: Called on any thread after each change; must return at once.
    /// - Throws: ``InUse`` if another process uses the folder, ``CommandFailure`` if it cannot be used.
    init(_ options: Options, onChange: @escaping @Sendable () -> Void = {}) throws {
        self.options = options
        self.onChange = onChange
        let (changes, changing) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.changes = changes
        self.changing = changing
        do {
            watch = Lock(
                try Self.open(options) {
                    changing.yield()
                    onChange()
                })
        } catch {
            if case FolderError.inUse(_, let processID) = error {
                let isWatch = WatchClient.isRunning(path: options.path)
                throw InUse(
                    failure: isWatch
                        ? CommandFailure(PairingAdvice.inUse(name: options.name, processID: processID))
                        : CommandFailure(error))
            }
            throw CommandFailure(error)
        }
    }

    /// Opens the folder as ``init(_:onChange:)`` does; waits a few seconds while another process has it.
    ///
    /// - Parameters:
    ///   - options: The options of the session.
    ///   - asksRunning: Whether a process that runs the watch can be asked instead; then this call does not wait for
    ///     that process.
    ///   - patience: How long to wait.
    ///   - onChange: As for ``init(_:onChange:)``.
    /// - Returns: The session.
    /// - Throws: As ``init(_:onChange:)``.
    static func waiting(
        _ options: Options, asksRunning: Bool, patience: FolderWaitPolicy = FolderWaitPolicy(),
        onChange: @escaping @Sendable () -> Void = {}
    ) async throws -> WatchSession {
        try await patience.open {
            try WatchSession(options, onChange: onChange)
        } while: { error in
            error is InUse && !(asksRunning && WatchClient.isRunning(path: options.path))
        } onWait: { error in
            WaitMessage.write((error as? InUse)?.failure ?? error)
        }
    }

    /// Whether the watch is paired with a hub.
    var isPaired: Bool { watch.withLock { $0 != nil } }

    /// The watch; nil while it is not paired.
    var watchNow: PoolWatch? { watch.withLock(\.self) }

    /// Follows the hub until the task is cancelled.
    ///
    /// - Throws: ``CommandFailure`` if the link cannot work at all.
    func run() async throws {
        while true {
            if let watch = watch.withLock(\.self) {
                do {
                    return try await watch.run()
                } catch let error where !(error is CancellationError) {
                    throw CommandFailure(error)
                }
            }
            try await Task.sleep(for: Self.pairingCheckInterval)
            let opened: PoolWatch?
            do {
                opened = try Self.open(options) { [changing, onChange] in
                    changing.yield()
                    onChange()
                }
            } catch FolderError.inUse {
                // Another process is pairing it at the moment.
                continue
            } catch {
                throw CommandFailure(error)
            }
            guard let opened else { continue }
            watch.withLock { $0 = opened }
            changing.yield()
            onChange()
        }
    }

    /// The present glance for a face.
    func glance() -> Glance {
        let clock = TimeOfDay(.now).minutes
        if let watch = watch.withLock(\.self) { return watch.glance(clock: clock) }
        return Glance(
            device: nil, readings: nil, history: nil, now: .now, link: .unpaired, revision: nil, clock: clock)
    }

    /// What the watch has received since the start; nil while it is not paired.
    var status: WatchStatus? { watch.withLock(\.self)?.status }

    /// Why the device that was asked for is not shown; nil if none was asked for, or if it is not known yet.
    var missingDevice: ConfigurationError? {
        switch watch.withLock(\.self)?.choice {
        case .notFound(let error)?: error
        case .shown?, .noneSelected?, .noConfiguration?, nil: nil
        }
    }

    /// What to do because no device is selected; nil if one is.
    var selectionAdvice: String? {
        switch watch.withLock(\.self)?.choice {
        case .noneSelected(let known)?: "\(DeviceChoice.noneSelected(known: known))"
        case .shown?, .notFound?, .noConfiguration?, nil: nil
        }
    }

    /// Tries the link again now.
    func retry() {
        watch.withLock(\.self)?.retry()
    }

    /// The sentence that says how to pair.
    var pairingAdvice: String { PairingAdvice.sentence(name: options.name) }

    /// The watch of a folder; nil if it is not paired.
    private static func open(_ options: Options, onChange: @escaping @Sendable () -> Void) throws -> PoolWatch? {
        let folder = try WatchFolder(path: options.path)
        guard folder.hub != nil else { return nil }
        return try PoolWatch(
            folder,
            options: .init(
                device: options.device, endpoint: options.endpoint, logger: options.logger, onChange: onChange,
                recording: options.recording))
    }
}

/// The text that says how to pair.
enum PairingAdvice {
    /// The option that names a watch on a command line, with a blank before it; empty for the usual watch.
    static func option(name: String) -> String {
        name == "watch" ? "" : " --name \(name.contains(where: \.isWhitespace) ? "\"\(name)\"" : name)"
    }

    /// Why a watch cannot be started or paired while a process runs it.
    static func inUse(name: String, processID: Int32?) -> String {
        let process = processID.map { ", as process \($0)" } ?? ""
        return
            "the watch \"\(name)\" runs on this machine already\(process): stop that one, or give another watch another "
            + "name with --name, such as `poolsensors watch pair CODE --name Kitchen`"
    }

    static func sentence(name: String) -> String {
        let option = option(name: name)
        return "not paired with a hub yet: run `poolsensors pair` at the hub, then here "
            + "`poolsensors watch pair CODE\(option)`"
    }
}
