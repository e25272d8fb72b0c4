/// The position of a value relative to its limits, by severity; or that it cannot be judged.
public enum Status: String, CaseIterable, Codable, Sendable {
    /// Within the limits.
    case normal
    /// Outside the warning limits.
    case warning
    /// Outside the critical limits.
    case critical
    /// No value, or none that can be judged.
    case offline

    /// The full word for a headline.
    public var word: String {
        switch self {
        case .normal: "OK"
        case .warning: "WARNING"
        case .critical: "CRITICAL"
        case .offline: "OFFLINE"
        }
    }
}

extension Status: Comparable {
    /// Whether the left status is less severe.
    public static func < (left: Status, right: Status) -> Bool { left.severity < right.severity }

    private var severity: Int {
        switch self {
        case .normal: 0
        case .warning: 1
        case .critical: 2
        case .offline: 3
        }
    }
}
