package import Appliances
import Companion
package import Service
package import TarsApp

/// A link that was followed while the phone was down: it runs once at the next start, if it is still valid then (T29).
package struct PendingLink: Hashable, Codable, Sendable {
    /// What it runs.
    package var command: WatchCommand
    /// The identity of the command.
    package var id: Appliances.Command.ID

    /// A link that runs a command.
    package init(_ command: WatchCommand) { (self.command, id) = (command, .random()) }

    /// Those that wait in a phone's folder; also those whose time is over: people learn at the start that they did not run.
    package static func all(in folder: String) -> KeptRequests<PendingLink> {
        KeptRequests(path: "\(folder)/links.json", what: "links", advice: "start the phone with `tars phone`")
    }
}
