/// Why an edit of a series of calibrations was refused; nothing was changed.
@nonexhaustive
public enum CalibrationSeriesError: Error, Hashable, Sendable {
    /// Another calibration already begins at this time; it would be lost.
    case startTaken(Timestamp)
    /// No calibration begins at this time; `known` are the existing starts.
    case missing(Timestamp, known: [Timestamp])
    /// The series is full; `oldest` is the start of the calibration that would be lost.
    case full(limit: Int, oldest: Timestamp)
    /// The series is full and the new calibration would be the oldest, so it would be lost itself.
    case olderThanAll(Timestamp, oldest: Timestamp)
    /// A calibration is not possible for the quantity.
    case invalid(Timestamp, CalibrationError)
}

extension CalibrationSeriesError: CustomStringConvertible {
    /// One sentence for a person: the subject, the value and what to do.
    public var description: String {
        switch self {
        case .startTaken(let start):
            "A calibration already begins at \(start.iso8601): replace it, or let the new one begin at another time."
        case .missing(let start, let known):
            "No calibration begins at \(start.iso8601): "
                + (known.isEmpty
                    ? "there is none yet."
                    : "there are \(known.suffix(8).map(\.iso8601).joined(separator: ", "))"
                        + (known.count > 8 ? " and \(known.count - 8) earlier ones." : "."))
        case .full(let limit, let oldest):
            "There are \(limit) calibrations, as many as are kept: remove one, or agree to drop the oldest one, which "
                + "begins at \(oldest.iso8601)."
        case .olderThanAll(let start, let oldest):
            "The calibration that begins at \(start.iso8601) would be the first to be dropped: let it begin after "
                + "\(oldest.iso8601), or remove another one."
        case .invalid(let start, let error): "The calibration that begins at \(start.iso8601) is not possible: \(error)"
        }
    }
}
