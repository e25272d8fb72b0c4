/// An appliance that announced itself, before a person takes it into the home.
package struct Discovery<Bound: Binding>: Hashable, Sendable {
    /// What distinguishes it from others of its dialect, at each announcement.
    package var key: String
    /// What it calls itself.
    package var name: String
    /// What it is.
    package var kind: Appliance.Kind
    /// What it can do here.
    package var abilities: [Ability]
    /// How it is reached.
    package var binding: Bound
    /// What of the announcement is not followed, for people.
    package var notes: [String] = []
}
