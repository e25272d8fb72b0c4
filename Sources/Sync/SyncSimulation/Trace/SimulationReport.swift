/// How a simulated run went.
public struct SimulationReport: Sendable {
    /// The seed, which determines the run together with the options.
    public var seed: UInt64
    /// What broke, nil if everything held.
    public var violation: Violation?
    /// A hash over everything that happened: the same seed and options give the same hash.
    public var traceHash: UInt64
    /// The inputs that the engines took.
    public var stepCount: Int
    /// The virtual time that the run took.
    public var virtualDuration: Duration
    /// The virtual time from the end of the faults until all watches had converged, nil if they never did.
    public var recovery: Duration?
    /// How often each mark came up.
    public var occasions: CoverageCounts
    /// The trace in lines, empty unless the options ask for it.
    public var trace: [String]

    /// The arguments of the command line that runs this seed again.
    public var reproduction: String { "replay --seed \(seed)" }
}
