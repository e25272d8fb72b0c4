/// Holds a watch's snapshot, and takes a newer one once it is durable.
///
///     holding ──newer snapshot──▶ storing ──persisted──▶ holding (acknowledge, show)
///                                   │  └──persist failed──▶ holding the old one (the hub sends again)
///                                   └──still newer snapshot──▶ storing, next
struct ContextReceiver: Hashable, Sendable {
    private enum State: Hashable, Sendable {
        /// The state while nothing waits for the store.
        case holding
        /// The state while a snapshot waits for the store, and maybe a newer one behind it.
        case storing(Snapshot, next: Snapshot?)
    }

    private var state = State.holding
    private let flaws: DesignFlaws
    /// The snapshot that is durable and shown.
    private(set) var held: Snapshot?

    /// Whether a snapshot waits for the store.
    var isStoring: Bool { state != .holding }

    /// Creates the receiver of a watch whose store holds this.
    init(held: Snapshot?, flaws: DesignFlaws = []) {
        self.held = held
        self.flaws = flaws
    }

    /// What to do with a snapshot that arrived.
    enum Action: Hashable, Sendable {
        /// Make it durable.
        case store(Snapshot)
        /// Acknowledge the version that is held already.
        case acknowledge(Version)
        /// Nothing: it is older, or another one is being stored.
        case none
    }

    /// A snapshot of an epoch that the fence lets pass arrived.
    mutating func received(_ snapshot: Snapshot) -> Action {
        switch state {
        case .holding:
            if let held, held.version == snapshot.version { return .acknowledge(held.version) }
            guard isNewer(snapshot, than: held) else { return .none }
            state = .storing(snapshot, next: nil)
            return .store(snapshot)
        case .storing(let storing, let next):
            guard isNewer(snapshot, than: next ?? storing) else { return .none }
            state = .storing(storing, next: snapshot)
            return .none
        }
    }

    /// The snapshot that was being stored is durable: it is held, and to be acknowledged.
    ///
    /// Gives the next one to store.
    mutating func persisted() -> Snapshot? {
        switch state {
        case .holding: preconditionFailure("no snapshot was being stored")
        case .storing(let storing, let next):
            held = storing
            return storeNext(next)
        }
    }

    /// The snapshot that was being stored is lost.
    ///
    /// Gives the next one to store.
    mutating func persistFailed() -> Snapshot? {
        switch state {
        case .holding: preconditionFailure("no snapshot was being stored")
        case .storing(_, let next): return storeNext(next)
        }
    }

    private mutating func storeNext(_ next: Snapshot?) -> Snapshot? {
        guard let next else {
            state = .holding
            return nil
        }
        state = .storing(next, next: nil)
        return next
    }

    private func isNewer(_ snapshot: Snapshot, than other: Snapshot?) -> Bool {
        guard let other, !flaws.contains(.watchIgnoresRevisions) else { return true }
        // The fence has let the epoch pass: another epoch than the held one is a newer one.
        return snapshot.version.epoch != other.version.epoch
            || snapshot.version.revision > other.version.revision
    }
}
