/// What a replay found.
public struct JournalReport: Sendable {
    /// A step at which an engine did something else than the journal says.
    public struct Difference: Hashable, Sendable {
        /// The run of a process in the journal, from 1.
        public var run: Int
        /// The step of that run, from 1; 0 for its start.
        public var step: Int
        /// The input of the engine.
        public var input: String
        /// What the engine wanted then: the kind of each output and a checksum.
        public var expected: [String]
        /// What it wants now, as text.
        public var got: [String]
    }

    /// A journal that was fed.
    public struct Journal: Sendable {
        /// The device that kept it, nil if it holds no start of a process.
        public var device: JournalDevice?
        /// How many runs of processes it holds.
        public var runCount: Int
        /// How many steps were fed.
        public var stepCount: Int
        /// The bytes of a record that was cut short.
        public var tornByteCount: Int
        /// Why runs were not recorded to their end.
        public var ends: [String]
        /// The first difference, or nil.
        public var difference: Difference?
    }

    /// The journals, in the order in which they were given.
    public var journals: [Journal]
    /// The first promise that was broken, nil if none was, or a difference came first.
    public var violation: Violation?
    /// Which device broke it.
    public var violator: String?
    /// What the checks could not judge, and why.
    public var notes: [String]

    /// Whether all engines did the same again, and all promises that were judged held; false for journals without a
    /// run.
    public var isGood: Bool {
        violation == nil && !journals.isEmpty && journals.allSatisfy { $0.runCount > 0 && $0.difference == nil }
    }
}
