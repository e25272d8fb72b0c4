/// A time of the wall clock, in milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
///
/// In JSON it is that number.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// The milliseconds since the start of 1970 in UTC; negative before it.
    public var milliseconds: Int64

    /// Creates a timestamp.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// Whether the left time is earlier.
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// The time that is `milliseconds` later; clamped to the range of `Int64` instead of trapping.
    public func advanced(byMilliseconds milliseconds: Int64) -> Timestamp {
        let (sum, overflow) = self.milliseconds.addingReportingOverflow(milliseconds)
        guard overflow else { return Timestamp(milliseconds: sum) }
        return Timestamp(milliseconds: milliseconds < 0 ? .min : .max)
    }

    /// The milliseconds from `earlier` to this time; negative if `earlier` is the later one.
    public func milliseconds(since earlier: Timestamp) -> Int64 {
        let (difference, overflow) = milliseconds.subtractingReportingOverflow(earlier.milliseconds)
        guard overflow else { return difference }
        return milliseconds < earlier.milliseconds ? .min : .max
    }
}

extension Timestamp: Codable {
    /// Writes the number of milliseconds.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let text = encoder.userInfo[.timestampText] as? @Sendable (Timestamp) -> String {
            return try container.encode(text(self))
        }
        try container.encode(milliseconds)
    }

    /// Reads a number of milliseconds.
    public init(from decoder: any Decoder) throws {
        milliseconds = try decoder.singleValueContainer().decode(Int64.self)
    }
}

extension CodingUserInfoKey {
    /// The key of a function of type `@Sendable (Timestamp) -> String`; an encoder that has it writes timestamps as
    /// text.
    package static var timestampText: CodingUserInfoKey {
        guard let key = CodingUserInfoKey(rawValue: "timestampText") else { preconditionFailure("a constant key") }
        return key
    }
}
