/// The severity of an alert.
public enum AlertSeverity: String, CaseIterable, Codable, Comparable, Sendable {
    /// Outside the warning limits; also missing values, a faulty probe and a lost connection.
    case warning
    /// Outside the critical limits.
    case critical

    /// The status that it means for its subject.
    public var status: Status { self == .critical ? .critical : .warning }

    /// Whether the left severity is less than the right one.
    public static func < (left: AlertSeverity, right: AlertSeverity) -> Bool {
        left == .warning && right == .critical
    }
}
