package import GRDB
import Platform
package import SyncStore
package import Text

/// A database of an app's records: WAL, `synchronous = FULL`, foreign keys, and deleted bytes are overwritten.
///
/// A write is durable when it returns. The folder's lock makes this process the only writer.
package final class RecordFile: Sendable {
    /// What a file is, and what it says when it fails.
    package struct Kind: Sendable {
        /// The name in the folder.
        package var name: String
        /// What tells the file from other databases.
        package var applicationID: Int32
        /// The program, such as `imt`.
        package var program: String
        /// The tables.
        package var migrator: DatabaseMigrator
        /// What was refused, by the error of a constraint; nil for an error that is no refusal.
        package var refusal: @Sendable (DatabaseError) -> BilingualProblem?

        /// Describes a kind of file.
        package init(
            name: String, applicationID: Int32, program: String, migrator: DatabaseMigrator,
            refusal: @escaping @Sendable (DatabaseError) -> BilingualProblem?
        ) {
            self.name = name
            self.applicationID = applicationID
            self.program = program
            self.migrator = migrator
            self.refusal = refusal
        }
    }

    package let kind: Kind
    package let path: String
    package let folder: StateFolder
    /// Whether the file was made by this call.
    package let wasCreated: Bool
    private let queue: DatabaseQueue

    /// Opens the file of a folder, and creates it if it does not exist.
    ///
    /// - Throws: `BilingualProblem`; an existing file is unchanged then.
    package init(_ kind: Kind, in folder: StateFolder) throws(BilingualProblem) {
        self.kind = kind
        self.folder = folder
        path = folder.path(of: kind.name)
        wasCreated = !FileSystem.isThere(path)
        do {
            if wasCreated { _ = try OpenFile<FolderError>.create(path) }
            queue = try Self.queue(at: path)
            if wasCreated {
                try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
                try queue.write { try $0.execute(sql: "PRAGMA application_id = \(kind.applicationID)") }
            }
            try kind.check(queue, path)
            try kind.migrator.migrate(queue)
            // A checkpoint that a crash interrupted.
            try Self.emptyJournal(queue)
        } catch {
            throw kind.problem(error, path)
        }
    }

    /// Opens a database with the settings of all such files.
    package static func queue(at path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.foreignKeysEnabled = true
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA synchronous = FULL; PRAGMA secure_delete = ON")
        }
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    private static func emptyJournal(_ queue: DatabaseQueue) throws {
        try queue.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    }

    /// Reads in one transaction.
    package func read<Value>(_ work: (Database) throws -> Value) throws(BilingualProblem) -> Value {
        do { return try queue.read(work) } catch { throw problem(error) }
    }

    /// Writes in one transaction, which is durable when this returns.
    package func write<Value>(_ work: (Database) throws -> Value) throws(BilingualProblem) -> Value {
        do { return try queue.write(work) } catch { throw problem(error) }
    }

    /// Takes what was deleted and replaced out of the journal; the file itself is overwritten at once.
    package func emptyJournal() throws(BilingualProblem) {
        do { try Self.emptyJournal(queue) } catch { throw problem(error) }
    }

    /// Writes a copy of the whole database to another file.
    package func copy(to path: String) throws(BilingualProblem) {
        do {
            let other = try Self.queue(at: path)
            try queue.backup(to: other)
            try other.close()
        } catch {
            throw problem(error)
        }
    }

    /// Takes over the whole content of another database at once.
    package func replace(with path: String) throws(BilingualProblem) {
        do {
            let other = try Self.queue(at: path)
            try other.backup(to: queue)
            try other.close()
            try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
            try Self.emptyJournal(queue)
        } catch {
            throw problem(error)
        }
    }

    /// The sentence for an error.
    package func problem(_ error: any Error) -> BilingualProblem { kind.problem(error, path) }
}

extension RecordFile.Kind {
    /// Refuses what is another file, or is damaged, or of a newer version.
    package func check(_ queue: DatabaseQueue, _ path: String) throws {
        try queue.read { database in
            let number = try Int32.fetchOne(database, sql: "PRAGMA application_id")
            guard number == applicationID else {
                throw BilingualProblem(
                    .failed, "\(path) is not a store of \(program): restore it from a backup",
                    "\(path) n'est pas une base de \(program) : restaurez une sauvegarde")
            }
            let findings = try String.fetchAll(database, sql: "PRAGMA quick_check(1)")
            guard findings == ["ok"] else {
                throw BilingualProblem(
                    .failed, "\(path) is damaged (\(findings.joined(separator: "; "))): restore it from a backup",
                    "\(path) est abîmé : restaurez une sauvegarde")
            }
            guard try !migrator.hasBeenSuperseded(database) else {
                throw BilingualProblem(
                    .failed, "\(path) is of a newer \(program): update this one",
                    "\(path) vient d'une version plus récente de \(program) : mettez à jour")
            }
        }
    }

    /// The sentence for an error of a file.
    package func problem(_ error: any Error, _ path: String) -> BilingualProblem {
        switch error {
        case let problem as BilingualProblem: return problem
        case let error as DatabaseError where error.resultCode == .SQLITE_FULL || error.resultCode == .SQLITE_IOERR:
            return BilingualProblem(
                .failed,
                "the disk of \(path) does not take it (\(error.resultCode)): nothing was changed; free some space",
                "le disque de \(path) n'en veut pas : rien n'a changé ; libérez de la place")
        case let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT || error.resultCode == .SQLITE_NOTADB:
            return BilingualProblem(
                .failed,
                "\(path) is damaged (\(error.message ?? "\(error.resultCode)")): restore it from a backup, or another one",
                "\(path) est abîmé : restaurez une sauvegarde, ou une autre")
        default:
            if let refused = (error as? DatabaseError).flatMap(refusal) { return refused }
            // Statements and their values are for nobody who uses a page.
            let message = (error as? DatabaseError).map { $0.message ?? "\($0.resultCode)" } ?? "\(error)"
            return BilingualProblem(.failed, "the store failed: \(message)", "la base a échoué : \(message)")
        }
    }
}
