package import Appliances
package import Companion
import Text
package import WatchConnectivity

/// What the phone and the watches of a home say to each other.
package enum TarsApp: CompanionApp {
    package typealias View = HomeView
    package typealias Command = WatchCommand
    package typealias Reply = CommandStatus
    package typealias Event = Ending

    /// No files are sent.
    package struct FileInfo: Codable, Sendable {}

    /// A watch may act.
    package static let actGrant = "tars.actuate"

    package static let name = "tars"
    package static let version = 1
    package static let firstGrants = Grants([actGrant])

    /// Reads the name of a grant.
    ///
    /// - Throws: ``ModelProblem`` with those that there are.
    package static func grant(named name: String) throws(ModelProblem) -> String {
        guard name == actGrant else { throw ModelProblem("\(Excerpt(name)) is no grant: give \(actGrant)") }
        return name
    }

    package static func grant(toPerform command: WatchCommand) -> String? { actGrant }

    /// Who may not act may look only: what a shortcut runs is what somebody else's key does.
    package static func grant(toChange name: SharedRecords.Name) -> String? { actGrant }
}

/// What a watch asks of the phone.
package struct WatchCommand: Hashable, Codable, Sendable {
    /// What is wanted.
    package enum Order: Hashable, Codable, Sendable {
        case act(Appliance.ID, Action)
        case run(Shortcut.ID)
    }

    /// What is wanted.
    package var order: Order
    /// When it must have been carried out, by the phone's clock (T35).
    package var until: Timestamp
    /// Whether a person has confirmed it.
    package var isConfirmed: Bool

    /// Creates a command.
    package init(_ order: Order, until: Timestamp, isConfirmed: Bool = false) {
        self.order = order
        self.until = until
        self.isConfirmed = isConfirmed
    }
}

/// How a command ended, for a watch that was away meanwhile.
package struct Ending: Hashable, Codable, Sendable {
    /// The command.
    package var id: Command.ID
    /// How it ended.
    package var status: CommandStatus

    /// Notes an end.
    package init(id: Command.ID, status: CommandStatus) {
        self.id = id
        self.status = status
    }
}

extension CommandID {
    /// The same identity, as the model has it.
    package var commandID: Command.ID { Command.ID(bytes: bytes) }
}
