import GRDB
import Platform

/// When sessions and tokens were used last, until it is written down: no request waits for that, and none fails by it.
final class UseNotes: Sendable {
    /// The notes at one time.
    struct Pending: Sendable {
        fileprivate(set) var sessions: [String: Int64] = [:]
        fileprivate(set) var tokens: [String: Int64] = [:]

        var isEmpty: Bool { sessions.isEmpty && tokens.isEmpty }

        func write(_ database: Database) throws {
            for (hash, time) in sessions {
                try database.execute(
                    sql: """
                        UPDATE session SET lastUsed = ?1, expires = CASE WHEN share IS NULL THEN ?2 ELSE expires END
                        WHERE hash = ?3 AND lastUsed <= ?1
                        """, arguments: [time, time + AccountSessions.milliseconds, hash])
                try database.execute(
                    sql: "UPDATE user SET seen = ? WHERE id = (SELECT user FROM session WHERE hash = ?)",
                    arguments: [time, hash])
            }
            for (hash, time) in tokens {
                try database.execute(sql: "UPDATE token SET lastUsed = ? WHERE hash = ?", arguments: [time, hash])
            }
        }
    }

    /// The most notes; beyond it a use is not noted.
    private static let countMax = 10_000

    private let notes = Lock(Pending())

    /// The notes that are not written down.
    var pending: Pending { notes.withLock(\.self) }

    /// When a session was used last, if that is not written down yet.
    func use(ofSession hash: String) -> Int64? { notes.withLock { $0.sessions[hash] } }

    /// Notes a use; whether the one before was long ago.
    func note(session hash: String, at now: Int64, after last: Int64) -> Bool {
        notes.withLock { Self.note(&$0.sessions, hash, now, last) }
    }

    /// Notes a use; whether the one before was long ago.
    func note(token hash: String, at now: Int64, after last: Int64) -> Bool {
        notes.withLock { Self.note(&$0.tokens, hash, now, last) }
    }

    /// Forgets notes that were written down, unless they are newer now.
    func forget(_ written: Pending) {
        notes.withLock { notes in
            notes.sessions = notes.sessions.filter { written.sessions[$0.key] != $0.value }
            notes.tokens = notes.tokens.filter { written.tokens[$0.key] != $0.value }
        }
    }

    private static func note(_ notes: inout [String: Int64], _ hash: String, _ now: Int64, _ last: Int64) -> Bool {
        let known = max(notes[hash] ?? last, last)
        guard now - known > AccountFile.noteMilliseconds || now < known else { return false }
        if notes[hash] != nil || notes.count < countMax { notes[hash] = now }
        return true
    }
}
