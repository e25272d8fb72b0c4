import SyncSimulation

extension ChaosChecker {
    /// A change of one cell, from the journal of one device.
    private struct Change {
        var device: String
        var note: Note

        var isDeletion: Bool { note.value == nil }
        var time: Int64 { note.time ?? 0 }
    }

    /// The rules by which an edit can be rejected only when it arrives, never once it is in effect.
    private static let rulesOfArrival = ["together", "deleted", "readOnly", "schema", "invalid", "tooLarge"]

    /// By cell, the changes; each change once, at its first time.
    private var changes: [String: [Change]] {
        var changes: [String: [Change]] = [:]
        var known: [Set<String?>: Int] = [:]
        for (device, notes) in journals.sorted(by: { $0.key < $1.key }) {
            for note in notes where note.kind == .accepted || note.kind == .intended {
                guard let cell = note.cell else { continue }
                let value = note.value.map { "value \($0)" }
                let name: Set = [cell, note.edit.map { "edit \($0)" }, value, note.kind.rawValue]
                if note.edit != nil, let place = known[name] {
                    if note.time ?? 0 < changes[cell]?[place].time ?? 0 { changes[cell]?[place].note.time = note.time }
                    continue
                }
                known[name] = changes[cell]?.count ?? 0
                changes[cell, default: []].append(Change(device: device, note: note))
            }
        }
        return changes
    }

    /// The present and past conflicts in the log: the rejected value, nil for a deletion, and the rule.
    private var losers: [String: [(value: String?, rule: String, time: Int64)]] {
        var losers: [String: [(value: String?, rule: String, time: Int64)]] = [:]
        for conflict in observations["hub"]?.conflicts ?? [] {
            losers[conflict.cell, default: []].append((conflict.loser, conflict.rule, .max))
        }
        for note in journals.values.joined() where note.kind == .putAside {
            losers[note.cell ?? "", default: []].append((note.value, note.text ?? "", note.time ?? 0))
        }
        return losers
    }

    /// Accepted edits that are not visible, and that no author who saw them has replaced.
    var lostEdits: [String] {
        let losers = losers
        return changes.flatMap { cell, changes -> [String] in
            let safe = safe(changes, shown: observations["hub"]?.cells[cell], losers: losers[cell]?.map(\.value) ?? [])
            return changes.indices.compactMap { index in
                let change = changes[index]
                guard change.note.kind == .accepted, !safe.contains(index),
                    !allowedLosses.mayLose(change.note, of: change.device)
                else { return nil }
                guard let value = change.note.value else {
                    return "\(change.device)'s deletion of \(cell) was accepted, and is not in effect nor in the log"
                }
                return "the value \"\(value)\" of \(cell) was accepted, and is neither shown nor in the log"
            }
        }.sorted()
    }

    /// The changes of a cell that are shown, in the log, or were replaced by one that is safe and whose author saw
    /// them.
    private func safe(_ changes: [Change], shown: String?, losers: [String?]) -> Set<Int> {
        var safe = Set(
            changes.indices.filter { changes[$0].note.value == shown || losers.contains(changes[$0].note.value) })
        // A value that the hub shows or has logged is safe, whoever wrote it; so is the value that its author had seen.
        var values = Set(([shown] + losers).compactMap(\.self))
        while true {
            let seen = safe.map { changes[$0] }
            values.formUnion(seen.compactMap(\.note.seen))
            // A watch that saw no value after a deletion has seen that deletion.
            let latestObservationOfAbsence =
                seen.filter { $0.note.seen == nil && !$0.isDeletion }.map(\.time).max() ?? .min
            let more = changes.indices.filter { index in
                let change = changes[index]
                if let value = change.note.value { return values.contains(value) }
                return change.time < latestObservationOfAbsence
            }
            guard !safe.isSuperset(of: more) else { return safe }
            safe.formUnion(more)
        }
    }

    /// Values that are shown although a deletion of them was accepted and not rejected.
    var returnedValues: [String] {
        let losers = losers
        return changes.flatMap { cell, changes -> [String] in
            guard let shown = observations["hub"]?.cells[cell],
                !(losers[cell] ?? []).contains(where: { $0.value == nil })
            else { return [] }
            return changes.filter { change in
                change.isDeletion && change.note.kind == .accepted && change.note.seen == shown
                    && !allowedLosses.mayLose(change.note, of: change.device)
            }.map { "\(cell) shows \"\(shown)\" again, which \($0.device) had deleted" }
        }.sorted()
    }

    /// Edits of several cells of which one change was rejected and another one is shown.
    ///
    /// After an edit took effect as a whole, one of its cells may lose against a newer one: that is the rule `newest`.
    var splitEdits: [String] {
        var cells: [String: [String: String]] = [:]
        for (cell, changes) in changes {
            for change in changes {
                guard let edit = change.note.edit, let value = change.note.value else { continue }
                cells[edit, default: [:]][cell] = value
            }
        }
        return losers.flatMap { cell, losers -> [String] in
            losers.flatMap { loser -> [String] in
                // An edit that was merged before a restore may be merged again after it.
                guard let value = loser.value, Self.rulesOfArrival.contains(loser.rule),
                    !allowedLosses.isBeforeRestore(loser.time)
                else { return [] }
                return cells.values.filter { $0[cell] == value }.flatMap { edit in
                    edit.filter { $0.key != cell && observations["hub"]?.cells[$0.key] == $0.value }
                        .map { "the edit \"\(value)\" lost at \(cell), and is in effect at \($0.key)" }
                }
            }
        }.sorted()
    }
}
