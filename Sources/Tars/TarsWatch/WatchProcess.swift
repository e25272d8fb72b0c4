import Companion
import Foundation
import TarsApp
import WatchConnectivity

/// A watch as a process.
package enum WatchProcess {
    /// Creates a watch with its folder.
    ///
    /// - Parameters:
    ///   - name: Its name at the phone.
    ///   - folder: The folder of everything that it keeps.
    ///   - meetingFolder: Where the phone and the watches of one machine find each other; nil to pair by a code.
    ///   - code: The code, to pair with a phone of another machine.
    ///   - notice: Told what developers should see, on any thread.
    /// - Returns: The watch, which does nothing before it is run.
    /// - Throws: What the folder says.
    package static func wrist(
        name: String, folder: String, meetingFolder: String?, code: String? = nil,
        notice: @escaping @Sendable (String) -> Void
    ) throws -> Wrist {
        var setup = SessionSetup(side: .watch, stateFolder: "\(folder)/link", meetingFolder: meetingFolder)
        setup.name = name
        setup.invitation = code
        setup.records = HomeRecords.rules
        try WCSession.setUp(setup.companion(TarsApp.self))
        return Wrist(
            WatchHost(
                TarsApp.self, store: try CompanionStore(try FolderStorage(path: "\(folder)/companion")),
                inbox: URL(filePath: "\(folder)/inbox"), environment: CompanionEnvironment(notice: notice)),
            records: WCSession.records)
    }
}
