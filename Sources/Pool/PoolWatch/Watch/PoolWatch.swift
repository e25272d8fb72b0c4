public import Logging
import Platform
public import PoolModel
package import SyncCore
internal import SyncStore
package import SyncTransport
internal import Synchronization
public import ZeroMQ

/// A watch: it receives data from its hub, and stores them with their ages.
///
/// From its creation it shows the data of an earlier run, with their present age. ``run()`` follows the hub.
/// Everything may be called on any thread.
public final class PoolWatch: Sendable {
    /// The options of a watch at its start.
    public struct Options: Sendable {
        /// The device to show: its identity, its name, or the start of its identity; nil for the selected one.
        public var device: String?
        /// The hub's endpoint; nil for the one at the time of pairing.
        ///
        /// It is not stored.
        public var endpoint: Endpoint?
        /// The name that the watch sends to the hub; nil for the one that the hub gave it; 1…64 bytes in UTF-8.
        public var name: String?
        /// Logs what cannot be reported otherwise: data that cannot be read, and failures of the disk.
        public var logger: Logger
        /// Called after each change that could affect a face, but not because time passes.
        ///
        /// It may be called on any thread, and must return at once.
        public var onChange: @Sendable () -> Void
        /// The clocks of this machine; the monotonic one must be the transport's, except for a constant offset.
        public var clock: @Sendable () -> Moment
        /// Opens the journal of the watch with a given public key; nil for none.
        package var recording: (@Sendable (PeerKey) throws -> any WatchRecording)?
        /// Waits before storing a file is tried again that just failed, for example because the disk is full; half a
        /// minute.
        var pauseOfFiles: @Sendable () async throws -> Void = { try await Task.sleep(for: .seconds(30)) }

        /// Creates options.
        package init(
            device: String? = nil, endpoint: Endpoint? = nil, name: String? = nil, logger: Logger,
            onChange: @escaping @Sendable () -> Void = {}, clock: @escaping @Sendable () -> Moment = { .now },
            recording: (@Sendable (PeerKey) throws -> any WatchRecording)? = nil
        ) {
            self.device = device
            self.endpoint = endpoint
            self.name = name
            self.logger = logger
            self.onChange = onChange
            self.clock = clock
            self.recording = recording
        }
    }

    /// The versions of the records that a watch reads.
    public static let schemaVersions = ConfigurationEntry.versions

    /// The hub that the watch is paired with; nil if it never was.
    public let hub: PairedHub?
    private let path: String
    private let options: Options
    private let store: ClosableWatchStore
    private let notices: NoticeStore
    private let files: WatchFiles
    private let reducer: WatchReducer
    private let transport: WatchTransport?
    private let observer: WatchObserver
    private let queries: QueryClient
    private let awaiter: HubAwaiter
    private let commands: WatchCommandHandler
    private let hasRun = Atomic<Bool>(false)

    /// Creates a watch in its folder, which stays locked until ``run()`` has returned or the watch is deallocated.
    ///
    /// - Throws: `StoreError` if the received data cannot be opened; damaged data are moved aside.
    ///   ``WatchFolderError/nameUnfit(_:)``.
    public init(_ folder: consuming WatchFolder, options: Options) throws {
        if let name = options.name { try WatchFolder.check(name: name) }
        // What is stored; then the reducer, which the transport calls; then the parts that use both.
        hub = folder.hub
        path = folder.path
        self.options = options
        notices = try folder.openNotices()
        let opened = try folder.openStore()
        if let damaged = opened.setAside {
            options.logger.info(
                "\(damaged.sentence)",
                metadata: ["store.path": "\(damaged.path)", "store.finding": "\(damaged.finding)"])
        }
        let state = try opened.load()
        files = try folder.files(keeping: state.transfers.files)
        for trouble in files.troubles {
            options.logger.info("a kept file is not listed", metadata: ["files.reason": "\(trouble)"])
        }
        store = ClosableWatchStore(opened)
        let reducer = WatchReducer(wanted: options.device, logger: options.logger, onChange: options.onChange)
        self.reducer = reducer
        let endpoint = options.endpoint ?? hub?.endpoint
        if let hub, let endpoint {
            reducer.recall(state)
            transport = WatchTransport(
                configuration: WatchTransport.Configuration(
                    endpoint: endpoint, hubKey: hub.key, keys: folder.keys,
                    engine: .pool(name: options.name ?? hub.name, keys: folder.keys),
                    recording: try options.recording?(folder.keys.publicKey.peerKey)),
                state: state, storage: store, files: files, logger: options.logger,
                onTransfer: { reducer.handle(.transfer($0)) }, onEvent: { reducer.handle(.transport($0)) })
        } else {
            transport = nil
        }
        let observer = WatchObserver(
            hub: hub, endpoint: endpoint?.text ?? "", wanted: options.device, reducer: reducer, transport: transport,
            notices: notices, files: files, now: options.clock)
        self.observer = observer
        queries = QueryClient(transport: transport, reducer: reducer)
        awaiter = HubAwaiter(transport: transport, queries: queries, observer: observer)
        let editor = transport.map { transport in
            WatchEditor(
                replica: RunningReplica(transport: transport, reducer: reducer), alerts: { reducer.memory.alerts },
                now: { observer.hubTime })
        }
        commands = WatchCommandHandler(
            editor: editor, files: files, reducer: reducer, observer: observer, awaiter: awaiter,
            logger: options.logger)
    }

    // MARK: - Running

    /// Follows the hub until the task is cancelled; may be called once.
    ///
    /// A hub that is away or does not admit this watch does not end it: the watch tries again, and the glance says
    /// what it waits for. A watch that was never paired only waits for the cancellation. When it returns, the folder
    /// is free.
    ///
    /// - Throws: `LinkError` if the link cannot work at all.
    public func run() async throws {
        precondition(!hasRun.exchange(true, ordering: .relaxed), "a watch runs once")
        defer {
            store.close()
            notices.close()
            files.close()
        }
        guard let transport else { return await Self.cancellation() }
        let days = DayLoader(queries: queries, observer: observer, reducer: reducer)
        let obstacles = UploadObstacleMonitor(transport: transport, reducer: reducer)
        let noticeCollector = NoticeCollector(
            transport: transport, reducer: reducer, store: notices, logger: options.logger)
        let fileCollector = FileCollector(
            transport: transport, reducer: reducer, files: files, observer: observer, logger: options.logger,
            pause: options.pauseOfFiles)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await transport.run() }
            group.addTask { [commands, path] in
                await commands.serve(at: path)
                await Self.cancellation()
            }
            group.addTask { await obstacles.run() }
            group.addTask { await days.run() }
            group.addTask {
                await noticeCollector.run()
                await Self.cancellation()
            }
            group.addTask {
                await fileCollector.run()
                await Self.cancellation()
            }
            // The first task that ends, by cancellation or by failure, ends the other.
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// Returns when the task is cancelled.
    private static func cancellation() async {
        let (nothing, continuation) = AsyncStream.makeStream(of: Never.self)
        await withTaskCancellationHandler {
            for await _ in nothing {}
        } onCancel: {
            continuation.finish()
        }
    }

    // MARK: - Commands

    /// Carries out a command, also while the hub is away.
    ///
    /// - Throws: The error in the command, in words.
    public func perform(_ command: WatchCommand) async throws -> WatchAnswer { try await commands.perform(command) }

    /// Asks the hub a question immediately; nothing is queued.
    ///
    /// - Parameters:
    ///   - question: The question.
    ///   - patience: The time limit for the reply; 1 ms…1 h.
    /// - Returns: The reply, never `QueryReply.refused`.
    /// - Throws: ``QueryError``.
    public func ask(_ question: WatchQuery, patience: Duration = .seconds(10)) async throws -> QueryReply {
        try await queries.ask(question, patience: patience)
    }

    /// Asks the hub, and returns what a face then shows, with the source of the data.
    ///
    /// It waits for the link, for the hub's answer, for all data that this answer lists as newest, and then for a
    /// live value.
    /// - Parameters:
    ///   - device: The device, by its name or the start of its id; nil for the one that this watch shows.
    ///   - clock: The time of day to show.
    ///   - patience: The time limit for all of it.
    /// - Returns: A glance with its `Glance.source`, or the rejection of a device that does not exist.
    public func askedGlance(
        device: String? = nil, clock: @Sendable () -> String, patience: Duration
    ) async -> WatchAnswer {
        await awaiter.glance(device: device, clock: clock, patience: patience)
    }

    /// Waits until the hub has received an edit, or returns what the edit waits for.
    ///
    /// - Parameters:
    ///   - edit: The identifier of the edit, as in `PendingEditSummary.id`.
    ///   - patience: The time limit; the wait is shorter if nothing answers at the hub's endpoint.
    /// - Returns: The state of the edit.
    public func delivery(of edit: String, patience: Duration) async -> EditDelivery {
        await awaiter.delivery(of: edit, patience: patience)
    }

    /// Waits until the hub has received a dose.
    ///
    /// - Parameters:
    ///   - dose: The dose.
    ///   - patience: The time limit; the wait is shorter if nothing answers at the hub's endpoint.
    /// - Returns: What the dose waits for; nil if the hub has it.
    public func obstacle(toDose dose: DoseID, patience: Duration) async -> String? {
        await awaiter.obstacle(toDose: dose, patience: patience)
    }

    /// Tries the link again now instead of waiting.
    public func retry() { transport?.retry() }

    /// Shows a device on this watch only, as long as the device exists; nil returns to the selected or requested one.
    public func look(at device: DeviceID?) { reducer.handle(.viewed(device)) }

    // MARK: - What is shown

    /// The present data for a face.
    ///
    /// Ages are measured from the samples, by the hub's clock; by this machine's own clock only until the hub has
    /// sent its time since the watch started.
    ///
    /// - Parameter clock: The time of day to show, such as `10:09`.
    /// - Returns: Everything that a face shows; without a device and values if there is none to show, see ``choice``.
    public func glance(clock: String) -> Glance { observer.glance(clock: clock) }

    /// The present data of each device for a face, without the time of day and without histories.
    public var glances: [DeviceID: Glance] { observer.glances }

    /// The device that the watch shows, or why it shows none.
    public var choice: DeviceChoice { observer.state.choice }

    /// The last readings of a device from the hub; nil if there were none.
    public func readings(of device: DeviceID) -> DeviceReadings? { reducer.memory.readings[device] }

    /// The hub's configuration as last received; empty before the first one.
    public var configuration: WatchConfiguration { reducer.memory.configuration }

    /// The open alerts including this watch's own answers, and the last notices, newest first.
    public var alerts: WatchAlerts { observer.state.alerts }

    /// The quantities without alerts, according to the last answer of the hub since the watch started; nil without
    /// one.
    public var muted: [Quantity]? { reducer.muted }

    /// The configuration, and the edits and the conflicts in words.
    public var report: WatchReport { observer.state.report }

    /// Counts of what the watch received.
    public var status: WatchStatus { observer.state.status }

    /// The time by the hub's clock, or by this machine's until the hub has sent its time.
    public var hubTime: Timestamp { observer.hubTime }
}
