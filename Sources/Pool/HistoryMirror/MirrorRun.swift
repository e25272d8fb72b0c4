internal import Platform
package import PoolModel
internal import PoolStore
internal import Postgres
internal import Primitives

/// What a mirror has to say while it runs.
@nonexhaustive
package enum MirrorNews: Hashable, Sendable {
    /// So many readings were copied, and so many wait.
    case copied(Int, MirrorLag)
    /// It cannot go on now, and tries again.
    case trouble(String)
    /// Readings have waited for an hour.
    case alarm(MirrorLag)
    /// It has all again after an alarm.
    case caughtUp
}

/// Keeps a mirror up to date.
package struct MirrorRun: Sendable {
    private let mirror: HistoryMirror
    private let pause: Duration

    /// Prepares a run.
    ///
    /// - Parameters:
    ///   - mirror: The mirror.
    ///   - pause: The time between two looks at the history.
    package init(_ mirror: HistoryMirror, pause: Duration) {
        self.mirror = mirror
        self.pause = pause
    }

    /// Copies all that there is, once.
    ///
    /// - Returns: How many readings it copied.
    /// - Throws: As ``HistoryMirror/prepare()`` and ``HistoryMirror/copy(limit:)``.
    package func once() async throws -> Int {
        try await mirror.prepare()
        return try await copyAll()
    }

    /// Copies what comes, until the task is cancelled; each trouble and each alarm is told once.
    ///
    /// - Parameter onNews: Told what happens, in order.
    /// - Throws: ``MirrorError``, and errors that no other attempt would mend.
    package func run(onNews: @Sendable (MirrorNews) -> Void) async throws {
        var trouble: String?
        var isAlarming = false
        var isPrepared = false
        while true {
            do {
                if !isPrepared { try await mirror.prepare() }
                isPrepared = true
                let count = try await copyAll()
                if count > 0 || trouble != nil { onNews(.copied(count, try mirror.lag())) }
                trouble = nil
            } catch let error as PostgresError where error.mayPass {
                if trouble == nil { onNews(.trouble("\(error)")) }
                trouble = "\(error)"
            } catch let error as HistoryError where error.mayPass {
                if trouble == nil { onNews(.trouble("\(error)")) }
                trouble = "\(error)"
            }
            // A history that cannot be read now was reported above.
            if let lag = try? mirror.lag(), lag.isAlarming(at: .now) != isAlarming {
                isAlarming.toggle()
                onNews(isAlarming ? .alarm(lag) : .caughtUp)
            }
            try await Task.sleep(for: pause)
        }
    }

    private func copyAll() async throws -> Int {
        var sum = 0
        while true {
            try Task.checkCancellation()
            let count = try await mirror.copy()
            sum += count
            if count == 0 { return sum }
        }
    }
}

extension PostgresError {
    /// Whether the same may succeed later.
    fileprivate var mayPass: Bool {
        if case .unknownOutcome = self { return true }
        // Classes 53 and 57: no room, no memory, too many connections, stopped. Source: PostgreSQL, appendix A.
        return isConnectionLost || sqlState.map { $0.hasPrefix("53") || $0.hasPrefix("57") } ?? false
    }
}

extension HistoryError {
    /// Whether the same may succeed later.
    fileprivate var mayPass: Bool {
        switch self {
        case .locked, .full: true
        default: false
        }
    }
}
