package import Appliances
import Text

/// A home as a watch shows it.
package struct HomeView: Hashable, Codable, Sendable {
    /// One thing.
    package struct Thing: Hashable, Codable, Sendable {
        /// What it is.
        package var appliance: Appliance
        /// Its last state, such as `on` or `40 %`; nil if none was heard.
        package var state: String?
        /// When the state was heard, by the phone's clock.
        package var stateAt: Timestamp?
        /// Whether it can be reached.
        package var presence: Surroundings.Presence
        /// What is left of its battery, 0…100 %; nil if it has none or did not say.
        package var battery: Int?
        /// How strong it is heard on the short link, in dBm; nil if it is not.
        package var rssi: Int?

        /// Shows a thing.
        package init(
            _ appliance: Appliance, state: String? = nil, stateAt: Timestamp? = nil,
            presence: Surroundings.Presence = .unknown, battery: Int? = nil, rssi: Int? = nil
        ) {
            self.appliance = appliance
            self.state = state
            self.stateAt = stateAt
            self.presence = presence
            self.battery = battery
            self.rssi = rssi
        }

        /// Whether its state is too old to be believed.
        package func isOld(at now: Timestamp) -> Bool {
            guard let stateAt else { return true }
            return now.milliseconds(since: stateAt) > appliance.stateTTL.wholeNanoseconds / 1_000_000
        }
    }

    /// A command of the watch.
    package struct Asked: Hashable, Codable, Sendable {
        /// The command.
        package var id: Command.ID
        /// Where it stands.
        package var status: CommandStatus

        /// Notes a command.
        package init(id: Command.ID, status: CommandStatus) {
            self.id = id
            self.status = status
        }
    }

    /// How many commands of a watch it lists.
    package static let askedCountMax = 16

    /// When something of it changed last, by the phone's clock.
    package var madeAt: Timestamp
    /// The things, in the order in which they are shown.
    package var things: [Thing]
    /// What one key runs, in the order of the keys; a watch takes them from ``HomeRecords``.
    package var shortcuts: [Shortcut]
    /// The scenes; a watch takes them from ``HomeRecords``, too.
    package var scenes: [Scene]
    /// The last commands of this watch, oldest first.
    package var asked: [Asked]

    /// Creates a view.
    package init(
        madeAt: Timestamp, things: [Thing] = [], shortcuts: [Shortcut] = [], scenes: [Scene] = [], asked: [Asked] = []
    ) {
        self.madeAt = madeAt
        self.things = things
        self.shortcuts = shortcuts
        self.scenes = scenes
        self.asked = asked
    }
}
