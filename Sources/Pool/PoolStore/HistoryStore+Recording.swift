internal import GRDB
public import PoolModel
internal import Synchronization

extension HistoryStore {
    /// Records what belongs together in one transaction, which costs hardly more than one reading does.
    ///
    /// - Parameter work: Records; it must call nothing else of this history. What it throws is thrown on.
    /// - Returns: What `work` returned; all that it recorded is on the disk then.
    /// - Throws: ``HistoryError``; nothing was recorded then, and no state that `latest` gave counts.
    public func together<Result>(_ work: (inout HistoryTransaction) throws -> Result) throws(HistoryError) -> Result {
        try onWriter { database in
            var transaction = HistoryTransaction(
                database, life: life, numbers: numbers.withLock(\.self), newest: newest.withLock(\.self))
            let result = try database.commit {
                let result = try work(&transaction)
                try transaction.saveStatesIfDue()
                return result
            }
            numbers.withLock { [transaction] in $0 = transaction.numbers }
            newest.withLock { [transaction] in $0 = transaction.newest }
            return result
        }
    }

    /// Records a reading, and with it the state that it makes its device's newest; all or nothing.
    ///
    /// - Parameters:
    ///   - arrival: The reading, as for ``HistoryTransaction/record(_:latest:)``.
    ///   - latest: The state, likewise.
    /// - Returns: What became of it.
    /// - Throws: ``HistoryError``; what `latest` gave does not count then.
    @discardableResult
    public func record(
        _ arrival: Arrival, latest: (Reading) -> DeviceReadings? = { _ in nil }
    ) throws(HistoryError) -> RecordingOutcome {
        try together { try $0.record(arrival, latest: latest) }
    }

    /// Records readings in one transaction; all or nothing.
    ///
    /// - Parameters:
    ///   - arrivals: The readings in the order of arrival, each as for a single one.
    ///   - latest: As for one reading; it is called for each new one, in order.
    /// - Returns: What became of each.
    /// - Throws: ``HistoryError``; nothing that `latest` gave counts then.
    @discardableResult
    public func record(
        _ arrivals: [Arrival], latest: (Reading) -> DeviceReadings? = { _ in nil }
    ) throws(HistoryError) -> [RecordingOutcome] {
        try together { transaction in try arrivals.map { try transaction.record($0, latest: latest) } }
    }

    /// Stores the state of a device that changed without a new reading, such as by a replayed message.
    ///
    /// - Parameter latest: The state; its order must not be less than that of the stored one, a lesser one traps.
    /// - Throws: ``HistoryError``.
    public func save(_ latest: DeviceReadings) throws(HistoryError) {
        try together { try $0.save(latest) }
    }
}
