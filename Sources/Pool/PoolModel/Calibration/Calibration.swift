/// How the values of one quantity of one device are corrected from a moment on (P78): `corrected = raw × slope + offset`.
///
/// It is a value of the configuration: the history keeps what the device sent, and correction happens whenever it is
/// read, so that a new calibration changes what is shown and never what is stored (P83).
public struct Calibration: Codable, Hashable, Sendable {
    /// How a calibration was made.
    public enum Method: String, Codable, CaseIterable, Sendable {
        /// One reference: offset only, slope 1 (P76).
        case zeroPoint
        /// Two references: slope and offset (P77).
        case twoPoint
        /// A straight line of least squares through three or more references.
        case regression
        /// One reference: slope only, through zero, as for chlorine against a photometer.
        case scale
        /// Slope and offset were entered as numbers.
        case manual
    }

    /// One comparison with a reference.
    public struct Point: Codable, Hashable, Sendable {
        /// What the device showed, uncorrected, in the quantity's unit.
        public var measured: Double
        /// What is right, in the quantity's unit.
        public var reference: Double

        /// Creates a point.
        public init(measured: Double, reference: Double) {
            self.measured = measured
            self.reference = reference
        }
    }

    /// The factor; finite, greater than 0.
    public var slope: Double
    /// What is added after that, in the quantity's unit; finite.
    public var offset: Double
    /// How it was made.
    public var method: Method
    /// The comparisons it was made from; at most 16, none for ``Method/manual``.
    public var points: [Point]
    /// The time of sampling from which on it holds.
    public var validFrom: Timestamp
    /// When it was made.
    public var madeAt: Timestamp
    /// Who made it, for people; at most 256 bytes.
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

    /// The corrected value of a raw one.
    public func corrected(_ raw: Double) -> Double { raw * slope + offset }
}
