internal import GRDB
internal import PoolModel

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension Database {
    /// The states that are not yet in the file, computed from the readings after the mark.
    func statesToSave() throws -> NewestStates {
        let through = try value(of: .statesThrough) ?? 0
        var newest = NewestStates()
        let rows = try Row.fetchCursor(
            cachedStatement(sql: HistoryTables.readingsAfterOrdinal), arguments: [through])
        while let row = try rows.next() {
            let reading = try Reading(row)
            let device: Int64 = row["device"]
            var state = try newest.unsaved[device] ?? latest(of: device) ?? DeviceReadings(deviceID: reading.deviceID)
            newest.note(state.follow(reading) ? state : nil, of: device)
        }
        return newest
    }

    /// The stored state of a device; nil if it has none.
    func latest(of device: Int64) throws -> DeviceReadings? {
        try Row.fetchOne(
            cachedStatement(sql: "SELECT latest FROM device WHERE number = ? AND latest IS NOT NULL"),
            arguments: [device]
        ).map { try DeviceReadings($0) }
    }

    /// The stored states by the numbers of their devices.
    func latestOfAll() throws -> [Int64: DeviceReadings] {
        let rows = try Row.fetchAll(
            cachedStatement(sql: "SELECT latest, number FROM device WHERE latest IS NOT NULL"))
        return Dictionary(try rows.map { ($0[1] as Int64, try DeviceReadings($0)) }) { $1 }
    }

    /// Stores states, and marks that they include all readings.
    func save(_ states: [Int64: DeviceReadings]) throws {
        for (device, state) in states { try putLatest(state, device: device) }
        try markStates()
    }

    /// Marks that the stored states include all readings.
    func markStates() throws {
        // The last ordinal ever assigned, because the newest readings may have been deleted.
        let last = try Int64.fetchOne(cachedStatement(sql: "SELECT seq FROM sqlite_sequence WHERE name = 'reading'"))
        try set(.statesThrough, to: last ?? 0)
    }

    /// Stores the newest state of a device.
    func putLatest(_ latest: DeviceReadings, device: Int64) throws {
        let order = Int64(clamping: latest.order)
        try cachedStatement(
            sql: """
                UPDATE device SET latest = ?, latestOrder = ?
                WHERE number = ? AND (latestOrder IS NULL OR latestOrder <= ?)
                """
        ).execute(arguments: [Data(latest.canonicalJSON()), order, device, order])
        precondition(changesCount == 1, "the state \(latest.order) of \(latest.deviceID) is older than the stored one")
    }
}

extension DeviceReadings {
    /// The state in the first column of a row.
    init(_ row: Row) throws {
        let json: Data = row[0]
        do throws(CanonicalJSON.Failure) {
            self = try CanonicalJSON.decode(DeviceReadings.self, from: Array(json))
        } catch {
            throw CorruptionError(finding: "the latest state of a device: \(error.reason)")
        }
    }
}
