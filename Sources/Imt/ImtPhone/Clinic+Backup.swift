import Foundation
import GRDB
package import ImtModel
import Platform
import Records
import SyncStore
import Vault

extension Clinic {
    /// Writes a backup into a new folder: the database, and the sealed photos.
    ///
    /// The master key is not in it.
    ///
    /// - Parameters:
    ///   - path: The folder, which must not exist.
    ///   - author: Who wants it.
    /// - Returns: The number of sealed files.
    /// - Throws: ``ImtProblem``; what was written until then is removed.
    package func backup(to path: String, by author: Author) throws(ImtProblem) -> Int {
        guard !FileSystem.isThere(path) else {
            throw ImtProblem(
                .refused, "\(path) exists: name a folder that does not",
                "\(path) existe : nommez un dossier qui n'existe pas")
        }
        do {
            try StateFolder.prepare("\(path)/photos")
            try note(.backup, path, "", by: author)
            try file.copy(to: "\(path)/\(RecordFile.Kind.clinic.name)")
            let names = try PatientTable.backupNames(at: "\(path)/\(RecordFile.Kind.clinic.name)")
            for name in names { try Self.copy(files.path(of: name), to: "\(path)/photos/\(name)") }
            for kept in [RecordFile.Kind.clinic.name] + names.map({ "photos/\($0)" }) {
                try StateFolder.settle(contentsOf: "\(path)/\(kept)")
            }
            try StateFolder.settle(nameOf: "\(path)/photos/x")
            try StateFolder.settle(nameOf: "\(path)/x")
            return names.count
        } catch {
            try? FileManager.default.removeItem(atPath: path)
            throw file.kind.problem(error, path)
        }
    }

    private static func copy(_ from: String, to: String) throws {
        try FileManager.default.copyItem(atPath: from, toPath: to)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: to)
    }

    /// Takes over a backup in place of everything that is here.
    ///
    /// Patients that were erased here since then are erased again, what a patient has withdrawn here stays withdrawn, and what
    /// watches have is recalled. Deleted photos and transformations come back. The database changes at once: before that the
    /// old one is there, after that the new one.
    ///
    /// - Parameters:
    ///   - path: The folder of the backup.
    ///   - author: Who wants it.
    /// - Returns: The number of patients that are there now, and of those that were erased again.
    /// - Throws: ``ImtProblem``; then everything is as before.
    package func restore(from path: String, by author: Author) throws(ImtProblem) -> (patients: Int, erased: Int) {
        let staged = file.folder.path(of: "restore.sqlite")
        defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: staged + suffix) } }
        do {
            guard FileSystem.isThere("\(path)/\(RecordFile.Kind.clinic.name)") else {
                throw ImtProblem(
                    .missing,
                    "\(path) is no backup of imt: it has no \(RecordFile.Kind.clinic.name); name the folder of one",
                    "\(path) n'est pas une sauvegarde d'imt : nommez-en le dossier")
            }
            try? FileManager.default.removeItem(atPath: staged)
            try Self.copy("\(path)/\(RecordFile.Kind.clinic.name)", to: staged)
            let (names, erased, count) = try stage(staged, from: path, by: author)
            for name in names { try StateFolder.settle(contentsOf: files.path(of: name)) }
            try StateFolder.settle(nameOf: files.path(of: "x"))
            try file.replace(with: staged)
            try file.scrub()
            try files.sweep(keeping: Set(names))
            return (count, erased)
        } catch {
            // The files that no row names go.
            try? files.sweep(keeping: file.read(PatientTable.files))
            throw file.kind.problem(error, path)
        }
    }

    /// Makes the copy of a backup's database what it is to be here, with its files beside the present ones.
    private func stage(
        _ staged: String, from path: String, by author: Author
    ) throws -> (names: [String], erased: Int, patients: Int) {
        let queue = try RecordFile.queue(at: staged)
        try file.kind.check(queue, path)
        try ClinicTables.migrator.migrate(queue)
        let gone = try file.read {
            try Row.fetchAll($0, sql: "SELECT id, at FROM erased").map { ($0["id"] as String, $0["at"] as Int64) }
        }
        let sent = try file.read { try DeliveryRow.fetchAll($0) }
        let withdrawals = try file.read { try PatientTable.withdrawals(since: queue, $0) }
        let log = try file.read { try AuditRow.order(sql: "number").fetchAll($0) }
        let moment = now
        let erased = try queue.write { database in
            var erased = 0
            for (id, at) in gone {
                if let id = Patient.ID(id), try PatientRow.exists(database, key: ["id": "\(id)"]) {
                    _ = try Self.erase(id, at: moment, database)
                    erased += 1
                }
                try database.execute(sql: "INSERT OR REPLACE INTO erased (id, at) VALUES (?, ?)", arguments: [id, at])
            }
            for one in withdrawals { try database.execute(sql: one.sql, arguments: [one.isGiven, one.id]) }
            for var row in sent {
                row.isRevoked = true
                try row.save(database)
            }
            try database.execute(sql: "UPDATE delivery SET isRevoked = 1")
            // The log goes on: what happened since the backup stays in it.
            let last = try Int64.fetchOne(database, sql: "SELECT max(number) FROM audit") ?? 0
            for var row in log where (row.number ?? 0) > last {
                row.number = nil
                try row.insert(database)
            }
            try self.log(author, .restore, path, "", database)
            return erased
        }
        let names = try queue.read { try PatientTable.files($0) }.sorted()
        for name in names where !FileSystem.isThere(files.path(of: name)) {
            guard FileSystem.isThere("\(path)/photos/\(name)") else {
                throw ImtProblem(
                    .failed, "\(path) lacks photos/\(name): restore another backup", "\(path) n'a pas photos/\(name)")
            }
            try Self.copy("\(path)/photos/\(name)", to: files.path(of: name))
        }
        // A backup of another master key would be a store without photos.
        let first = try queue.read { try PhotoRow.fetchOne($0) }
        if let first { _ = try files.read(first.id, wrapped: first.key) }
        let patients = try queue.read { try PatientRow.fetchCount($0) }
        try queue.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try queue.close()
        return (names, erased, patients)
    }
}

extension PatientTable {
    /// What somebody does not agree to, or did not say.
    struct Withdrawal {
        /// The statement that says it of another copy of the database, for the value and the identity.
        var sql: String
        var isGiven: Bool?
        var id: String
    }

    /// What is not agreed to here, although another copy of the database says so or leaves it open.
    static func withdrawals(since other: DatabaseQueue, _ database: Database) throws -> [Withdrawal] {
        try ["customer", "photo"].flatMap { table in
            try Purpose.allCases.flatMap { purpose in
                let refused = try String.fetchAll(database, sql: "SELECT id FROM \(table) WHERE \(purpose) = 0")
                let agreed = try other.read {
                    try String.fetchAll($0, sql: "SELECT id FROM \(table) WHERE \(purpose) = 1")
                }
                let open = try agreed.filter {
                    try Bool.fetchOne(
                        database, sql: "SELECT \(purpose) IS NULL FROM \(table) WHERE id = ?", arguments: [$0]) == true
                }
                let sql = "UPDATE \(table) SET \(purpose) = ? WHERE id = ?"
                return refused.map { Withdrawal(sql: sql, isGiven: false, id: $0) }
                    + open.map { Withdrawal(sql: sql, isGiven: nil, id: $0) }
            }
        }
    }

    /// The names of the sealed files that a copy of the database names.
    static func backupNames(at path: String) throws -> [String] {
        let queue = try RecordFile.queue(at: path)
        defer { try? queue.close() }
        return try queue.read { try files($0) }.sorted()
    }
}
