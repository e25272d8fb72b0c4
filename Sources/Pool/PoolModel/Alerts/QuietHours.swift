/// The time of day in which people are left alone, by local time; it may span midnight.
///
/// What happens meanwhile is told at the end, if it still is so.
public struct QuietHours: Codable, Hashable, Sendable {
    /// The first minute, counted from midnight; 0…1439.
    public var startMinute: Int
    /// The minute after the last one; 0…1439, not the first one.
    public var endMinute: Int
    /// Whether critical alerts are told all the same.
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

    /// Reads them; without a word on critical alerts these pass.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        startMinute = try container.decode(Int.self, forKey: .startMinute)
        endMinute = try container.decode(Int.self, forKey: .endMinute)
        letsCriticalPass = try container.decodeIfPresent(Bool.self, forKey: .letsCriticalPass) ?? true
    }
}
