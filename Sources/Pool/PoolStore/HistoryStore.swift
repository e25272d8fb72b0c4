internal import GRDB
internal import Platform
public import PoolModel

/// The hub's history of readings, and the newest state of each device, in one SQLite file.
///
/// A reading is on the disk when ``together(_:)`` returns; only then may the message be acknowledged to its broker. A
/// message that the broker delivers again is recognized:
///
/// - If its device gave the sample time, readings with the same device, sample time and payload hash are one reading,
///   however often and however late they come.
/// - If not, a device may send the same payload again and again, and each one is a reading. Then only the broker's
///   information counts. A broker delivers again when a client resumes its session before it has acknowledged, and
///   does so with the packet identifier of the first delivery (MQTT 3.1.1, section 4.4). So a reading is a repetition
///   if the broker resumed the session, and if one of the last ``deliveryCountMax`` deliveries of the same broker
///   came on another connection, for the same device, with the same packet identifier and payload hash. Each of those
///   counts only once per connection, since brokers reuse identifiers. The remaining error is that one repetition of
///   equal values may be lost, but never that a measurement is invented.
///
/// Values are stored as the device sent them. Corrected ones are computed whenever they are read, from the
/// calibrations that the caller gives.
///
/// The functions may be called on any thread, several at a time. Writing functions wait for each other, and so do
/// reading ones; the two kinds do not wait for each other, and each export and backup has its own connection.
public final class HistoryStore: Sendable {
    /// The number of remembered deliveries of each broker: more than a broker has in flight by default (20).
    public static let deliveryCountMax = 64

    /// The path of the file.
    public let path: String
    /// The connection that reads while the other one writes.
    ///
    /// It is declared first, so that the writing one is closed last and cleans up.
    private let reader: DatabaseQueue
    let queue: DatabaseQueue
    /// Distinguishes the connections of this store object from those of earlier ones, whose numbers may be the same.
    let runNumber: Int64
    /// The numbers of devices in the file, as far as they are known.
    let numbers = Lock<[DeviceID: Int64]>([:])
    /// The states that are not in the file yet; changed after the commit, by the code that holds the writing
    /// connection.
    let newest: Lock<NewestStates>

    /// Opens the history in a file, and creates it if it does not exist.
    ///
    /// - Parameter path: The file, in a folder that exists; no other process writes it.
    /// - Throws: ``HistoryError``; then an existing file is unchanged.
    public init(path: String) throws(HistoryError) {
        self.path = path
        do {
            queue = try HistoryFile.open(path)
            reader = try HistoryFile.openToRead(path)
            let (runNumber, newest) = try queue.read { database in
                (
                    try Int64.fetchOne(database, sql: "SELECT coalesce(max(life), 0) + 1 FROM delivery") ?? 1,
                    try database.statesToSave()
                )
            }
            self.runNumber = runNumber
            self.newest = Lock(newest)
        } catch {
            throw HistoryError(error, path: path)
        }
    }

    /// Closes the file; afterwards the history cannot be used.
    ///
    /// Everything recorded is on the disk even without it; closing only cleans up.
    /// - Throws: ``HistoryError``.
    public func close() throws(HistoryError) {
        // If it fails, the next opening computes the states from the readings.
        try? write(savingStates: true) { _ in }
        do {
            try reader.close()
            try queue.close()
        } catch {
            throw HistoryError(error, path: path)
        }
    }

    // MARK: - Reading

    /// The newest state of each device that has one.
    ///
    /// - Returns: The states in the order of the devices' identifiers.
    /// - Throws: ``HistoryError``.
    public func latest() throws(HistoryError) -> [DeviceReadings] {
        // Locked while the file is read, so that no state is saved and forgotten between the two.
        try newest.withLock { newest throws(HistoryError) in
            try read { database in
                try database.latestOfAll().merging(newest.unsaved) { $0.order > $1.order ? $0 : $1 }.values
                    .sorted { $0.deviceID.description < $1.deviceID.description }
            }
        }
    }

    /// The number of readings.
    ///
    /// - Parameter deviceID: The device; nil for all of them.
    /// - Returns: The number.
    /// - Complexity: O(*n*) in that number.
    /// - Throws: ``HistoryError``.
    public func count(of deviceID: DeviceID? = nil) throws(HistoryError) -> Int {
        try read { database in
            guard let deviceID else { return try Int.fetchOne(database, sql: "SELECT count(*) FROM reading") ?? 0 }
            return try Int.fetchOne(
                database,
                sql: "SELECT count(*) FROM reading WHERE device = (SELECT number FROM device WHERE identifier = ?)",
                arguments: [deviceID.description]) ?? 0
        }
    }

    /// The readings of a device in a span of time, ordered by sample time and, for equal times, by arrival.
    ///
    /// - Parameters:
    ///   - deviceID: The device.
    ///   - first: The first sample time.
    ///   - last: The last sample time.
    ///   - limit: The most readings to return; if there are more, the earliest ones.
    /// - Returns: The readings with their ordinals; negative zero has become zero.
    /// - Complexity: O(log *n* + *m*) for *m* of *n* readings.
    /// - Throws: ``HistoryError``.
    public func readings(
        of deviceID: DeviceID, from first: Timestamp, through last: Timestamp, limit: Int
    ) throws(HistoryError) -> [Reading] {
        try read { database in
            try Row.fetchAll(
                database, sql: HistoryTables.readingsOfSpan,
                arguments: [deviceID.description, first.milliseconds, last.milliseconds, max(0, limit)]
            ).map { try Reading($0) }
        }
    }

    // MARK: - The file

    func read<Result>(_ work: (Database) throws -> Result) throws(HistoryError) -> Result {
        do {
            return try reader.read(work)
        } catch {
            throw HistoryError(error, path: path)
        }
    }

    /// Runs work in one transaction; on request the newest states are saved first.
    ///
    /// That is necessary if the states change by anything but a new reading, and if readings are removed.
    func write<Result>(
        savingStates: Bool = false, _ work: (Database) throws -> Result
    ) throws(HistoryError) -> Result {
        try onWriter { database in
            let unsaved = savingStates ? newest.withLock(\.self) : nil
            let result = try database.commit {
                if let unsaved, unsaved.mustSave { try database.save(unsaved.unsaved) }
                return try work(database)
            }
            if unsaved != nil { newest.withLock { $0.saved() } }
            return result
        }
    }

    /// Runs work on the writing connection; its changes are not in a transaction unless it begins one.
    func onWriter<Result>(_ work: (Database) throws -> Result) throws(HistoryError) -> Result {
        do {
            return try queue.writeWithoutTransaction(work)
        } catch {
            throw HistoryError(error, path: path)
        }
    }
}

extension Database {
    /// Runs work in a transaction, and commits it.
    ///
    /// GRDB's own function compiles the two statements anew each time.
    func commit<Result>(_ work: () throws -> Result) throws -> Result {
        try cachedStatement(sql: "BEGIN IMMEDIATE").execute()
        do {
            let result = try work()
            try cachedStatement(sql: "COMMIT").execute()
            return result
        } catch {
            // Some failures end the transaction by themselves.
            if isInsideTransaction { try rollback() }
            throw error
        }
    }
}
