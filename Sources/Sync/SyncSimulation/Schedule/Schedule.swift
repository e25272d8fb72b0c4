/// A run that can be kept: a seed, what it draws from, and which of the drawn occurrences happen.
///
/// Two schedules that differ only in what they leave out draw the same for everything else.
public struct Schedule: Hashable, Sendable {
    /// What the schedule shows, in one sentence; empty if there is none.
    public var sentence = ""
    /// The seed of all draws.
    public var seed: UInt64
    /// What the run does, and the rates of its faults.
    public var options: SimulationOptions
    /// The number of watches, 1…16; nil lets the seed draw it.
    public var watchCount: Int?
    /// Which of the drawn occurrences happen.
    public var selection = OccurrenceSelection.all
    /// The rule that the run is known to break, nil if none is known.
    public var breaks: Violation.Rule?

    /// Creates the schedule of everything that a seed draws.
    public init(seed: UInt64, options: SimulationOptions = SimulationOptions()) {
        self.seed = seed
        self.options = options
    }
}
