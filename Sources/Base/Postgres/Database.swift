internal import Platform

/// A database behind a few connections, each on a thread of its own; it connects when there is work.
///
/// Work is a transaction: if the connection breaks before the commit, it is begun again on a new one.
package final class Database: Sendable {
    /// How long work waits for a server before it fails.
    private let patience: Duration
    private let connections: Int
    private let queue: JobQueue

    /// Prepares a database; nothing is connected.
    ///
    /// - Parameters:
    ///   - string: A connection string or address of libpq.
    ///   - connections: The number of connections, from 1.
    ///   - patience: How long work waits for a server before it fails.
    package init(_ string: String, connections: Int = 4, patience: Duration = .seconds(10)) {
        self.patience = patience
        self.connections = connections
        queue = JobQueue()
        for _ in 0..<connections {
            DedicatedThread.start { [queue] in
                let worker = Worker(string)
                while let job = queue.next() { job(worker) }
            }
        }
    }

    deinit { close() }

    /// Ends all threads when the work before is done; later work fails with ``PostgresError/closed``.
    package func close() { queue.close(readers: connections) }

    /// Carries out work in one transaction.
    ///
    /// The work may run several times, each time on what the database has then, so it changes nothing else.
    ///
    /// - Parameters:
    ///   - isReadOnly: Whether it only reads: then it is begun again also if the connection breaks at its end.
    ///   - work: What is to be done, on the thread of a connection; if it throws, nothing is changed.
    /// - Returns: What the work returned, when it is durable.
    /// - Throws: What the work threw; ``PostgresError``. After ``PostgresError/unknownOutcome(_:)`` only the database
    ///   knows whether it was done.
    package func transaction<Result: Sendable>(
        isReadOnly: Bool = false, _ work: @escaping @Sendable (Connection) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            let isTaken = queue.add { [patience] worker in
                continuation.resume(
                    with: Swift.Result { try worker.transaction(isReadOnly: isReadOnly, patience: patience, work) })
            }
            if !isTaken { continuation.resume(throwing: PostgresError.closed) }
        }
    }

    /// Carries out one statement in a transaction.
    ///
    /// - Returns: The number of rows that it changed or returned.
    /// - Throws: As ``transaction(isReadOnly:_:)``.
    @discardableResult
    package func execute(_ sql: StaticString, _ parameters: Parameter...) async throws -> Int {
        try await transaction { try $0.execute(sql, parameters).affectedCount }
    }

    /// Carries out work on a connection without a transaction, such as a migration that makes its own; once.
    ///
    /// - Throws: What the work threw; ``PostgresError``.
    package func connection<Result: Sendable>(
        _ work: @escaping @Sendable (Connection) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            let isTaken = queue.add { worker in
                continuation.resume(with: Swift.Result { try work(try worker.connected()) })
            }
            if !isTaken { continuation.resume(throwing: PostgresError.closed) }
        }
    }
}

/// Work that waits for a connection.
private final class JobQueue: Sendable {
    typealias Job = @Sendable (Worker) -> Void

    private struct State: Sendable {
        var jobs: [Job] = []
        var isClosed = false
    }

    private let state = Lock(State())
    private let wakeUp = Semaphore()

    /// Whether the queue takes the work.
    func add(_ job: @escaping Job) -> Bool {
        let isTaken = state.withLock { state in
            if !state.isClosed { state.jobs.append(job) }
            return !state.isClosed
        }
        if isTaken { wakeUp.signal() }
        return isTaken
    }

    /// The next work, for which it waits; nil after the end.
    func next() -> Job? {
        wakeUp.wait()
        return state.withLock { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }
    }

    func close(readers: Int) {
        let isFirst = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        guard isFirst else { return }
        for _ in 0..<readers { wakeUp.signal() }
    }
}

/// The connection of a thread, which only that thread uses.
private final class Worker {
    private static let conflictsMax = 8

    private let string: String
    private var connection: Connection?

    init(_ string: String) { self.string = string }

    /// The connection, made anew if it broke.
    func connected() throws(PostgresError) -> Connection {
        if let connection, connection.isOpen { return connection }
        connection = nil
        let made = try Connection(string)
        connection = made
        return made
    }

    func transaction<Result>(
        isReadOnly: Bool, patience: Duration, _ work: (Connection) throws -> Result
    ) throws -> Result {
        let clock = ContinuousClock()
        let end = clock.now + patience
        var pause = Duration.milliseconds(20)
        var conflicts = 0
        while true {
            do {
                return try attempt(isReadOnly: isReadOnly, work)
            } catch let error as PostgresError where error.isConflict && conflicts < Self.conflictsMax {
                conflicts += 1
            } catch let error as PostgresError where error.isConnectionLost {
                connection = nil
                guard clock.now + pause < end else { throw error }
                blockThread(for: pause)
                pause = min(pause * 2, .milliseconds(500))
            }
        }
    }

    private func attempt<Result>(isReadOnly: Bool, _ work: (Connection) throws -> Result) throws -> Result {
        let connection = try connected()
        try connection.execute(isReadOnly ? "BEGIN READ ONLY" : "BEGIN")
        let result: Result
        do {
            result = try work(connection)
        } catch {
            // A connection that cannot even roll back is not used again.
            if (try? connection.execute("ROLLBACK")) == nil { self.connection = nil }
            throw error
        }
        try commit(connection, isReadOnly: isReadOnly)
        return result
    }

    private func commit(_ connection: Connection, isReadOnly: Bool) throws(PostgresError) {
        let end: Rows
        do throws(PostgresError) {
            end = try connection.execute("COMMIT")
        } catch {
            guard error.isConnectionLost, !isReadOnly else { throw error }
            self.connection = nil
            throw .unknownOutcome(error.description)
        }
        guard end.commandTag == "COMMIT" else {
            throw .server(sqlState: "25P02", message: "the work went on after a statement that failed", constraint: nil)
        }
    }
}
