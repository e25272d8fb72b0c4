import GRDB
import ImtModel
import Platform
import SyncStore

/// The database of a clinic: WAL, `synchronous = FULL`, foreign keys, and deleted bytes are overwritten.
///
/// A write is durable when it returns. The folder's lock makes this process the only writer.
final class ClinicFile: Sendable {
    static let name = "app.sqlite"

    let path: String
    let folder: StateFolder
    /// Whether the file was made by this call.
    let wasCreated: Bool
    private let queue: DatabaseQueue

    /// Opens the file of a folder, and creates it if it does not exist.
    ///
    /// - Throws: ``ImtProblem``; an existing file is unchanged then.
    init(_ folder: StateFolder) throws(ImtProblem) {
        self.folder = folder
        path = folder.path(of: Self.name)
        wasCreated = !FileSystem.isThere(path)
        do {
            if wasCreated { _ = try OpenFile<FolderError>.create(path) }
            queue = try DatabaseQueue(path: path, configuration: Self.configuration)
            if wasCreated {
                try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
                try queue.write { try $0.execute(sql: "PRAGMA application_id = \(ClinicTables.applicationID)") }
            }
            try Self.check(queue, path)
            try ClinicTables.migrator.migrate(queue)
            // A checkpoint that a crash interrupted.
            try queue.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        } catch {
            throw Self.problem(error, path)
        }
    }

    static var configuration: Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.foreignKeysEnabled = true
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA synchronous = FULL; PRAGMA secure_delete = ON")
        }
        return configuration
    }

    /// Refuses what is not a clinic, or is damaged, or of a newer version.
    static func check(_ queue: DatabaseQueue, _ path: String) throws {
        try queue.read { database in
            let number = try Int32.fetchOne(database, sql: "PRAGMA application_id")
            guard number == ClinicTables.applicationID else {
                throw ImtProblem(
                    .failed, "\(path) is not a store of imt: restore it from a backup",
                    "\(path) n'est pas une base d'imt : restaurez une sauvegarde")
            }
            let findings = try String.fetchAll(database, sql: "PRAGMA quick_check(1)")
            guard findings == ["ok"] else {
                throw ImtProblem(
                    .failed, "\(path) is damaged (\(findings.joined(separator: "; "))): restore it from a backup",
                    "\(path) est abîmé : restaurez une sauvegarde")
            }
            guard try !ClinicTables.migrator.hasBeenSuperseded(database) else {
                throw ImtProblem(
                    .failed, "\(path) is of a newer imt: update this one",
                    "\(path) est d'un imt plus récent : mettez à jour")
            }
        }
    }

    /// Reads in one transaction.
    func read<Value>(_ work: (Database) throws -> Value) throws(ImtProblem) -> Value {
        do { return try queue.read(work) } catch { throw Self.problem(error, path) }
    }

    /// Writes in one transaction, which is durable when this returns.
    func write<Value>(_ work: (Database) throws -> Value) throws(ImtProblem) -> Value {
        do { return try queue.write(work) } catch { throw Self.problem(error, path) }
    }

    /// Overwrites what was deleted, also in the index of names and in the journal.
    ///
    /// An index of FTS5 keeps deleted words until its parts are merged.
    func scrub() throws(ImtProblem) {
        _ = try write { try $0.execute(sql: "INSERT INTO customer_name (customer_name) VALUES ('optimize')") }
        do {
            try queue.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        } catch {
            throw Self.problem(error, path)
        }
    }

    /// Writes a copy of the whole database to another file.
    func copy(to path: String) throws(ImtProblem) {
        do {
            let other = try DatabaseQueue(path: path, configuration: Self.configuration)
            try queue.backup(to: other)
            try other.close()
        } catch {
            throw Self.problem(error, path)
        }
    }

    /// Takes over the whole content of another database at once.
    func replace(with path: String) throws(ImtProblem) {
        do {
            let other = try DatabaseQueue(path: path, configuration: Self.configuration)
            try other.backup(to: queue)
            try other.close()
            try queue.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA journal_mode = WAL")
                _ = try database.checkpoint(.truncate)
            }
        } catch {
            throw Self.problem(error, path)
        }
    }

    /// The sentence for an error.
    static func problem(_ error: any Error, _ path: String) -> ImtProblem {
        switch error {
        case let problem as ImtProblem: return problem
        case let error as DatabaseError where error.resultCode == .SQLITE_FULL || error.resultCode == .SQLITE_IOERR:
            return ImtProblem(
                .failed,
                "the disk of \(path) does not take it (\(error.message ?? "full")): nothing was changed; free some space",
                "le disque de \(path) n'en veut pas : rien n'a changé ; libérez de la place")
        case let error as DatabaseError where error.message == "after before before":
            return ImtProblem(
                .refused, "there is no photo before of this view yet: take that one first",
                "il n'y a pas encore de photo avant de cette vue : prenez-la d'abord")
        case let error as DatabaseError
        where error.resultCode == .SQLITE_CONSTRAINT && error.message?.contains("photo.view") == true:
            return ImtProblem(
                .refused, "there is a photo before of this view already: replace it, or delete it first",
                "il y a déjà une photo avant de cette vue : remplacez-la, ou supprimez-la d'abord")
        default:
            // Statements and their values are for nobody who uses the page.
            let message = (error as? DatabaseError).map { $0.message ?? "\($0.resultCode)" } ?? "\(error)"
            return ImtProblem(.failed, "the store failed: \(message)", "la base a échoué : \(message)")
        }
    }
}
