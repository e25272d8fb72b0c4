/// What a calibration wizard shows: the UI only prints it.
public struct CalibrationPrompt: Hashable, Sendable {
    /// What the device shows meanwhile.
    public struct Live: Hashable, Sendable {
        /// The newest raw value, in the quantity's unit.
        public var raw: Double
        /// How many of the needed values are in the window.
        public var count: Int
        /// How many values have to agree.
        public var countNeeded: Int
        /// The value that can be taken; nil until the last ones agree and while the newest is too old.
        public var stableValue: Double?
        /// The same as a sentence.
        public var text: String
    }

    /// What the step is called.
    public var title: String
    /// What to do, one sentence or more.
    public var instructions: String
    /// What is asked.
    public var question: String
    /// What an empty answer stands for; nil where something must be typed.
    public var suggestion: String?
    /// The words that are understood here, beside numbers.
    public var words: [String]
    /// What the device shows, where that matters and something was received.
    public var live: Live?
    /// The outcome, where it is reviewed or done.
    public var preview: CalibrationPreview?
}

/// A calibration before it is saved.
public struct CalibrationPreview: Hashable, Sendable {
    /// The calibration with its verdicts.
    public var result: CalibrationResult
    /// The raw value on which the change is shown; nil if none was received.
    public var raw: Double?
    /// What is shown for it now: by the calibration in force, or the raw value.
    public var before: Double?
    /// What will be shown for it.
    public var after: Double?
    /// Slope, offset, the change and each verdict, one line each.
    public var lines: [String]
}

/// What a wizard says to an answer.
public enum CalibrationReply: Hashable, Sendable {
    /// The answer was taken; the prompt is now another one.
    case accepted
    /// The answer was not taken, for this reason; the step is the same.
    case refused(String)
}
