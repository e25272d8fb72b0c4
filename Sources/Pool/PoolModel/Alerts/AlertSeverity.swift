/// How bad an alert is.
public enum AlertSeverity: String, CaseIterable, Codable, Comparable, Sendable {
    /// Outside the warning limits; also missing values, a faulty probe and a lost connection.
    case warning
    /// Outside the critical limits.
    case critical

    /// The status that it means for what it is about.
    public var status: Status { self == .critical ? .critical : .warning }

    /// Whether the left severity is the milder one.
    public static func < (left: AlertSeverity, right: AlertSeverity) -> Bool {
        left == .warning && right == .critical
    }
}
