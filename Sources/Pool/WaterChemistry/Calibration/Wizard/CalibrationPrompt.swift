/// The contents of a calibration wizard's prompt; the UI only displays it.
public struct CalibrationPrompt: Hashable, Sendable {
    /// The device's present values.
    public struct Live: Hashable, Sendable {
        /// The newest raw value, in the quantity's unit.
        public var raw: Double
        /// The number of values in the window.
        public var count: Int
        /// The number of values that have to agree.
        public var countNeeded: Int
        /// The value that can be accepted; nil until the last ones agree, and while the newest is too old.
        public var stableValue: Double?
        /// The same information as a sentence.
        public var text: String
    }

    /// The title of the step.
    public var title: String
    /// The instructions, one sentence or more.
    public var instructions: String
    /// The question.
    public var question: String
    /// The value of an empty answer; nil if something must be typed.
    public var suggestion: String?
    /// The accepted words, besides numbers.
    public var words: [String]
    /// The device's present values, if they matter for the step and something was received.
    public var live: Live?
    /// The result, in the review and afterwards.
    public var preview: CalibrationPreview?
}

/// A calibration before it is saved.
public struct CalibrationPreview: Hashable, Sendable {
    /// The calibration with its verdicts.
    public var result: CalibrationResult
    /// A raw value as an example for the change; nil if none was received.
    public var raw: Double?
    /// Its present corrected value: by the calibration in force, or the raw value.
    public var before: Double?
    /// Its corrected value with the new calibration.
    public var after: Double?
    /// Slope, offset, the change and each verdict, one line each.
    public var lines: [String]
}

/// A wizard's reply to an answer.
public enum CalibrationReply: Hashable, Sendable {
    /// The answer was accepted; there is a new prompt.
    case accepted
    /// The answer was refused, for this reason; the step stays the same.
    case refused(String)
}
