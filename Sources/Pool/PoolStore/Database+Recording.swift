internal import GRDB
internal import PoolModel

extension Database {
    /// Records one arrival within a transaction; see ``HistoryStore``.
    func record(_ arrival: Arrival, device: Int64, runNumber: Int64) throws -> RecordingOutcome {
        let reading = arrival.reading
        precondition(reading.timeQuality != .unknown, "a reading of unknown time: \(reading)")
        precondition(!reading.values.isEmpty, "a reading without a value: \(reading)")
        precondition(!reading.values.pairs.contains { $0.value.isNaN }, "a reading that is not a number: \(reading)")

        // A time from the device is more reliable than any delivery.
        if reading.timeQuality == .device {
            guard try !isKnown(arrival, device: device) else { return .duplicate }
            return .stored(ordinal: UInt64(try insert(arrival, device: device)))
        }
        guard let delivery = arrival.delivery else {
            return .stored(ordinal: UInt64(try insert(arrival, device: device)))
        }
        if try isRepeated(arrival, delivery, device: device, runNumber: runNumber) { return .duplicate }
        let ordinal = try insert(arrival, device: device)
        try remember(delivery, of: ordinal, arrival, device: device, runNumber: runNumber)
        return .stored(ordinal: UInt64(ordinal))
    }

    /// The number of a device, which is assigned with its first reading.
    func number(of deviceID: DeviceID) throws -> Int64 {
        let identifier = deviceID.description
        let known = try Int64.fetchOne(
            cachedStatement(sql: "SELECT number FROM device WHERE identifier = ?"), arguments: [identifier])
        if let known { return known }
        try execute(sql: "INSERT INTO device (identifier) VALUES (?)", arguments: [identifier])
        return lastInsertedRowID
    }

    /// Inserts a reading; returns its ordinal.
    private func insert(_ arrival: Arrival, device: Int64) throws -> Int64 {
        let reading = arrival.reading
        let statement = try cachedStatement(sql: HistoryTables.insertReading)
        let facts: [(any DatabaseValueConvertible)?] = [
            device, reading.sampledAt.milliseconds, reading.timeQuality.rawValue, reading.receivedAt.milliseconds,
            Int64(bitPattern: arrival.payloadHash),
        ]
        try statement.execute(arguments: StatementArguments(facts + Quantity.allCases.map { reading.values[$0] }))
        return lastInsertedRowID
    }

    /// Whether a reading with a time from its device is in the history, or was and has been deleted since.
    private func isKnown(_ arrival: Arrival, device: Int64) throws -> Bool {
        try Bool.fetchOne(
            cachedStatement(
                sql: """
                    SELECT EXISTS (SELECT * FROM reading
                            WHERE device = ?1 AND sampledAt = ?2 AND payloadHash = ?3 AND timeQuality = 'device')
                        OR EXISTS (SELECT * FROM deletedReading
                            WHERE device = ?1 AND sampledAt = ?2 AND payloadHash = ?3)
                    """),
            arguments: [device, arrival.reading.sampledAt.milliseconds, Int64(bitPattern: arrival.payloadHash)])
            ?? false
    }

    // MARK: - Deliveries

    /// Whether a delivery repeats a remembered one; if so, that one is marked as repeated on this connection, so that
    /// a further equal one on it is a new message.
    private func isRepeated(_ arrival: Arrival, _ delivery: Delivery, device: Int64, runNumber: Int64) throws -> Bool {
        guard delivery.isSessionResumed else { return false }
        let connection = Int64(bitPattern: delivery.connection)
        let known = try Int64.fetchOne(
            cachedStatement(
                sql: """
                    SELECT ordinal FROM
                        (SELECT * FROM delivery WHERE server = ? ORDER BY ordinal DESC LIMIT ?)
                    WHERE packetIdentifier = ? AND payloadHash = ? AND device = ? AND NOT (life = ? AND connection = ?)
                    ORDER BY ordinal LIMIT 1
                    """),
            arguments: [
                delivery.serverID.description, HistoryStore.deliveryCountMax, Int64(delivery.packetIdentifier),
                Int64(bitPattern: arrival.payloadHash), device, runNumber, connection,
            ])
        guard let known else { return false }
        try execute(
            sql: "UPDATE delivery SET life = ?, connection = ? WHERE ordinal = ?",
            arguments: [runNumber, connection, known])
        return true
    }

    private func remember(
        _ delivery: Delivery, of ordinal: Int64, _ arrival: Arrival, device: Int64, runNumber: Int64
    ) throws {
        let server = delivery.serverID.description
        try cachedStatement(sql: "INSERT INTO delivery VALUES (?, ?, ?, ?, ?, ?, ?)").execute(arguments: [
            ordinal, device, Int64(bitPattern: arrival.payloadHash), server, Int64(delivery.packetIdentifier),
            runNumber,
            Int64(bitPattern: delivery.connection),
        ])
        try cachedStatement(
            sql: """
                DELETE FROM delivery WHERE server = ? AND ordinal <=
                    (SELECT ordinal FROM delivery WHERE server = ? ORDER BY ordinal DESC LIMIT 1 OFFSET ?)
                """
        ).execute(arguments: [server, server, HistoryStore.deliveryCountMax])
    }
}
