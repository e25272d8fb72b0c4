internal import GRDB
public import PoolModel
internal import Synchronization

/// The hub's history of readings, and the newest state of each device, in one SQLite file.
///
/// What was recorded is on the disk when `record` returns; only then may the message be
/// acknowledged to its broker. A message that the broker delivers again is recognised:
///
/// - If its device said when the sample was taken, the same device, sample time and payload hash are one reading,
///   however often and however late they come.
/// - If not, a quiet device sends the same payload again and again, and each is a reading. Then only the broker's own
///   words count. It delivers again when a client comes back to its session before it has acknowledged, and does so
///   with the packet identifier of the first delivery (MQTT 3.1.1, section 4.4). So a reading is the same if it comes
///   from the same broker for the same device with the same packet identifier and payload hash as one of the last
///   ``deliveryCountMax`` of that broker that came on another connection, and if the broker resumed the session.
///   Each of those is taken for the same once in a connection, since brokers use identifiers again. The remaining
///   error is on the side of one lost repetition of equal values, never of a phantom measurement.
///
/// Values are stored as the device sent them. Corrected ones are made whenever they are read, by the calibrations
/// that the caller gives.
///
/// Its functions may be called on any thread, several at a time. Those that write wait for each other, and so do
/// those that read; the two kinds do not wait for each other, and each export and backup reads by itself.
public final class HistoryStore: Sendable {
    /// The deliveries of each broker that are remembered: more than a broker has under way by default (20).
    public static let deliveryCountMax = 64

    /// The path of the file.
    public let path: String
    /// Reads while the other connection writes.
    ///
    /// It is declared first, so that the writing one is closed last and tidies up.
    private let reader: DatabaseQueue
    let queue: DatabaseQueue
    /// Tells the connections of this opening from those of earlier ones, whose numbers may be the same.
    let life: Int64
    /// The numbers of devices in the file, as far as they are known.
    let numbers = Mutex<[DeviceID: Int64]>([:])
    /// Changed by the code that has the writing connection, after the commit.
    let newest: Mutex<NewestStates>

    /// Opens the history of a file, and creates it if it does not exist.
    ///
    /// - Parameter path: The file, in a folder that exists and that no other process uses.
    /// - Throws: ``HistoryError``; an existing file was not changed then.
    public init(path: String) throws(HistoryError) {
        self.path = path
        do {
            queue = try HistoryFile.open(path)
            reader = try HistoryFile.openToRead(path)
            let (life, newest) = try queue.read { database in
                (
                    try Int64.fetchOne(database, sql: "SELECT coalesce(max(life), 0) + 1 FROM delivery") ?? 1,
                    try database.statesToSave()
                )
            }
            self.life = life
            self.newest = Mutex(newest)
        } catch {
            throw HistoryError(error, path: path)
        }
    }

    /// Closes the file; nothing can be done with the history afterwards.
    ///
    /// What was recorded is on the disk without it; closing tidies up.
    /// - Throws: ``HistoryError``.
    public func close() throws(HistoryError) {
        // Where it fails the next opening makes the states from the readings.
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
        // Held while the file is read, so that no state is saved and forgotten between the two.
        try newest.withLock { newest throws(HistoryError) in
            try read { database in
                try database.latestOfAll().merging(newest.unsaved) { $0.order > $1.order ? $0 : $1 }.values
                    .sorted { $0.deviceID.description < $1.deviceID.description }
            }
        }
    }

    /// The number of readings.
    ///
    /// - Parameter deviceID: The device, nil for all of them.
    /// - Returns: How many there are.
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

    /// The readings of a device in a span of time, by sample time; those of one time in the order of arrival.
    ///
    /// - Parameters:
    ///   - deviceID: The device.
    ///   - first: The first sample time.
    ///   - last: The last sample time.
    ///   - limit: How many at most; the earliest ones then.
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

    /// Does something in one transaction; if asked to, the newest states are in the file before it.
    ///
    /// So it must be when these change by anything but a new reading, and when readings go.
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

    /// Does something on the writing connection; what it changes is not in a transaction unless it begins one.
    func onWriter<Result>(_ work: (Database) throws -> Result) throws(HistoryError) -> Result {
        do {
            return try queue.writeWithoutTransaction(work)
        } catch {
            throw HistoryError(error, path: path)
        }
    }
}

extension Database {
    /// Does something in a transaction, and commits it.
    ///
    /// GRDB's own way compiles the two statements anew each time.
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
