/// A paired watch with what a hub knows of the link to it.
package struct WatchConnection: Codable, Equatable, Sendable {
    /// The name, unique among the watches.
    package var name: String
    /// The first digits of its public key.
    package var key: String
    /// Whether it has a session now; nil at rest.
    package var isLinked: Bool?
    /// The seconds since it was last heard since the hub started.
    package var silentSeconds: Int?
    /// The revision that it is known to hold, nil if it never held one.
    package var revision: UInt64?
    /// The values that wait for it or are on their way.
    package var backlog = 0
    /// The values that it confirmed since the hub started.
    package var confirmed: UInt64 = 0
    /// The values that gave way to newer ones before they were sent to it.
    package var superseded: UInt64 = 0
    /// While it lacks a revision, the time since that was made; else the time that the last one took to it.
    ///
    /// In milliseconds; nil if no revision was made since the hub started, and at rest.
    package var lagMilliseconds: Int?
    /// What goes wrong on purpose on its link; nil for nothing, and at rest.
    package var disturbance: LinkDisturbance?
    /// How often something went wrong on purpose since the hub started; nil if it never could.
    package var linkCounts: LinkCounts?

    /// Creates a watch that was not heard.
    package init(name: String, key: String) {
        self.name = name
        self.key = key
    }
}
