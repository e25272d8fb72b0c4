internal import GRDB
public import PoolModel
internal import Synchronization

extension HistoryStore {
    /// Records a reading, and with it the state that it makes its device's newest; all or nothing.
    ///
    /// - Parameters:
    ///   - arrival: The reading: with at least one value, none of them NaN, and with a known time; another one traps.
    ///   - latest: The state of the device after a new reading, nil if it is as before; not called for a duplicate.
    ///     It must be what `DeviceReadings.follow(_:)` makes of the state before, because after a crash the history
    ///     makes it so. An order that is less than that of the state before traps.
    ///   - changes: What the reading changes for the alert engine, stored with it; not called for a duplicate.
    /// - Returns: What became of it.
    /// - Throws: ``HistoryError``; what `latest` gave does not count then.
    @discardableResult
    public func record(
        _ arrival: Arrival, latest: (Reading) -> DeviceReadings? = { _ in nil },
        changes: ((Reading) -> [AlertChange])? = nil
    ) throws(HistoryError) -> Recorded {
        guard arrival.isOneRow, changes == nil, let device = numbers.withLock({ $0[arrival.reading.deviceID] }) else {
            return try record([arrival], latest: latest, changes: changes).first ?? .duplicate
        }
        return try onWriter { database in
            guard !newest.withLock({ $0.mustSave(after: 1) }) else {
                return try recordAll([arrival], latest, changes, in: database).first ?? .duplicate
            }
            // Nearly every reading: a lone row, which SQLite commits by itself.
            let recorded = try database.record(arrival, device: device, life: life)
            if let reading = arrival.reading(recorded) {
                newest.withLock { $0.note(latest(reading), of: device) }
            }
            return recorded
        }
    }

    /// Records readings in one transaction, which costs hardly more than one reading does; all or nothing.
    ///
    /// - Parameters:
    ///   - arrivals: The readings in the order of arrival, each as for a single one.
    ///   - latest: As for one reading; it is called for each new one, in order.
    ///   - changes: As for one reading; it is called after `latest`, for each new one.
    /// - Returns: What became of each.
    /// - Throws: ``HistoryError``; nothing that `latest` gave counts then.
    @discardableResult
    public func record(
        _ arrivals: [Arrival], latest: (Reading) -> DeviceReadings? = { _ in nil },
        changes: ((Reading) -> [AlertChange])? = nil
    ) throws(HistoryError) -> [Recorded] {
        try onWriter { try recordAll(arrivals, latest, changes, in: $0) }
    }

    /// Stores the state of a device that changed without a new reading, such as by a replayed message.
    ///
    /// - Parameter latest: The state; its order must not be less than that of the stored one, a lesser one traps.
    /// - Throws: ``HistoryError``.
    public func save(_ latest: DeviceReadings) throws(HistoryError) {
        try write(savingStates: true) { database in
            try database.putLatest(latest, device: database.number(of: latest.deviceID))
        }
    }

    private func recordAll(
        _ arrivals: [Arrival], _ latest: (Reading) -> DeviceReadings?, _ changes: ((Reading) -> [AlertChange])?,
        in database: Database
    ) throws -> [Recorded] {
        var known = numbers.withLock(\.self)
        let before = newest.withLock(\.self)
        let mustSave = before.mustSave(after: arrivals.count)
        var notes: [(device: Int64, state: DeviceReadings?)] = []
        let recorded = try database.commit {
            let recorded = try arrivals.map { arrival in
                let id = arrival.reading.deviceID
                let device = try known[id] ?? database.number(of: id)
                known[id] = device
                let recorded = try database.record(arrival, device: device, life: life)
                guard let reading = arrival.reading(recorded) else { return recorded }
                let state = latest(reading)
                precondition(state?.deviceID ?? id == id, "the state of another device than \(id)")
                notes.append((device, state))
                for change in changes?(reading) ?? [] { try database.apply(change) }
                return recorded
            }
            if mustSave {
                var after = before
                for note in notes { after.note(note.state, of: note.device) }
                try database.save(after.unsaved)
            }
            return recorded
        }
        numbers.withLock { [known] in $0 = known }
        newest.withLock { [notes] newest in
            for note in notes { newest.note(note.state, of: note.device) }
            if mustSave { newest.saved() }
        }
        return recorded
    }
}

extension Arrival {
    /// The reading with its ordinal, nil if it was there already.
    fileprivate func reading(_ recorded: Recorded) -> Reading? {
        guard case .stored(let ordinal) = recorded else { return nil }
        var reading = reading
        reading.ordinal = ordinal
        return reading
    }
}
