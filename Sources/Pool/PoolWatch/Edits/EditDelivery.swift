public import PoolModel

/// The state of an edit of a watch after a short wait.
public enum EditDelivery: Codable, Sendable {
    /// The hub has received the edit.
    case reached(EditOutcomeSummary)
    /// The hub has not received the edit yet; what it waits for, in words such as `the hub: nothing answers at …`.
    case waits(for: String)
}
