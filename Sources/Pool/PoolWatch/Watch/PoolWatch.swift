internal import Logging
internal import Platform
public import PoolModel
internal import SyncCore
internal import SyncStore
internal import SyncTransport
internal import Synchronization
internal import ZeroMQ

/// A watch: it receives data from its hub, keeps them across restarts, and knows how old they are.
///
/// From its creation it shows the data of an earlier run, with their present age. ``run()`` follows the hub.
/// Everything may be called on any thread.
public final class PoolWatch: Sendable {
    /// The versions of the records that a watch reads.
    public static let schemaVersions = ConfigurationEntry.versions

    /// The hub that the watch is paired with; nil if it never was.
    public let hub: PairedHub?
    private let endpoint: String
    private let device: String?
    let now: @Sendable () -> Moment
    let receiver: EventReceiver
    private let path: String
    let logger: Logger
    private let store: LeasedStore
    private let noticeBook: NoticeStore
    private let items: AsyncStream<ReceivedItem>
    let files: WatchFiles
    let offers: AsyncStream<FileOffer>
    let pauseOfFiles: @Sendable () async throws -> Void
    let driver: WatchTransport?
    /// The device that is shown on this watch only; nil for none.
    private let look = Lock<DeviceID?>(nil)
    /// The last answers to questions.
    let answers = AnswerCache()
    private let restores = RestoreNotice()
    private let hasRun = Atomic<Bool>(false)

    /// Creates a watch in its folder, which stays locked until ``run()`` has returned or the watch is deallocated.
    ///
    /// - Throws: `StoreError` if the received data cannot be opened; damaged data are moved aside.
    ///   ``WatchFolderError/nameUnfit(_:)``.
    public init(_ folder: consuming WatchFolder, options: Options) throws {
        if let name = options.name { try WatchFolder.check(name: name) }
        let noticeBook = try folder.noticeBook()
        self.noticeBook = noticeBook
        let opened = try folder.openStore()
        if let damaged = opened.setAside {
            options.logger.info(
                "\(damaged.sentence)",
                metadata: ["store.path": "\(damaged.path)", "store.finding": "\(damaged.finding)"])
        }
        let state = try opened.load()
        files = try folder.files(keeping: state.transfers.files)
        pauseOfFiles = options.pauseOfFiles
        for trouble in files.troubles {
            options.logger.info("a kept file is not listed", metadata: ["files.reason": "\(trouble)"])
        }
        let store = LeasedStore(opened)
        let receiver = EventReceiver(logger: options.logger, onChange: options.onChange)
        self.store = store
        self.receiver = receiver
        now = options.clock
        device = options.device
        hub = folder.hub
        path = folder.path
        logger = options.logger
        // Limited by the inbox of the exchange, which reports each item once per run.
        let (items, arrival) = AsyncStream.makeStream(of: ReceivedItem.self)
        self.items = items
        // Limited by the number of files that may wait to be consumed.
        let (offers, coming) = AsyncStream.makeStream(of: FileOffer.self)
        self.offers = offers
        let hubEndpoint = options.endpoint ?? hub?.endpoint
        endpoint = hubEndpoint?.text ?? ""
        guard let hub, let hubEndpoint else {
            driver = nil
            return
        }
        receiver.recall(state)
        driver = WatchTransport(
            configuration: WatchTransport.Configuration(
                endpoint: hubEndpoint, hubKey: hub.key, keys: folder.keys,
                engine: .pool(name: options.name ?? hub.name, keys: folder.keys),
                recording: try options.recording?(folder.keys.publicKey.peerKey)),
            state: state, storage: store, files: files, logger: options.logger,
            onTransfer: { event in
                switch event {
                case .exchange(.itemReceived(let item)): arrival.yield(item)
                case .files(.received(let offer)): coming.yield(offer)
                case .exchange(.itemDelivered), .exchange(.itemsLost), .exchange(.messageReceived), .exchange(.dropped),
                    .exchange(.notStored), .files(.sent), .files(.ended), .files(.receiving), .files(.receiveFailed),
                    .files(.dropped), .files(.notStored):
                    break
                }
            }, onEvent: { receiver.receive($0) })
    }

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
            store.giveBack()
            noticeBook.giveBack()
            files.giveBack()
        }
        guard let driver else { return await Self.cancellation() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await driver.run() }
            group.addTask { [self] in await serveCommands(at: path) }
            group.addTask { [self] in await watchObstacle(of: driver) }
            group.addTask { [self] in await fillDays() }
            group.addTask { [self] in
                await takeItems(with: driver)
                await Self.cancellation()
            }
            group.addTask { [self] in
                await takeFiles(with: driver)
                await Self.cancellation()
            }
            // The first task that ends, by cancellation or by failure, ends the other.
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// The editor that carries out requests; nil if the watch was never paired.
    var desk: WatchEditor? {
        driver.map { driver in
            WatchEditor(
                replica: RunningReplica(driver: driver, receiver: receiver),
                alerts: { [receiver] in receiver.memory.alerts },
                now: { [self] in hubTime })
        }
    }

    /// Handles user info: an item is consumed when its content is durable here.
    private func takeItems(with driver: WatchTransport) async {
        for await item in items {
            do {
                if try noticeBook.take(item) { receiver.changed() }
                driver.tell(.exchange(.consumed(item.id)))
            } catch {
                // The item is delivered again at the next start.
                logger.info("a notice could not be stored", metadata: ["store.reason": "\(error)"])
            }
        }
    }

    /// Logs that commands cannot reach this watch.
    func noteDeafness(_ reason: String) {
        logger.info("commands cannot reach this watch", metadata: ["control.reason": "\(reason)"])
    }

    /// Returns when the task is cancelled.
    static func cancellation() async {
        let (nothing, continuation) = AsyncStream.makeStream(of: Never.self)
        await withTaskCancellationHandler {
            for await _ in nothing {}
        } onCancel: {
            continuation.finish()
        }
    }

    /// Tries the link again now instead of waiting.
    public func retry() {
        driver?.retry()
    }

    // MARK: - Shown data

    /// The present data for a face.
    ///
    /// Ages are measured from the samples, by the hub's clock; by this machine's own clock only until the hub has
    /// sent its time since the watch started.
    ///
    /// - Parameter clock: The time of day to show, such as `10:09`.
    /// - Returns: Everything that a face shows; without a device and values if there is none to show, see ``choice``.
    public func glance(clock: String) -> Glance {
        let memory = receiver.memory
        return glance(of: choice(memory).device, memory, clock: clock)
    }

    /// The present data for a face, for a caller that may want another device than this watch shows.
    func glance(device text: String?, clock: String) -> WatchAnswer {
        let memory = receiver.memory
        let choice = text == nil || memory.revision == nil ? choice(memory) : memory.configuration.choice(asked: text)
        if case .notFound(let error) = choice { return .refused("\(error)") }
        return .glance(glance(of: choice.device, memory, clock: clock))
    }

    /// The present data of each device for a face, without the time of day and without histories.
    public var glances: [DeviceID: Glance] {
        var memory = receiver.memory
        memory.forgetHistories()
        return Dictionary(memory.configuration.devices.map { ($0.id, glance(of: $0, memory, clock: "")) }) { $1 }
    }

    private func glance(of shown: WatchDevice?, _ memory: WatchMemory, clock: String) -> Glance {
        let hubTime = hubTime
        var glance = Glance(
            device: shown, readings: shown.flatMap { memory.readings[$0.id] },
            history: shown.flatMap { memory.histories[$0.id] }, now: hubTime,
            link: link(memory, at: now()), revision: memory.revision, clock: clock,
            pendingEdits: memory.pending.map(\.sentence), conflicts: memory.conflicts, alerts: alerts(memory).state)
        glance.uploadObstacle = memory.uploadObstacle
        glance.restoreNotice = restores.notice(of: memory, at: hubTime)
        glance.fileNotice = files.notice(at: hubTime)
        glance.moment = hubTime
        return glance
    }

    /// Shows a device on this watch only, as long as the device exists; nil returns to the selected or requested one.
    public func look(at device: DeviceID?) {
        look.withLock { $0 = device }
        receiver.changed()
    }

    /// The time by the hub's clock, or by this machine's until the hub has sent its time.
    public var hubTime: Timestamp {
        let moment = now()
        return Timestamp(milliseconds: driver?.hubMilliseconds(at: moment) ?? moment.wallMilliseconds)
    }

    /// The open alerts including this watch's own answers, and the last notices, newest first.
    public var alerts: WatchAlerts { alerts(receiver.memory) }

    private func alerts(_ memory: WatchMemory) -> WatchAlerts {
        WatchAlerts(
            memory.alerts, answers: memory.configuration.answers, pending: memory.edits.pending,
            notices: noticeBook.notices)
    }

    /// The configuration, and the edits and the conflicts in words.
    public var report: WatchReport {
        let memory = receiver.memory
        return WatchReport(
            name: hub?.name ?? "", isRunning: true, isLinked: link(memory, at: now()).isLinked,
            revision: memory.revision, configuration: memory.configuration, pending: memory.pending,
            uploadObstacle: memory.uploadObstacle, outcomes: memory.outcomes, conflicts: memory.conflicts)
    }

    /// The device that the watch shows, or why it shows none.
    public var choice: DeviceChoice { choice(receiver.memory) }

    /// The last readings of a device from the hub; nil if there were none.
    public func readings(of device: DeviceID) -> DeviceReadings? { receiver.memory.readings[device] }

    /// The hub's configuration as last received; empty before the first one.
    public var configuration: WatchConfiguration { receiver.memory.configuration }

    /// Counts of what the watch received.
    public var status: WatchStatus {
        let memory = receiver.memory
        let devices = memory.tallies.sorted { $0.key < $1.key }.compactMap { id, tally in
            let name = memory.configuration.device(id)?.name
            // The store keeps the last registers of devices that were removed long ago.
            return name == nil && tally.receivedCount == 0
                ? nil
                : WatchStatus.DeviceCount(
                    id: id, name: name, newestOrder: tally.newestOrder, receivedCount: tally.receivedCount)
        }
        let servers = memory.configuration.servers.map {
            WatchStatus.Server(id: $0.id, name: $0.name, report: memory.reports[$0.id])
        }
        return WatchStatus(
            name: hub?.name, isLinked: link(memory, at: now()).isLinked, revision: memory.revision,
            snapshotCount: memory.snapshotCount, devices: devices, servers: servers,
            undecodableRegisterCount: memory.undecodableRegisterCount,
            configurationProblemCount: memory.problems.count, storageFailureCount: receiver.storageFailureCount,
            pendingEditCount: memory.pending.count, conflictCount: memory.conflicts.count,
            alerts: memory.alerts.alerts.map(\.summary), noticeCount: noticeBook.takenCount)
    }

    private func choice(_ memory: WatchMemory) -> DeviceChoice {
        guard memory.revision != nil else { return .noConfiguration }
        // A device that was removed is no longer shown.
        if let seen = look.withLock(\.self).flatMap(memory.configuration.device) { return .shown(seen) }
        return memory.configuration.choice(asked: device)
    }

    /// The state of the link now.
    var linkState: LinkState { link(receiver.memory, at: now()) }

    private func link(_ memory: WatchMemory, at moment: Moment) -> LinkState {
        hub == nil ? .unpaired : memory.link.state(endpoint: endpoint, at: moment.monotonic)
    }
}
