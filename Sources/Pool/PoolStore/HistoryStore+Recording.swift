internal import GRDB
internal import Platform
public import PoolModel

extension HistoryStore {
    /// Records several things in one transaction, which costs hardly more than one reading.
    ///
    /// - Parameter work: Records; it must call nothing else of this history. Its errors are rethrown.
    /// - Returns: The result of `work`; everything that it recorded is then on the disk.
    /// - Throws: ``HistoryError``; then nothing was recorded, and no state that `latest` returned is valid.
    public func together<Result>(_ work: (inout HistoryTransaction) throws -> Result) throws(HistoryError) -> Result {
        try onWriter { database in
            var transaction = HistoryTransaction(
                database, runNumber: runNumber, numbers: numbers.withLock(\.self), newest: newest.withLock(\.self))
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

    /// Records a reading together with the new newest state of its device; all or nothing.
    ///
    /// - Parameters:
    ///   - arrival: The reading, as for ``HistoryTransaction/record(_:latest:)``.
    ///   - latest: The state, as for the same function.
    /// - Returns: The result.
    /// - Throws: ``HistoryError``; then the state that `latest` returned is not valid.
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
    /// - Returns: The result for each reading.
    /// - Throws: ``HistoryError``; then no state that `latest` returned is valid.
    @discardableResult
    public func record(
        _ arrivals: [Arrival], latest: (Reading) -> DeviceReadings? = { _ in nil }
    ) throws(HistoryError) -> [RecordingOutcome] {
        try together { transaction in try arrivals.map { try transaction.record($0, latest: latest) } }
    }

    /// Stores the state of a device that changed without a new reading, for example by a replayed message.
    ///
    /// - Parameter latest: The state; its order must not be less than that of the stored one, otherwise the program
    ///   traps.
    /// - Throws: ``HistoryError``.
    public func save(_ latest: DeviceReadings) throws(HistoryError) {
        try together { try $0.save(latest) }
    }
}
