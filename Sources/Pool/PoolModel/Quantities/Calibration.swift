/// The correction of one quantity of one device from a point in time on: `corrected = raw × slope + offset`.
///
/// It is a part of the configuration. The history stores raw values, and the correction is applied when they are
/// read. So a new calibration changes what is shown, and never what is stored.
public struct Calibration: Codable, Hashable, Sendable {
    /// How a calibration was made.
    public enum Method: String, Codable, CaseIterable, Sendable {
        /// One reference: only an offset, slope 1.
        case zeroPoint
        /// Two references: slope and offset.
        case twoPoint
        /// Three or more references: a straight line by least squares.
        case regression
        /// One reference: only a slope, through zero, as for chlorine against a photometer.
        case scale
        /// Slope and offset were entered as numbers.
        case manual
    }

    /// One comparison with a reference.
    public struct Point: Codable, Hashable, Sendable {
        /// The uncorrected value of the device, in the quantity's unit.
        public var measured: Double
        /// The correct value, in the quantity's unit.
        public var reference: Double

        /// Creates a point.
        public init(measured: Double, reference: Double) {
            self.measured = measured
            self.reference = reference
        }
    }

    /// The factor; finite, greater than 0.
    public var slope: Double
    /// The number to add after that, in the quantity's unit; finite.
    public var offset: Double
    /// How it was made.
    public var method: Method
    /// The comparisons it was made from; at most 16, none for ``Method/manual``.
    public var points: [Point]
    /// The sample time from which on it applies.
    public var validFrom: Timestamp
    /// When it was made.
    public var madeAt: Timestamp
    /// The author, for people; at most 256 bytes.
    public var author: String

    /// Creates a calibration without checking it.
    public init(
        slope: Double, offset: Double, method: Method, points: [Point], validFrom: Timestamp, madeAt: Timestamp,
        author: String
    ) {
        self.slope = slope
        self.offset = offset
        self.method = method
        self.points = points
        self.validFrom = validFrom
        self.madeAt = madeAt
        self.author = author
    }

    /// The corrected value for a raw one.
    public func corrected(_ raw: Double) -> Double { raw * slope + offset }
}
