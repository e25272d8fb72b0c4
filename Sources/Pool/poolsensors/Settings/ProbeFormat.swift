import WaterChemistry

/// The notation of a probe's payloads.
enum ProbeFormat: String, CaseIterable, Sendable {
    /// A flat JSON object with its time.
    case json
    /// Pairs of a name and a value, without a time.
    case text
}

/// The kind of pool that a probe simulates.
enum ProbeProfile: String, CaseIterable, Sendable {
    /// A heated pool in a garden.
    case garden
    /// A warm pool in a hall.
    case hall

    /// The pool.
    var pool: SimulatedPool.Profile {
        switch self {
        case .garden: .garden
        case .hall: .hall
        }
    }
}
