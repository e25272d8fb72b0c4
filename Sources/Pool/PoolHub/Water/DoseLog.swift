import PoolModel
import PoolStore

/// Checks and stores doses from commands and from watches.
struct DoseLog: Sendable {
    let history: HistoryStore
    /// The configuration at the moment.
    let configuration: @Sendable () async throws -> PoolConfiguration
    /// Gets each new dose, and the name of its pool; called on any thread, must return at once.
    let onDose: @Sendable (Dose, _ pool: String) -> Void

    /// Stores a dose, which is on the disk when this returns.
    ///
    /// - Returns: Whether it is new; a dose whose identifier is known is stored once, and stays as it was.
    /// - Throws: `DoseError`, `ConfigurationError` for a pool that does not exist, `HistoryError`.
    func add(_ dose: Dose, at now: Timestamp) async throws -> Bool {
        try dose.validate(at: now)
        let configuration = try await configuration()
        guard let pool = configuration.pool(dose.poolID) else {
            throw ConfigurationError.missing(.pool, "\(dose.poolID)")
        }
        let isNew = try await blocking { [history] in try history.add(dose) }
        if isNew { onDose(dose, pool.name) }
        return isNew
    }
}
