package import PoolModel

/// A device detection command.
///
/// A running hub has at most one detection at a time. `begin` starts it and returns at once. `look` returns its
/// progress, also after its end, until the next one begins. If the hub is not running, only `begin` is supported, and
/// it returns when the time is over.
package enum DetectionRequest: Codable, Hashable, Sendable {
    /// Listen to a server for this many seconds; 1…3600.
    case begin(ServerID, seconds: Int)
    /// Return what was found so far.
    case look
    /// End the detection and return what was found.
    case end
}
