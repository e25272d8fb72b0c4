/// The local time of day in which people are not notified; it may span midnight.
///
/// Alerts of that time are notified at its end, if they still last.
public struct QuietHours: Codable, Hashable, Sendable {
    /// The first minute, counted from midnight; 0…1439.
    public var startMinute: Int
    /// The minute after the last one; 0…1439, not the first one.
    public var endMinute: Int
    /// Whether critical alerts are notified anyway.
    public var letsCriticalPass: Bool

    /// Creates quiet hours without checking them; by default critical alerts pass.
    public init(startMinute: Int, endMinute: Int, letsCriticalPass: Bool = true) {
        self.startMinute = startMinute
        self.endMinute = endMinute
        self.letsCriticalPass = letsCriticalPass
    }

    private enum CodingKeys: String, CodingKey {
        case startMinute = "start"
        case endMinute = "end"
        case letsCriticalPass = "criticalPasses"
    }

    /// Reads quiet hours; if they do not say so otherwise, critical alerts pass.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        startMinute = try container.decode(Int.self, forKey: .startMinute)
        endMinute = try container.decode(Int.self, forKey: .endMinute)
        letsCriticalPass = try container.decodeIfPresent(Bool.self, forKey: .letsCriticalPass) ?? true
    }
}
