import GRDB
import Logging
import Platform
import PoolHub
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The file of the accounts: its tables, its changes, and the notes of what was used last.
///
/// Other processes may change it at the same time: the command line does. Nothing here waits on the threads that tasks
/// share. Reading has a connection of its own, so that it goes on while nothing can be written.
final class AccountFile: Sendable {
    /// The most of each kind: users, tokens and links.
    static let countMax = 1000
    /// How often the last use of a session or token is noted, in milliseconds.
    static let noteMilliseconds: Int64 = 60_000

    let path: String
    let notes = UseNotes()
    private let state: Lock<State>
    private let signal = ChangeSignal()
    private let logger: Logger

    private struct State {
        /// The open connections, or why there are none.
        var connections: Result<AccountConnections, AccountError>
        /// How often the accounts have changed.
        var changes: UInt64 = 0
        /// What SQLite counts of changes by others.
        var version: Int?
        /// The write-ahead log that was beside the present file at the last look.
        var log: FileIdentity?
        /// When the file was missed first, so that one that is just being replaced is waited for.
        var isMissing = false
        /// The last fault of writing the notes, so that it is logged once.
        var noteFault: String?
    }

    /// Opens a file, and creates it if it does not exist.
    ///
    /// - Throws: ``AccountError``: what is wrong with it.
    init(path: String, logger: Logger = Logger(label: "web")) throws {
        self.path = path
        self.logger = logger
        state = Lock(State(connections: .success(try AccountConnections(path: path))))
    }

    deinit {
        // Both at once: the last connection to a file that may write puts everything into it.
        try? connections().close()
    }

    /// A number that changes with every change of the accounts, by this process or by another one.
    ///
    /// What others change is seen by ``look()``.
    var generation: UInt64 { state.withLock(\.changes) }

    /// Yields after each change; several changes may yield once.
    func changes() -> AsyncStream<Void> { signal.changes() }

    /// Reads.
    ///
    /// - Throws: ``AccountError`` if the file cannot be read; what the work throws.
    func read<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await perform { try await $0.reader.read(work) }
    }

    /// Changes the accounts.
    ///
    /// - Throws: ``AccountError`` if the file cannot be written; what the work throws.
    func write<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        let pending = notes.pending
        let value = try await perform { connections in
            try await connections.writer.write { database in
                try pending.write(database)
                return try work(database)
            }
        }
        notes.forget(pending)
        change()
        return value
    }

    private func perform<Value: Sendable>(
        _ work: (AccountConnections) async throws -> Value
    ) async throws -> Value {
        do {
            return try await work(try connections())
        } catch let error as DatabaseError where error.resultCode == .SQLITE_MISUSE {
            // They were closed because another file took the place of theirs.
            return try await work(try connections())
        } catch let error as DatabaseError {
            throw AccountError(error, path: path)
        }
    }

    private func connections() throws -> AccountConnections { try state.withLock(\.connections).get() }

    private func change() {
        state.withLock { $0.changes += 1 }
        signal.signal()
    }

    // MARK: - Looking

    /// Looks whether another process has changed the accounts, or put another file in the place of this one.
    func look() async {
        let identity = FileIdentity(path: path)
        let log = FileIdentity(path: logPath)
        let (known, wasMissing) = state.withLock { state in
            let known = try? state.connections.get().identity
            if identity == known { state.log = log }
            defer { state.isMissing = identity == nil }
            return (known, state.isMissing)
        }
        if known == nil || identity != known && (identity != nil || wasMissing) { await open(known) }
        do {
            let version = try await read { try Int.fetchOne($0, sql: "PRAGMA data_version") }
            let hasChanged = state.withLock { state in
                defer { state.version = version }
                return state.version != nil && state.version != version
            }
            if hasChanged { change() }
        } catch {
            // Who asks for an account is told.
        }
    }

    private var logPath: String { path + "-wal" }

    /// Opens the file that is there now.
    private func open(_ known: FileIdentity?) async {
        let (path, logPath) = (path, logPath)
        let (old, oldLog) = state.withLock { (try? $0.connections.get(), $0.log) }
        let opened: Result<AccountConnections, AccountError>
        do {
            opened = .success(
                try await runOnThread(stop: {}) {
                    // First the old ones: the last connection to a file removes what lies beside it by its name.
                    old?.close()
                    // Otherwise SQLite would write the changes of the earlier file into this one.
                    if let oldLog, FileIdentity(path: logPath) == oldLog {
                        unsafe unlink(logPath)
                        unsafe unlink(path + "-shm")
                    }
                    return try AccountConnections(path: path)
                })
        } catch {
            opened = .failure(error as? AccountError ?? .unreadable(path, reason: "\(error)"))
        }
        let text = if case .failure(let error) = opened { "\(error)" } else { "" }
        let isNews = state.withLock { state in
            defer {
                state.connections = opened
                state.version = nil
            }
            if case .failure(let error) = state.connections { return "\(error)" != text }
            return true
        }
        guard isNews else { return }
        logger.warning(
            "\(path) was replaced: its sessions and links are those of the new file\(text.isEmpty ? "" : "; " + text)")
        change()
    }

    /// Writes down what was used; what cannot be written now is kept, and tried again.
    func writeNotes() async {
        let pending = notes.pending
        guard !pending.isEmpty else { return }
        do {
            try await perform { try await $0.writer.write { try pending.write($0) } }
            notes.forget(pending)
            state.withLock { $0.noteFault = nil }
        } catch {
            let text = "\(error)"
            let isNews = state.withLock { state in
                defer { state.noteFault = text }
                return state.noteFault != text
            }
            if isNews { logger.warning("\(text); the page goes on, and what was used last is noted later") }
        }
    }
}

/// Which file a path leads to.
struct FileIdentity: Equatable, Sendable {
    private let device: UInt64
    private let number: UInt64

    /// The file at a path; nil if there is none.
    init?(path: String) {
        var status = stat()
        // Filled by the system, and used only if it says so.
        guard unsafe stat(path, &status) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
    }
}
