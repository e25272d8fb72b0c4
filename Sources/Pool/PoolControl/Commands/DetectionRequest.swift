package import PoolModel

/// What a command asks of a detection of devices.
///
/// A running hub has one detection at a time: `begin` starts it and returns at once, `look` shows how far it is, also
/// after its end, until the next one begins. A hub at rest answers `begin` when the time is over, and nothing else.
package enum DetectionRequest: Codable, Hashable, Sendable {
    /// Begin to listen to a server for so many seconds; 1…3600.
    case begin(ServerID, seconds: Int)
    /// What was found so far.
    case look
    /// End it; the answer is what was found.
    case end
}
