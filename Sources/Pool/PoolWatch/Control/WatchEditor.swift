internal import PoolModel
internal import SyncCore

/// The configuration of a watch: reads and changes it.
///
/// There is one type for a running watch and one for a watch that does not run.
protocol WatchReplica: Sendable {
    /// The configuration as the person sees it now.
    func contents() async throws -> ReplicaContents
    /// Changes cells durably, all or none.
    func edit(_ changes: [CellChange]) async throws -> WatchEngine.Answer
    /// Settles an open conflict.
    func settle(_ conflict: RandomID, restoring: Bool) async throws -> WatchEngine.Answer
    /// Queues user info durably.
    func send(_ transfer: Exchange.Transfer) async throws -> Exchange.Answer
}

/// Makes the edits of a watch's configuration.
struct WatchEditor: Sendable {
    let replica: any WatchReplica
    /// The last open alerts from the hub.
    var alerts: @Sendable () -> AlertState
    /// The time by the hub's clock.
    var now: @Sendable () -> Timestamp

    /// Makes an edit.
    ///
    /// - Throws: The error in the edit, in words.
    func perform(_ edit: WatchEdit) async throws -> WatchAnswer {
        switch edit {
        case .renameDevice(let device, let name): return try await change { try $0.renaming(device: device, to: name) }
        case .renamePool(let pool, let name): return try await change { try $0.renaming(pool: pool, to: name) }
        case .setLimits(let device, let quantity, let limits):
            return try await change { try $0.limiting(device: device, quantity, to: limits) }
        case .select(let device): return try await change { try $0.selecting(device: device) }
        case .settle(let conflict, let restoring): return try await settle(conflict, restoring: restoring)
        case .acknowledge(let episode):
            let alert = try alerts().alert(of: episode)
            return try await change { _ in [AlertState.acknowledgement(of: alert).change] }
        case .snooze(let episode, let seconds):
            guard (1...604_800).contains(seconds) else {
                return .refused("An alert can be quiet for 1 s to 7 days, not for \(seconds) s.")
            }
            let alert = try alerts().alert(of: episode)
            let until = now().advanced(byMilliseconds: Int64(seconds) * 1000)
            return try await change { _ in [AlertState.snooze(of: alert, until: until).change] }
        }
    }

    private func change(
        _ edit: (WatchConfiguration) throws -> [ConfigurationChange]
    ) async throws -> WatchAnswer {
        let contents = try await replica.contents()
        guard contents.revision != nil else {
            return .refused(WatchReport.noConfiguration)
        }
        let changes = try edit(WatchConfiguration(entries: contents.entries)).map(\.cellChange)
        return try await answer(replica.edit(changes))
    }

    private func settle(_ id: ConflictID, restoring: Bool) async throws -> WatchAnswer {
        let contents = try await replica.contents()
        guard let conflict = contents.conflicts.first(where: { ConflictID($0.id) == id }) else {
            throw ConflictNameError.notFound(id.digits, openCount: contents.conflicts.count)
        }
        if let waiting = contents.pending.first(where: { $0.resolves == conflict.id }) {
            let way = waiting.changes.isEmpty ? "dismissed" : "restored"
            return .unchanged("This conflict was \(way) here already; that waits for the hub.")
        }
        let words = EditFormatter(contents.entries)
        // The cells of one edit are resolved together.
        let together = contents.conflicts.ofEdit(with: conflict.id).map { ConflictSummary($0, words, in: contents) }
        if restoring, let obstacle = together.lazy.compactMap(\.obstacle).first {
            return .refused("The \(together[0].subject) cannot be restored here: \(obstacle).")
        }
        return try await answer(replica.settle(conflict.id, restoring: restoring))
    }

    private func answer(_ answer: WatchEngine.Answer) async throws -> WatchAnswer {
        switch answer {
        case .accepted(let edit):
            .waiting(PendingEditSummary(edit, EditFormatter(try await replica.contents().entries)))
        case .unchanged: .unchanged("It is so already: nothing was changed.")
        case .refused(let fault): .refused("Nothing was changed: \(fault).")
        }
    }
}

extension ConfigurationChange {
    /// The change in the engine's form.
    fileprivate var cellChange: CellChange {
        let cell = CellKey(
            kind: key.kind, record: RandomID(high: key.record.high, low: key.record.low), group: key.group)
        switch self {
        case .upsert(let entry): return CellChange(key: cell, value: String(decoding: entry.value, as: UTF8.self))
        case .delete: return CellChange(key: cell, value: nil)
        }
    }
}
