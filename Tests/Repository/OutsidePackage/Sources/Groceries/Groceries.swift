import Companion
import Foundation
import WatchConnectivity

/// What the phone and its watches say to each other.
enum Groceries: CompanionApp {
    /// What a watch shows.
    struct View: Codable, Equatable { var items: [String] }
    /// What a watch wants done now.
    enum Command: Codable { case take(String) }
    struct Reply: Codable { var left: Int }
    /// What must arrive, if not now.
    struct Event: Codable { var note: String }
    struct FileInfo: Codable {}

    static let name = "groceries"
    static let version = 1
    static let firstGrants = Grants(["groceries.take"])
    static func grant(toPerform command: Command) -> String? { "groceries.take" }

    /// The title of the list, which people edit on all devices.
    static let title = SharedRecords.Key(
        kind: "list", record: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)), group: "title")

    /// A device of the app; all devices of this machine find each other in one folder.
    static func setup(_ side: SessionSetup.Side, named name: String, in folder: URL) -> SessionSetup {
        let state = folder.appending(path: name).path
        var setup = SessionSetup(side: side, stateFolder: state + "/link", meetingFolder: folder.path + "/meeting")
        setup.name = name
        // WATCHCONNECTIVITY_TRACE=stderr shows why devices do not find each other.
        setup.trace = SessionTrace.Sink(environment: ProcessInfo.processInfo.environment)
        setup.records = [.init(kind: title.kind, group: title.group): .init(.anyone)]
        return setup
    }
}

/// Prints a line at once, also into a pipe.
func say(_ words: String) {
    FileHandle.standardOutput.write(Data((words + "\n").utf8))
}
