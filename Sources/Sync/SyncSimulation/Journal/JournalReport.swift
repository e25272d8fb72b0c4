/// What a replay found.
public struct JournalReport: Sendable {
    /// A step at which an engine did something else than the journal says.
    public struct Difference: Hashable, Sendable {
        /// Which life of the journal it was, from 1.
        public var life: Int
        /// Which step of the life, from 1; 0 for its start.
        public var step: Int
        /// What the engine was told.
        public var input: String
        /// What it wanted then: the kind of each output and a checksum.
        public var expected: [String]
        /// What it wants now, with words.
        public var got: [String]
    }

    /// A journal that was fed.
    public struct Journal: Sendable {
        /// Who kept it, nil if it holds no life.
        public var device: JournalDevice?
        /// How many lives it holds.
        public var lifeCount: Int
        /// How many steps were fed.
        public var stepCount: Int
        /// The bytes of a record that was cut short.
        public var tornByteCount: Int
        /// Why lives were not recorded to their end.
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

    /// Whether all engines did the same again, and all promises that were judged held; what holds no life shows nothing.
    public var isGood: Bool {
        violation == nil && !journals.isEmpty && journals.allSatisfy { $0.lifeCount > 0 && $0.difference == nil }
    }
}
