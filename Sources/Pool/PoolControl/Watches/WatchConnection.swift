package import PoolModel

/// The identity of a paired watch: the 64 hexadecimal digits of its public key.
package typealias WatchID = HexadecimalID<WatchConnection>

/// A paired watch and the state of the link to it.
package struct WatchConnection: Identified, Codable, Equatable, Sendable {
    /// The identity of the watch: its public key.
    package let id: WatchID
    /// The name, unique among the watches.
    package var name: String
    /// The first digits of ``id``, as lists show them.
    package let key: String
    /// Whether it has a session now; nil if the hub is not running.
    package var isLinked: Bool?
    /// The seconds since its last message; nil if there was none since the hub started.
    package var silentSeconds: Int?
    /// The revision that it is known to have; nil if it never had one.
    package var revision: UInt64?
    /// The number of values that are queued for it or not yet confirmed.
    package var backlog = 0
    /// The number of values that it confirmed since the hub started.
    package var confirmed: UInt64 = 0
    /// The number of values that were replaced by newer ones before they were sent.
    package var superseded: UInt64 = 0
    /// The replication delay in milliseconds; nil if no revision was created since the hub started, or it is not
    /// running.
    ///
    /// While the watch lacks a revision: the time since that revision was created. Otherwise: the time until the watch
    /// had the last one.
    package var lagMilliseconds: Int?
    /// The injected faults; nil for none, and if the hub is not running.
    package var disturbance: LinkDisturbance?
    /// How often faults were injected since the hub started; nil if none were ever configured.
    package var linkCounts: LinkCounts?

    private enum CodingKeys: String, CodingKey {
        case id, name, key, isLinked, revision, backlog, confirmed, superseded, lagMilliseconds, disturbance, linkCounts
        case silentSeconds = "ageSeconds"
    }

    /// Creates a watch without a connection.
    package init(name: String, id: WatchID) {
        self.name = name
        self.id = id
        key = id.short
    }
}
