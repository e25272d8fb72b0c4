/// What became of an edit of a watch within a short time.
public enum EditDelivery: Codable, Sendable {
    /// The hub has taken it in.
    case reached(EditOutcomeSummary)
    /// The hub does not have it yet; what it waits for, in words such as `the hub: nothing answers at …`.
    case waits(for: String)
}
