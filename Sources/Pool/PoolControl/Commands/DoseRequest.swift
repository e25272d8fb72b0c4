package import PoolModel

/// A command about the log of doses.
package enum DoseRequest: Codable, Hashable, Sendable {
    /// Add a dose; one with an identifier that is known changes nothing.
    case add(Dose)
    /// Return the newest doses of a pool, or of all pools if it is nil; at most this many, 1…``listMax``.
    ///
    /// The pool may have been removed.
    case list(pool: PoolID?, limit: Int)
    /// Remove a dose; its identifier stays known, so that it cannot be logged again.
    case remove(DoseID)

    /// Whether it changes the log.
    package var isChange: Bool { if case .list = self { false } else { true } }

    /// The maximum number of doses in a list.
    package static let listMax = 10_000
}
