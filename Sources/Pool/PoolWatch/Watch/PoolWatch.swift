internal import Logging
public import PoolModel
internal import SyncCore
internal import SyncStore
internal import SyncTransport
internal import Synchronization
internal import ZeroMQ

/// A watch: it receives from its hub, keeps what it received across restarts, and knows how fresh that is.
///
/// From its creation it shows what an earlier run received, with the age that this has now. ``run()`` follows the
/// hub. Everything may be called on any thread.
public final class PoolWatch: Sendable {
    /// The versions of the records that a watch reads.
    public static let schemaVersions = ConfigurationEntry.versions

    /// The hub that the watch is paired with, nil if it never was.
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
    /// The device that is looked at on this watch only, nil for none.
    private let look = Mutex<DeviceID?>(nil)
    /// The last answers to questions.
    let answers = AnswerCache()
    private let restores = RestoreNotice()
    private let hasRun = Atomic<Bool>(false)

    /// Creates a watch on its folder, which stays held until ``run()`` has returned or the watch is gone.
    ///
    /// - Throws: `StoreError` if the memory cannot be opened; a damaged one is moved aside.
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
        // Bounded by the inbox of the exchange, which tells each item once in a life.
        let (items, arrival) = AsyncStream.makeStream(of: ReceivedItem.self)
        self.items = items
        // Bounded by the files that may wait to be consumed.
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

    /// Follows the hub until the task is cancelled; once in a watch's life.
    ///
    /// A hub that is not there or does not admit this watch is no end: the watch tries again, and the glance says what
    /// it waits for. A watch that was never paired only waits for the cancellation. When it returns, the folder is free.
    ///
    /// - Throws: `LinkError` when the link cannot work at all.
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
            // The first one to end, by cancellation or by failure, ends the other.
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// What does what commands ask, nil if the watch was never paired.
    var desk: WatchEditor? {
        driver.map { driver in
            WatchEditor(
                replica: RunningReplica(driver: driver, receiver: receiver),
                alerts: { [receiver] in receiver.memory.alerts },
                now: { [self] in hubTime })
        }
    }

    /// Takes in user info: an item is consumed when what it says is durable here.
    private func takeItems(with driver: WatchTransport) async {
        for await item in items {
            do {
                if try noticeBook.take(item) { receiver.changed() }
                driver.tell(.exchange(.consumed(item.id)))
            } catch {
                // It comes again in the next life.
                logger.info("a notice could not be stored", metadata: ["store.reason": "\(error)"])
            }
        }
    }

    /// Says in the log that commands cannot reach this watch.
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

    // MARK: - What it shows

    /// What a face shows now.
    ///
    /// Ages count from the samples, by the hub's clock; by this machine's own clock only until the hub has told its
    /// time since the watch started.
    ///
    /// - Parameter clock: The time of day to show, such as `10:09`.
    /// - Returns: All that a face shows; without a device and values if there is none to show, see ``choice``.
    public func glance(clock: String) -> Glance {
        let memory = receiver.memory
        return glance(of: choice(memory).device, memory, clock: clock)
    }

    /// What a face shows, for somebody who may want another device than this watch shows.
    func glance(device text: String?, clock: String) -> WatchAnswer {
        let memory = receiver.memory
        let choice = text == nil || memory.revision == nil ? choice(memory) : memory.configuration.choice(asked: text)
        if case .notFound(let error) = choice { return .refused("\(error)") }
        return .glance(glance(of: choice.device, memory, clock: clock))
    }

    /// What a face would show now of each device, without the time of day and without histories.
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

    /// Looks at a device on this watch only, as long as it exists; nil goes back to the one that is selected or was
    /// asked for.
    public func look(at device: DeviceID?) {
        look.withLock { $0 = device }
        receiver.changed()
    }

    /// The hub's clock now, or this machine's until the hub has told its time.
    public var hubTime: Timestamp {
        let moment = now()
        return Timestamp(milliseconds: driver?.hubMilliseconds(at: moment) ?? moment.wallMilliseconds)
    }

    /// The open alerts with this watch's own answers, and the last notices, newest first.
    public var alerts: WatchAlerts { alerts(receiver.memory) }

    private func alerts(_ memory: WatchMemory) -> WatchAlerts {
        WatchAlerts(
            memory.alerts, answers: memory.configuration.answers, pending: memory.edits.pending,
            notices: noticeBook.notices)
    }

    /// The edits and the conflicts, in words.
    public var report: WatchReport {
        let memory = receiver.memory
        return WatchReport(
            name: hub?.name ?? "", isRunning: true, isLinked: link(memory, at: now()).isLinked,
            revision: memory.revision, pending: memory.pending, uploadObstacle: memory.uploadObstacle,
            outcomes: memory.outcomes,
            conflicts: memory.conflicts)
    }

    /// Which device the watch shows, or why none.
    public var choice: DeviceChoice { choice(receiver.memory) }

    /// What is shown of a device as the hub told it last, nil if nothing ever came.
    public func readings(of device: DeviceID) -> DeviceReadings? { receiver.memory.readings[device] }

    /// The hub's configuration as the watch knows it, empty before the first one.
    public var configuration: WatchConfiguration { receiver.memory.configuration }

    /// What the watch received, in numbers.
    public var status: WatchStatus {
        let memory = receiver.memory
        let devices = memory.tallies.sorted { $0.key < $1.key }.compactMap { id, tally in
            let name = memory.configuration.device(id)?.name
            // The store keeps the last words of devices that are long gone.
            return name == nil && tally.receivedCount == 0
                ? nil
                : WatchStatus.DeviceCount(
                    id: id, name: name, newestOrder: tally.newestOrder, receivedCount: tally.receivedCount)
        }
        let servers = memory.configuration.servers.map {
            WatchStatus.ServerState(id: $0.id, name: $0.name, report: memory.reports[$0.id])
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
        // A device that is gone is looked at no more.
        if let seen = look.withLock(\.self).flatMap(memory.configuration.device) { return .shown(seen) }
        return memory.configuration.choice(asked: device)
    }

    /// The state of the link now.
    var linkState: LinkState { link(receiver.memory, at: now()) }

    private func link(_ memory: WatchMemory, at moment: Moment) -> LinkState {
        hub == nil ? .unpaired : memory.link.state(endpoint: endpoint, at: moment.monotonic)
    }
}
