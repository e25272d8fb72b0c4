/// A run that can be kept: a seed, what it draws from, and which of the drawn occurrences come to pass.
///
/// Two schedules that differ only in what they leave out draw the same for all the rest.
public struct Schedule: Hashable, Sendable {
    /// What the schedule shows, in one sentence; empty if nobody has written it.
    public var sentence = ""
    /// The seed of all draws.
    public var seed: UInt64
    /// What the run does, and how often what goes wrong.
    public var options: SimulationOptions
    /// The number of watches, 1…16; nil lets the seed draw it.
    public var watchCount: Int?
    /// Which of the drawn occurrences come to pass.
    public var selection = OccurrenceSelection.all
    /// The rule that the run is known to break, nil if it is known to break none.
    public var breaks: Violation.Rule?

    /// Creates the schedule of all that a seed draws.
    public init(seed: UInt64, options: SimulationOptions = SimulationOptions()) {
        self.seed = seed
        self.options = options
    }
}
