package import Companion
package import RidesModel

/// What the phone of a person and its watches say to each other.
package enum RidesApp: CompanionApp {
    package typealias View = RidesView
    package typealias Command = RidesCommand
    package typealias Reply = RidesReply
    package typealias Event = RideEvent

    /// What a file is: the day's rides as CSV.
    package struct FileInfo: Codable, Sendable {
        /// The name for people.
        package var name: String

        /// Names a file.
        package init(name: String) { self.name = name }
    }

    /// A watch may act for the phone's person.
    package static let actGrant = "rides.act"

    package static let name = "rides"
    package static let version = 1
    package static let firstGrants = Grants([actGrant])

    package static func grant(toPerform command: RidesCommand) -> String? { actGrant }
}

/// What a watch asks of the phone.
package enum RidesCommand: Hashable, Codable, Sendable {
    /// A client asks for a ride.
    case ask(depart: Location, arrivee: Location)
    /// Cancels the open ride, with a reason.
    case cancel(reason: String)
    /// A driver takes an offer, by the ride's key.
    case accept(course: Int)
    /// A driver does not want an offer.
    case refuse(course: Int)
    /// The driver waits at the place where the ride begins.
    case arrived
    /// The client is in the car.
    case onBoard
    /// The ride is over.
    case complete
    /// A driver begins or ends work.
    case status(isAvailable: Bool)
    /// Sends the day's rides to the watch, as a file.
    case ledger
}

/// How a command ended.
package enum RidesReply: Hashable, Codable, Sendable {
    /// It was done, for this ride.
    case done(course: Int?)
    /// It was not done, for this reason.
    case refused(String)
    /// The server did not answer in time; the view shows what became of it.
    case unknown
}
