import PoolModel
import PoolStore
import SyncCore

/// Checks and stores doses from commands and from watches.
struct DoseLog: Sendable {
    let history: HistoryStore
    /// The configuration at the moment.
    let configuration: @Sendable () async throws -> PoolConfiguration
    /// Gets each new dose, and the name of its pool; called on any thread, must return at once.
    let onDose: @Sendable (Dose, _ pool: String) -> Void
    /// Called when the oldest doses of a watch, or of everything else, made room for a new one.
    let onDrop: @Sendable (PeerKey?) -> Void

    /// Stores a dose, which is on the disk when this returns.
    ///
    /// - Parameters:
    ///   - dose: The dose.
    ///   - watch: The watch that logged it; nil if no watch did.
    ///   - now: The time by the hub's clock.
    /// - Returns: Whether it is new; a dose whose identifier is known is stored once, and stays as it was.
    /// - Throws: `DoseError`, `ConfigurationError` for a pool that does not exist, `HistoryError`.
    func add(_ dose: Dose, of watch: PeerKey? = nil, at now: Timestamp) async throws -> Bool {
        try dose.validate(at: now)
        let configuration = try await configuration()
        guard let pool = configuration.pool(dose.poolID) else {
            throw ConfigurationError.missing(.pool, "\(dose.poolID)")
        }
        switch try await blocking({ [history] in try history.add(dose, of: watch?.hexadecimal) }) {
        case .stored(let droppedCount):
            onDose(dose, pool.name)
            if droppedCount > 0 { onDrop(watch) }
            return true
        case .known: return false
        case .tooOld: throw DoseError.tooManyNewer
        }
    }
}
