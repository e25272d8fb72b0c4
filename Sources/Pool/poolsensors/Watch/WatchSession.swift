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
/// While it is not paired it leaves the folder alone, so that `watch pair` can use it.
final class WatchSession: Sendable {
    /// How often an unpaired watch looks whether it has been paired.
    private static let pairingCheckInterval = Duration.seconds(1)

    /// What a session is told.
    struct Options: Sendable {
        /// The folder.
        var path: String
        /// The name of the watch, for messages.
        var name: String
        /// The device to show, nil for the selected one.
        var device: String?
        /// Where the hub listens, nil for where it was when pairing.
        var endpoint: Endpoint?
        var logger: Logger
        /// Opens the watch's journal, nil for none.
        var recording: (@Sendable (PeerKey) throws -> any WatchRecording)?
    }

    /// Another process holds the watch's folder.
    struct InUse: Error, CustomStringConvertible {
        /// What to tell the person.
        var failure: CommandFailure

        var description: String { "\(failure)" }
    }

    /// Gives an element after each change that could alter what is shown; changes before the next look are one.
    let changes: AsyncStream<Void>

    private let options: Options
    private let changing: AsyncStream<Void>.Continuation
    private let watch: Lock<PoolWatch?>
    private let onChange: @Sendable () -> Void

    /// Opens the folder.
    ///
    /// - Parameters:
    ///   - options: What the session is told.
    ///   - onChange: Called on any thread after each change; must return at once.
    /// - Throws: ``InUse`` if another process holds the folder, ``CommandFailure`` if it cannot be used.
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
            let failure = CommandFailure("\(error)")
            if case FolderError.inUse = error { throw InUse(failure: failure) }
            throw failure
        }
    }

    /// Opens the folder as ``init(_:onChange:)`` does; waits a few seconds while another process has it.
    ///
    /// - Parameters:
    ///   - options: What the session is told.
    ///   - asksRunning: Whether a process that runs the watch can be asked instead, so that nobody waits for it.
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
            WaitMessage.tell((error as? InUse)?.failure ?? error)
        }
    }

    /// Whether the watch is paired with a hub.
    var isPaired: Bool { watch.withLock { $0 != nil } }

    /// The watch, nil while it is not paired.
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
                    throw CommandFailure("\(error)")
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
                // Somebody is pairing it just now.
                continue
            } catch {
                throw CommandFailure("\(error)")
            }
            guard let opened else { continue }
            watch.withLock { $0 = opened }
            changing.yield()
            onChange()
        }
    }

    /// What a face shows now.
    func glance() -> Glance {
        let clock = TimeOfDay(.now).minutes
        if let watch = watch.withLock(\.self) { return watch.glance(clock: clock) }
        return Glance(
            device: nil, readings: nil, history: nil, now: .now, link: .unpaired, revision: nil, clock: clock)
    }

    /// What the watch received since the start, nil while it is not paired.
    var status: WatchStatus? { watch.withLock(\.self)?.status }

    /// Why no device is shown, nil if one is or if there is another reason to show none.
    var missingDevice: String? {
        switch watch.withLock(\.self)?.choice {
        case .noneSelected?, .notFound?: watch.withLock(\.self).map { "\($0.choice)" }
        case .shown?, .noConfiguration?, nil: nil
        }
    }

    /// Tries the link again now.
    func retry() {
        watch.withLock(\.self)?.retry()
    }

    /// The sentence that says how to pair.
    var pairingAdvice: String { PairingAdvice.sentence(name: options.name) }

    /// The watch of a folder, nil if it is not paired.
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

/// How to pair, in words.
enum PairingAdvice {
    /// The option that names a watch on a command line, with a blank before it; empty for the usual watch.
    static func option(name: String) -> String {
        name == "watch" ? "" : " --name \(name.contains(where: \.isWhitespace) ? "\"\(name)\"" : name)"
    }

    static func sentence(name: String) -> String {
        let option = option(name: name)
        return "not paired with a hub yet: run `poolsensors pair` at the hub, then here "
            + "`poolsensors watch pair CODE\(option)`"
    }
}
