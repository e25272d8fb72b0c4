/// Changes a watch's copy of the configuration step by step; each step is durable before the next begins.
///
///     resting ──snapshot, edit, other numbering──▶ storing
///        ▲                                            │
///        └───────persisted, persist failed────────────┘ or the next step at once
///
/// If a step fails, nothing of it remains: the hub sends a snapshot again, and the author of an edit gets an error.
///
/// A second state, `position`, says whether the watch and the hub count the uploads alike:
///
///     known ──a session opened──▶ not known ──compared: they do──────────────────────────────▶ known
///                                  ▲     │                                                       ▲
///                                  │     └──compared: they do not──▶ storing another numbering   │
///                                  │                                        │ │                  │
///                                  └──────────────persist failed────────────┘ └────persisted─────┘
///
/// While this is not known, the comparison is the only step that may begin: snapshots and edits wait for it. Uploads
/// wait longer, until no snapshot or numbering is being stored either (``mayUpload``). If a new numbering could not
/// be stored, nothing begins by itself: the engine ends the session, and the next event, the next session at the
/// latest, begins with the comparison again.
struct ReplicaStateMachine: Sendable {
    /// The most requests that may wait for the store.
    static let requestCountMax = 64

    /// What an application wants changed.
    enum EditRequest: Hashable, Sendable {
        /// Give cells other values, or delete them: all or none.
        case change([CellChange])
        /// Restore the value that lost, or dismiss the conflict.
        case settle(conflict: RandomID, restoring: Bool)
    }

    /// What to do.
    enum Action: Hashable, Sendable {
        /// Make it durable.
        case store(ReplicaRecord)
        /// Acknowledge the version, which the watch already holds.
        case acknowledge(Version)
        /// The snapshot is older than the one that the watch holds.
        case old
        /// It is a delta of a snapshot that the watch does not hold.
        case foreignBase
        /// Answer the author of the request.
        case answer(RequestID, WatchEngine.Answer)
        /// The watch holds a newer snapshot, which confirms these edits.
        case held(Snapshot, confirmed: [ConfirmedEdit])
    }

    /// What a step needs from the engine.
    struct Context {
        var wallMilliseconds: Int64
        var fence: EpochFence
    }

    /// A step that waits for the store.
    private enum Step: Sendable {
        case snapshot(confirmed: [ConfirmedEdit])
        case edit(RequestID, Edit)
        case numbering
    }

    /// A request that waits, with what its author saw: a snapshot may change what is shown while the request waits.
    private struct Request: Sendable {
        var id: RequestID
        var edit: EditRequest
        var shown: SortedMap<CellKey, VisibleCell>
    }

    private(set) var replica: Replica
    private var storing: Step?
    private var nextSnapshot: ContextFrame?
    private var requests: [Request] = []
    /// Whether the hub is known to count the uploads as this watch does, and the hub's last receipt.
    ///
    /// While this is not known, the comparison is the only step that may begin. A numbering that is being stored
    /// counts as known.
    private var position: (isKnown: Bool, value: UploadReceipt?) = (true, nil)
    private let schema: UInt32

    init(_ replica: Replica, schema: UInt32) {
        self.replica = replica
        self.schema = schema
    }

    /// Whether a step is being stored that changes what the watch holds or how it counts: a greeting must wait for
    /// it.
    var isStoringPosition: Bool {
        switch storing {
        case .snapshot, .numbering: true
        case .edit, nil: false
        }
    }

    /// Whether uploads may be sent: the hub counts as this watch does.
    var mayUpload: Bool { position.isKnown && !isStoringPosition }

    // MARK: - Events

    /// The application requests a change.
    mutating func requested(
        _ edit: EditRequest, by request: RequestID, _ context: Context, _ generator: inout SplitMix64
    ) -> [Action] {
        guard requests.count < Self.requestCountMax else { return [.answer(request, .refused(.busy))] }
        requests.append(Request(id: request, edit: edit, shown: shown(to: edit)))
        return next(context, &generator)
    }

    /// The current view of the cells that a request concerns.
    private func shown(to edit: EditRequest) -> SortedMap<CellKey, VisibleCell> {
        var shown = SortedMap<CellKey, VisibleCell>()
        // An unknown conflict is refused later, when the request is processed.
        guard let changes = try? changes(of: edit).changes else { return shown }
        for change in changes { shown[change.key] = replica.view(of: change.key) }
        return shown
    }

    /// A snapshot arrived, of an epoch that the fence accepts.
    mutating func received(
        _ frame: ContextFrame, _ context: Context, _ generator: inout SplitMix64
    ) -> [Action] {
        let version = frame.version
        if let waiting = nextSnapshot?.version, waiting.epoch == version.epoch,
            waiting.revision > version.revision
        {
            return [.old]
        }
        // A whole snapshot that waits is always of use, a delta may not be.
        if let waiting = nextSnapshot, waiting.version == version, waiting.snapshot != nil, frame.snapshot == nil {
            return [.old]
        }
        nextSnapshot = frame
        return next(context, &generator)
    }

    /// The watch greets: a snapshot of the previous session that still waits is dropped.
    ///
    /// What the watch holds must not differ from what the greeting says; the hub sends its newest snapshot in the new
    /// session.
    mutating func greeted() {
        nextSnapshot = nil
    }

    /// A session began; the hub's welcome says how far it has taken in this watch's uploads.
    mutating func sessionOpened(
        _ uploads: UploadReceipt?, _ context: Context, _ generator: inout SplitMix64
    ) -> [Action] {
        position = (false, uploads)
        return next(context, &generator)
    }

    /// The step is durable.
    mutating func persisted(
        _ record: ReplicaRecord, _ context: Context, _ generator: inout SplitMix64
    ) -> [Action] {
        guard let step = storing else { preconditionFailure("nothing of the configuration was being stored") }
        storing = nil
        replica.apply(record)
        var actions: [Action] = []
        switch step {
        case .snapshot(let confirmed):
            if let snapshot = replica.state.snapshot { actions = [.held(snapshot, confirmed: confirmed)] }
        case .edit(let request, let edit): actions = [.answer(request, .accepted(edit))]
        case .numbering: break
        }
        return actions + next(context, &generator)
    }

    /// The epochs that the watch has seen are durable, together with registers of them.
    mutating func followed(_ fence: EpochFence) { replica.followed(fence) }

    /// The step could not be stored.
    mutating func persistFailed(
        reason: String, _ context: Context, _ generator: inout SplitMix64
    ) -> [Action] {
        guard let step = storing else { preconditionFailure("nothing of the configuration was being stored") }
        storing = nil
        var actions: [Action] = []
        switch step {
        case .edit(let request, _): actions = [.answer(request, .refused(.notStored(reason)))]
        case .numbering:
            // Nothing may be sent under the old numbers: the next session compares again.
            position = (false, position.value)
            return []
        case .snapshot: break
        }
        return actions + next(context, &generator)
    }

    // MARK: - Steps

    /// Begins the next step, if no step is being stored.
    private mutating func next(_ context: Context, _ generator: inout SplitMix64) -> [Action] {
        var actions: [Action] = []
        while storing == nil {
            if !position.isKnown {
                actions += compareNumbering(context, &generator)
            } else if let frame = nextSnapshot {
                nextSnapshot = nil
                actions += begin(frame, context, &generator)
            } else if !requests.isEmpty {
                let request = requests.removeFirst()
                actions += begin(request, context, &generator)
            } else {
                break
            }
        }
        return actions
    }

    private mutating func compareNumbering(_ context: Context, _ generator: inout SplitMix64) -> [Action] {
        let value = position.value
        position = (true, value)
        guard let record = replica.prepareNumbering(value, generator: &generator) else { return [] }
        return store(record, .numbering, context)
    }

    private mutating func begin(
        _ frame: ContextFrame, _ context: Context, _ generator: inout SplitMix64
    ) -> [Action] {
        let verdict =
            switch frame.contents {
            case .whole(let snapshot):
                replica.prepare(
                    snapshot, receipt: frame.receipt, wallMilliseconds: context.wallMilliseconds,
                    generator: &generator)
            case .delta(let delta):
                replica.prepare(
                    delta, receipt: frame.receipt, wallMilliseconds: context.wallMilliseconds, generator: &generator)
            }
        switch verdict {
        case .held(let version): return [.acknowledge(version)]
        case .old: return [.old]
        case .foreignBase: return [.foreignBase]
        case .take(let record, let confirmed): return store(record, .snapshot(confirmed: confirmed), context)
        }
    }

    private mutating func begin(
        _ waiting: Request, _ context: Context, _ generator: inout SplitMix64
    ) -> [Action] {
        let request = waiting.id
        do throws(EditError) {
            let (changes, resolves) = try changes(of: waiting.edit)
            let prepared = try replica.prepareEdit(
                changes, shown: waiting.shown, resolving: resolves, schema: schema,
                wallMilliseconds: context.wallMilliseconds,
                generator: &generator)
            guard let (edit, record) = prepared else { return [.answer(request, .unchanged)] }
            return store(record, .edit(request, edit), context)
        } catch {
            return [.answer(request, .refused(error))]
        }
    }

    private func changes(of edit: EditRequest) throws(EditError) -> (changes: [CellChange], resolves: RandomID?) {
        switch edit {
        case .change(let changes): return (changes, nil)
        case .settle(let id, let restoring):
            let together = replica.state.snapshot?.conflicts.values.ofEdit(with: id) ?? []
            guard !together.isEmpty else { throw .unknownConflict(id) }
            return (restoring ? together.map { CellChange(key: $0.key, value: $0.loser.value) } : [], id)
        }
    }

    private mutating func store(_ record: ReplicaRecord, _ step: Step, _ context: Context) -> [Action] {
        var record = record
        record.fence = context.fence
        storing = step
        return [.store(record)]
    }
}
