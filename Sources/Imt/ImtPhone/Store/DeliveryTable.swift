import GRDB
import ImtApp
import ImtModel
import Platform

/// Which watch got which copy, and which of them must delete it (IMT33, IMT36).
enum DeliveryTable {
    /// How long a delivery is remembered: longer than a watch may keep a copy.
    private static let keptMilliseconds = PhotoCopy.lifetime.wholeMilliseconds + 3_600_000

    /// Notes that a watch is to get a copy; returns the transfer that may be under way.
    static func begin(
        _ copy: String, of photo: String, to watch: String, at now: Timestamp, _ database: Database
    ) throws -> String? {
        let known = try DeliveryRow.fetchOne(database, key: ["copy": copy, "watch": watch])
        let transfer = known?.isRevoked == false ? known?.transfer : nil
        try DeliveryRow(
            copy: copy, photo: photo, watch: watch, transfer: transfer, at: now.milliseconds, isRevoked: false
        ).save(database)
        return transfer
    }

    /// Notes the transfer of a copy; returns false if it was revoked meanwhile.
    static func note(_ transfer: String, of copy: String, to watch: String, _ database: Database) throws -> Bool {
        guard var row = try DeliveryRow.fetchOne(database, key: ["copy": copy, "watch": watch]) else { return false }
        row.transfer = transfer
        try row.update(database)
        return !row.isRevoked
    }

    /// Notes that a transfer ended.
    static func end(_ transfer: String, _ database: Database) throws {
        try database.execute(sql: "UPDATE delivery SET transfer = NULL WHERE transfer = ?", arguments: [transfer])
    }

    /// Revokes every delivery of a photo; returns whether there was one.
    @discardableResult
    static func revoke(photo: String, _ database: Database) throws -> Bool {
        try database.execute(
            sql: "UPDATE delivery SET isRevoked = 1 WHERE photo = ? AND isRevoked = 0", arguments: [photo])
        return database.changesCount > 0
    }

    /// Revokes every delivery to a watch.
    static func revoke(watch: String, _ database: Database) throws -> Bool {
        try database.execute(
            sql: "UPDATE delivery SET isRevoked = 1 WHERE watch = ? AND isRevoked = 0", arguments: [watch])
        return database.changesCount > 0
    }

    /// The copies that a watch must delete.
    static func revoked(of watch: String, at now: Timestamp, _ database: Database) throws -> [String] {
        try String.fetchAll(
            database, sql: "SELECT copy FROM delivery WHERE watch = ? AND isRevoked = 1 AND at > ? ORDER BY copy",
            arguments: [watch, now.milliseconds - keptMilliseconds])
    }

    /// The transfers that may be under way although their copies are revoked, with their watches.
    static func cancellations(_ database: Database) throws -> [(transfer: String, watch: String)] {
        try Row.fetchAll(
            database, sql: "SELECT transfer, watch FROM delivery WHERE isRevoked = 1 AND transfer IS NOT NULL"
        ).map { ($0["transfer"], $0["watch"]) }
    }

    /// Forgets what no watch can have any more.
    static func prune(at now: Timestamp, _ database: Database) throws {
        try database.execute(
            sql: "DELETE FROM delivery WHERE at <= ?", arguments: [now.milliseconds - keptMilliseconds])
    }
}

extension Duration {
    /// The whole milliseconds.
    var wholeMilliseconds: Int64 { Int64(self / .milliseconds(1)) }
}
