internal import Logging
internal import Platform
internal import PoolModel
internal import SyncCore
internal import SyncTransport

/// Applies the driver's events to the received data, and reports changes.
///
/// No callback is called while the data are locked.
final class EventReceiver: Sendable {
    private let locked = Lock(State())
    private let logger: Logger
    private let onChange: @Sendable () -> Void

    private struct State {
        var memory = WatchMemory()
        var storageFailureCount = 0
        var lastStorageFailure: String?
        var lastForkedEpoch: Epoch?
    }

    init(logger: Logger, onChange: @escaping @Sendable () -> Void) {
        self.logger = logger
        self.onChange = onChange
    }

    /// The received data as of now.
    var memory: WatchMemory { locked.withLock(\.memory) }

    /// How often something could not be stored.
    var storageFailureCount: Int { locked.withLock(\.storageFailureCount) }

    /// Restores the stored state of an earlier run.
    func recall(_ state: WatchEngine.State) {
        log(locked.withLock { $0.memory.recall(state) })
    }

    /// Handles an event; called on the link's thread.
    func receive(_ event: WatchTransport.Event) {
        switch event {
        case .transport(let transport): change { $0.link.transport = transport }
        case .engine(.linkChanged(let session)): change { $0.link.session = session }
        case .engine(.snapshotChanged(let snapshot)): log(change { $0.receive(snapshot) })
        case .engine(.editsConfirmed(let edits)): change { $0.confirm(edits) }
        case .engine(.registerChanged(let register)):
            let received = ReceivedRegister(register)
            log(change { $0.receive(received, of: register) })
        case .engine(.hubForked(let epoch)): hubForked(epoch)
        case .engine(.notStored(let reason)): notStored(reason)
        case .engine(.dropped):
            // The driver logs it; the protocol recovers from it.
            break
        }
    }

    /// Handles an edit of this watch that is durable; called on any thread.
    func accepted(_ edit: Edit) {
        change { $0.accept(edit) }
    }

    /// Reports another change that a face shows; called on any thread.
    func changed() { onChange() }

    func change<Result>(_ body: (inout WatchMemory) -> Result) -> Result {
        defer { onChange() }
        return locked.withLock { body(&$0.memory) }
    }

    // MARK: - The log

    private func hubForked(_ epoch: Epoch) {
        let isNews = locked.withLock { state in
            defer { state.lastForkedEpoch = epoch }
            return state.lastForkedEpoch != epoch
        }
        guard isNews else { return }
        logger.info(
            "the hub is back in a history that this watch has left; its values are not taken",
            metadata: ["context.epoch": "\(epoch.number)"])
    }

    private func notStored(_ reason: String) {
        let isNews = locked.withLock { state in
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
