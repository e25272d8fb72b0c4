/// Why something with the database failed.
@nonexhaustive
package enum PostgresError: Error, Equatable, Sendable {
    /// The server refused a statement: its SQLSTATE, its sentence, and the constraint that was broken.
    case server(sqlState: String, message: String, constraint: String?)
    /// There is no connection, or it broke before the work was committed: nothing was changed.
    case connectionLost(String)
    /// The connection broke while the work was being committed: it was done, or it was not.
    case unknownOutcome(String)
    /// A column is not what the program expects.
    case column(String, String)
    /// The database was closed.
    case closed

    /// The SQLSTATE of a statement that was refused.
    package var sqlState: String? { if case .server(let state, _, _) = self { state } else { nil } }

    /// Whether another server, or the same one a moment later, may take the work.
    package var isConnectionLost: Bool {
        switch self {
        case .connectionLost: true
        // Ended by an administrator, crashed, starting, read-only after a failover. Source: PostgreSQL, appendix A.
        case .server(let state, _, _):
            ["57P01", "57P02", "57P03", "25006"].contains(state) || state.hasPrefix("08")
        case .unknownOutcome, .column, .closed: false
        }
    }

    /// Whether it waited too long for what another program has locked.
    package var isLocked: Bool { sqlState == "55P03" }

    /// Whether the same work may succeed when it is begun again: a deadlock, or a conflict of two transactions.
    var isConflict: Bool { sqlState == "40001" || sqlState == "40P01" }
}

extension PostgresError: CustomStringConvertible {
    /// The error in a sentence; it holds no parameters.
    package var description: String {
        switch self {
        case .server(let state, let message, _): "\(message) (SQLSTATE \(state))"
        case .connectionLost(let reason): "the database cannot be reached: \(reason)"
        case .unknownOutcome(let reason): "the connection broke at the commit, so it may or may not be done: \(reason)"
        case .column(let name, let reason): "the column \(name) \(reason)"
        case .closed: "the database was closed by this program"
        }
    }
}
