package import GRDB
package import Logging
import Platform
import Service
import SystemPackage
import Text

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
package final class AccountFile: Sendable {
    /// The most of each kind: users, tokens and links.
    package static let countMax = 1000
    /// How often the last use of a session or token is noted, in milliseconds.
    package static let noteMilliseconds: Int64 = 60_000

    /// The place of the column with what is granted, in both tables that have one; files of earlier versions call it otherwise.
    package static let scopeColumn = 1

    package let path: String
    package let product: WebProduct
    let notes = UseNotes()
    private let known = KnownAccounts()
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
        /// The file as it was at the last look.
        var seen: FileStamp?
        /// Whether the write-ahead log may hold something.
        var isLogged = true
        /// Whether a change failed because the file may only be read, and none succeeded since.
        var isReadOnly = false
        /// The last fault of writing the notes, so that it is logged once.
        var noteFault: String?
    }

    /// Opens a file, and creates it if it does not exist.
    ///
    /// - Throws: ``AccountError``: what is wrong with it.
    package init(path: String, product: WebProduct, logger: Logger = Logger(label: "web")) throws {
        self.path = path
        self.product = product
        self.logger = logger
        do {
            state = Lock(State(connections: .success(try AccountConnections(path: path))))
        } catch let error as AccountError {
            // The program that holds it will let it go; until then each who asks is told.
            guard case .unwritable = error else { throw error }
            state = Lock(State(connections: .failure(error)))
        }
    }

    deinit {
        // Both at once: the last connection to a file that may write puts everything into it.
        try? connections().close()
    }

    /// A number that changes with every change of the accounts, by this process or by another one.
    ///
    /// What others change is seen by ``look()``.
    package var generation: UInt64 { state.withLock(\.changes) }

    /// The account with the hash of a secret, read only if that was not done since the last change of the accounts.
    ///
    /// - Parameters:
    ///   - hash: The hash.
    ///   - now: The time.
    ///   - read: Reads the account and when it was used last; nil for none.
    ///   - note: Notes that it is used, given when it was used last; returns whether that was long ago.
    /// - Returns: The account, and whether the use before was long ago; nil without an account.
    /// - Throws: ``AccountError`` if the file cannot be read.
    func account(
        of hash: String, at now: Timestamp,
        read: @escaping @Sendable (Database) throws -> (account: Account, lastUsed: Int64)?, note: (Int64) -> Bool
    ) async throws -> (account: Account, isRenewed: Bool)? {
        let generation = generation
        var found = known.entry(of: hash, in: generation, at: now)
        let isKnown = found != nil
        if found == nil {
            found = try await self.read(read).map { KnownAccounts.Entry(account: $0.account, lastUsed: $0.lastUsed) }
        }
        guard var entry = found else { return nil }
        let isRenewed = note(entry.lastUsed)
        if isRenewed { entry.lastUsed = now.milliseconds }
        if isRenewed || !isKnown { known.keep(entry, of: hash, in: generation) }
        return (entry.account, isRenewed)
    }

    /// Yields after each change; several changes may yield once.
    package func changes() -> AsyncStream<Void> { signal.changes() }

    /// Reads.
    ///
    /// - Throws: ``AccountError`` if the file cannot be read; what the work throws.
    package func read<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await perform { try await $0.reader.read(work) }
    }

    /// Changes the accounts.
    ///
    /// - Throws: ``AccountError`` if the file cannot be written; what the work throws.
    package func write<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        // What it reads before it writes must be what is in the file.
        if try connections().isOverwritten {
            guard FileStamp(path: path)?.isEmpty == false else {
                throw AccountError.unwritable(path, reason: "another program is writing into it")
            }
            await open(.overwritten)
        }
        let pending = notes.pending
        let value = try await perform { connections in
            try await connections.write { database in
                try pending.write(database)
                return try work(database)
            }
        }
        notes.forget(pending)
        state.withLock { $0.isReadOnly = false }
        change()
        return value
    }

    private func perform<Value: Sendable>(
        _ work: (AccountConnections) async throws -> Value
    ) async throws -> Value {
        let end = ContinuousClock.now + .seconds(1)
        while true {
            do {
                return try await work(try connections())
            } catch let error as DatabaseError where error.resultCode == .SQLITE_MISUSE && .now < end {
                // They were closed because another file takes the place of theirs.
                try await Task.sleep(for: .milliseconds(10))
            } catch let error as DatabaseError {
                if error.resultCode == .SQLITE_READONLY { state.withLock { $0.isReadOnly = true } }
                throw AccountError(error, path: path)
            }
        }
    }

    private func connections() throws -> AccountConnections { try state.withLock(\.connections).get() }

    private func change() {
        state.withLock { state in
            state.changes += 1
            state.isLogged = true
        }
        signal.signal()
    }

    // MARK: - Looking

    /// Why the file is opened again.
    private enum Cause {
        /// It could not be opened before.
        case unusable
        /// Another file is at its place.
        case replaced
        /// Another program than SQLite has written into it, such as `cp`.
        case overwritten
        /// It could not be written before, and now perhaps can.
        case readOnly
    }

    /// Looks whether another process has changed the accounts, or put another file in the place of this one.
    package func look() async {
        if let cause = causeToOpen() { await open(cause) }
        // First, because it changes what SQLite counts.
        await checkpoint()
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

    private func causeToOpen() -> Cause? {
        let (identity, stamp, log) = (FileIdentity(path: path), FileStamp(path: path), FileIdentity(path: logPath))
        return state.withLock { state in
            defer { (state.isMissing, state.seen) = (identity == nil, stamp) }
            guard let known = try? state.connections.get() else { return .unusable }
            guard identity == known.identity else { return identity != nil || state.isMissing ? .replaced : nil }
            state.log = log
            if known.isOverwritten {
                // Not before it has been left alone for a while.
                return stamp == state.seen && stamp?.isEmpty == false ? .overwritten : nil
            }
            let isWritable = unsafe access(path, W_OK) == 0
            return known.obstacle != nil || state.isReadOnly && isWritable ? .readOnly : nil
        }
    }

    private var logPath: String { path + "-wal" }

    /// Empties the write-ahead log after each change.
    ///
    /// So nothing of an earlier file is in it when another one is copied over this one.
    private func checkpoint() async {
        let isDue = state.withLock { state in
            defer { state.isLogged = false }
            return state.isLogged
        }
        guard isDue, let connections = try? connections() else { return }
        // What fails is tried again after the next change, or when the notes are written.
        try? await connections.checkpoint()
    }

    /// Opens the file that is there now.
    private func open(_ cause: Cause) async {
        let (path, logPath) = (path, logPath)
        let (old, oldLog) = state.withLock { (try? $0.connections.get(), $0.log) }
        let opened: Result<AccountConnections, AccountError>
        do {
            opened = .success(
                try await runOnThread(stop: {}) {
                    // First the old ones: the last connection to a file removes what lies beside it by its name, and
                    // connections of one process share what one of them knows, such as that nothing can be written.
                    if cause == .replaced || cause == .readOnly { old?.close() }
                    if cause == .replaced {
                        // Otherwise SQLite would write the changes of the earlier file into this one.
                        if let oldLog, FileIdentity(path: logPath) == oldLog {
                            unsafe unlink(logPath)
                            unsafe unlink(path + "-shm")
                        }
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
        // At once, so that nothing of the old ones is read any more.
        old?.close()
        guard isNews, cause != .readOnly else { return }
        if cause == .replaced || !text.isEmpty {
            logger.warning(
                "\(path) was replaced: its sessions and links are those of the new file\(text.isEmpty ? "" : "; " + text)"
            )
        }
        change()
    }

    /// Writes down what was used; what cannot be written now is kept, and tried again.
    package func writeNotes() async {
        let pending = notes.pending
        guard !pending.isEmpty else { return }
        state.withLock { $0.isLogged = true }
        do {
            try await perform { try await $0.write { try pending.write($0) } }
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

/// How a file is at one time; it differs when something was written into it.
package struct FileStamp: Equatable, Sendable {
    private let seconds: Int
    private let nanoseconds: Int
    private let byteCount: Int64

    package var isEmpty: Bool { byteCount == 0 }

    /// The file at a path; nil if there is none.
    package init?(path: String) {
        var status = stat()
        // Filled by the system, and used only if it says so.
        guard unsafe stat(path, &status) == 0 else { return nil }
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        (seconds, nanoseconds, byteCount) = (time.tv_sec, time.tv_nsec, Int64(status.st_size))
    }
}

/// Which file a path leads to.
package struct FileIdentity: Equatable, Sendable {
    private let device: UInt64
    private let number: UInt64
    private let rights: mode_t

    /// The file at a path; nil if there is none.
    package init?(path: String) {
        var status = stat()
        // Filled by the system, and used only if it says so.
        guard unsafe stat(path, &status) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
        rights = status.st_mode & 0o777
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.device == right.device && left.number == right.number
    }

    /// Lets the same users read and write another file, if this one may do that.
    package func giveRights(to path: String) { _ = unsafe chmod(path, rights) }
}
