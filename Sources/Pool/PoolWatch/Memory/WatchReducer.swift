internal import Logging
internal import Platform
internal import PoolModel
internal import SyncCore
internal import SyncTransport

/// Applies the events of a watch to its state, in order, and signals the changes to its screens.
///
/// The threads of the link and of tasks call ``handle(_:)``, which returns at once: it changes its own state, and puts
/// what must be stored into a queue. `onChange` is not called while the state is locked.
final class WatchReducer: Sendable {
    /// Something that happened.
    enum Input: Sendable {
        /// The engine or the connection below it did something.
        case transport(WatchTransport.Event)
        /// A transfer with the hub did something.
        case transfer(TransferEvent)
        /// An edit of this watch is durable.
        case edited(Edit)
        /// The rule that makes this watch's edits wait, as the transport knows it; nil for none.
        case uploadsWait(Conflict.Rule?)
        /// The hub answered a question.
        case answered(QueryReply)
        /// The last day of a quantity came from the hub's history.
        case loaded(DeviceID, TimeSeries)
        /// A device is to be shown on this watch only; nil for none.
        case viewed(DeviceID?)
        /// A received notice or file is stored, or a stored one was removed.
        case stored
    }

    private struct State {
        var memory = WatchMemory()
        var viewed: DeviceID?
        /// The device of the name that was asked for, from the first configuration that has one: names change.
        var found: DeviceID?
        var muted: [Quantity]?
        var restores = RestoreNotice()
        var storageFailureCount = 0
        var lastStorageFailure: String?
        var lastForkedEpoch: Epoch?
    }

    /// The received user info, in order.
    let items: AsyncStream<ReceivedItem>
    /// The received files, in order.
    let offers: AsyncStream<FileOffer>
    private let itemArrived: AsyncStream<ReceivedItem>.Continuation
    private let offerArrived: AsyncStream<FileOffer>.Continuation
    private let state = Lock(State())
    private let wanted: String?
    private let logger: Logger
    private let onChange: @Sendable () -> Void

    /// Creates a reducer.
    ///
    /// - Parameters:
    ///   - wanted: The name of the device to show, or the start of its identity; nil for the selected one.
    ///   - logger: Gets what cannot be shown otherwise.
    ///   - onChange: Called after each change that a face could show, on any thread; must return at once.
    init(wanted: String? = nil, logger: Logger, onChange: @escaping @Sendable () -> Void) {
        self.wanted = wanted
        self.logger = logger
        self.onChange = onChange
        // Limited by the inbox of the exchange, which reports each item once per run.
        (items, itemArrived) = AsyncStream.makeStream()
        // Limited by the number of files that may wait to be consumed.
        (offers, offerArrived) = AsyncStream.makeStream()
    }

    // MARK: - What is known

    /// The received data as of now.
    var memory: WatchMemory { state.withLock(\.memory) }

    /// The received data, the device that is shown on this watch only, the one that was asked for by its name, and how often
    /// something could not be stored.
    var facts: (memory: WatchMemory, viewed: DeviceID?, found: DeviceID?, storageFailureCount: Int) {
        state.withLock { ($0.memory, $0.viewed, $0.found, $0.storageFailureCount) }
    }

    /// The quantities without alerts; nil if the hub has not listed them.
    var muted: [Quantity]? { state.withLock(\.muted) }

    /// A clause about the last restore of the hub; nil if there was none, or it was mentioned long enough.
    func restoreNotice(at now: Timestamp) -> String? {
        state.withLock { $0.restores.notice(of: $0.memory, at: now) }
    }

    // MARK: - What happens

    /// Restores the stored state of an earlier run.
    func recall(_ stored: WatchEngine.State) {
        log(
            state.withLock { state in
                defer { find(&state) }
                return state.memory.recall(stored)
            })
    }

    /// Finds the device that was asked for, once.
    private func find(_ state: inout State) {
        guard state.found == nil, let wanted else { return }
        state.found = try? state.memory.configuration.device(matching: wanted).id
    }

    /// Applies what happened; called on any thread, returns at once.
    ///
    /// Inputs of one thread are applied in its order.
    func handle(_ input: Input) {
        switch input {
        case .transport(.transport(let transport)): change { $0.memory.link.transport = transport }
        case .transport(.engine(let event)): handle(event)
        case .transfer(.exchange(.itemReceived(let item))): itemArrived.yield(item)
        case .transfer(.files(.received(let offer))): offerArrived.yield(offer)
        case .transfer(.exchange(.itemDelivered)), .transfer(.exchange(.itemsLost)),
            .transfer(.exchange(.messageReceived)), .transfer(.exchange(.dropped)), .transfer(.exchange(.notStored)),
            .transfer(.files(.sent)), .transfer(.files(.ended)), .transfer(.files(.receiving)),
            .transfer(.files(.receiveFailed)), .transfer(.files(.dropped)), .transfer(.files(.notStored)):
            break
        case .edited(let edit): change { $0.memory.accept(edit) }
        case .uploadsWait(let rule): uploadsWait(rule?.uploadObstacle)
        case .answered(.newest(let newest)): state.withLock { $0.muted = newest.muted }
        case .answered(.alerting(let muted)): state.withLock { $0.muted = muted }
        case .answered(.series), .answered(.refused): break
        case .loaded(let device, let series): change { $0.memory.learn(series, of: device) }
        case .viewed(let device): change { $0.viewed = device }
        case .stored: onChange()
        }
    }

    private func handle(_ event: WatchEngine.Event) {
        switch event {
        case .linkChanged(let session): change { $0.memory.link.session = session }
        case .snapshotChanged(let snapshot):
            log(
                change { state in
                    defer { find(&state) }
                    return state.memory.receive(snapshot)
                })
        case .editsConfirmed(let edits): change { $0.memory.confirm(edits) }
        case .registerChanged(let register):
            let received = ReceivedRegister(register)
            log(change { $0.memory.receive(received, of: register) })
        case .hubForked(let epoch): hubForked(epoch)
        case .notStored(let reason): notStored(reason)
        case .dropped:
            // The transport logs it; the protocol recovers from it.
            break
        }
    }

    private func uploadsWait(_ obstacle: String?) {
        let isNews = state.withLock { state in
            guard state.memory.uploadObstacle != obstacle else { return false }
            state.memory.uploadObstacle = state.memory.edits.pending.isEmpty ? nil : obstacle
            return true
        }
        if isNews { onChange() }
    }

    private func change<Result>(_ body: (inout State) -> Result) -> Result {
        defer { onChange() }
        return state.withLock { body(&$0) }
    }

    // MARK: - The log

    private func hubForked(_ epoch: Epoch) {
        let isNews = state.withLock { state in
            defer { state.lastForkedEpoch = epoch }
            return state.lastForkedEpoch != epoch
        }
        guard isNews else { return }
        logger.info(
            "the hub is back in a history that this watch has left; its values are not taken",
            metadata: ["context.epoch": "\(epoch.number)"])
    }

    private func notStored(_ reason: String) {
        let isNews = state.withLock { state in
            defer { state.lastStorageFailure = reason }
            state.storageFailureCount += 1
            return state.lastStorageFailure != reason
        }
        if isNews { logger.info("what arrived could not be stored", metadata: ["store.reason": "\(reason)"]) }
    }

    private func log(_ remarks: [WatchMemory.Remark]) {
        for remark in remarks {
            switch remark {
            case .problem(let problem):
                logger.info(
                    "a piece of the configuration was not taken as it is",
                    metadata: ["configuration.problem": "\(problem)"])
            case .undecodable(let key, let reason):
                logger.info(
                    "a register cannot be read", metadata: ["register.key": "\(key)", "register.reason": "\(reason)"])
            }
        }
    }
}
