#if Processes
    import Foundation
    package import WatchConnectivity

    /// Where a process of an app keeps what it has, and how it and the other side find each other.
    package struct CompanionPlace: Sendable {
        /// The folder of everything that it keeps.
        package var folder: String
        /// Where the phone and the watches of one machine find each other; nil to pair by codes only.
        package var meetingFolder: String?
        /// Of a phone: where watches of other machines connect; nil for this machine only.
        package var endpoint: String?
        /// Told what developers should see, on any thread.
        package var notice: @Sendable (String) -> Void = { _ in }

        /// A place with this folder.
        package init(folder: String, meetingFolder: String? = nil) {
            self.folder = folder
            self.meetingFolder = meetingFolder
        }

        private var inbox: URL { URL(filePath: "\(folder)/inbox") }
        private var environment: CompanionEnvironment { CompanionEnvironment(notice: notice) }

        private func setup(_ side: SessionSetup.Side) -> SessionSetup {
            SessionSetup(side: side, stateFolder: "\(folder)/link", meetingFolder: meetingFolder)
        }

        /// Opens the store, in a folder of its own.
        private func store() throws -> CompanionStore {
            try CompanionStore(try FolderStorage(path: "\(folder)/companion"))
        }

        /// Creates the host of a watch, which does nothing before it is run.
        ///
        /// - Parameters:
        ///   - app: The app.
        ///   - name: The name of the watch at the phone.
        ///   - code: The code, to pair with a phone of another machine; nil to find the phone in the meeting folder.
        ///   - records: What is edited on both sides; if there are any, the process is set up now, so that they can be read.
        /// - Returns: The host.
        /// - Throws: What the folder says.
        package func watch<App: CompanionApp>(
            _ app: App.Type, name: String, code: String?, records: [SharedRecords.Name: SharedRecords.Rule] = [:]
        ) throws -> WatchHost<App> {
            var setup = setup(.watch)
            setup.name = name
            setup.invitation = code
            setup.records = records
            if code != nil { setup.meetingFolder = nil }
            if !records.isEmpty { try WCSession.setUp(setup.companion(app)) }
            return WatchHost(
                app, store: try store(), inbox: inbox, setup: records.isEmpty ? setup : nil, environment: environment)
        }

        /// Creates the host of a phone, which does nothing before it is run.
        ///
        /// - Parameters:
        ///   - records: What is edited on both sides; if there are any, the process is set up before `phone` is called.
        ///   - phone: Makes the app's part.
        /// - Returns: The host.
        /// - Throws: What the folder says, and what `phone` throws.
        package func phone<Phone: CompanionPhone>(
            records: [SharedRecords.Name: SharedRecords.Rule] = [:], _ phone: () throws -> Phone
        ) throws -> PhoneHost<Phone> {
            var setup = setup(.phone)
            setup.endpoint = endpoint
            setup.records = records
            let store = try store()
            if !records.isEmpty { try WCSession.setUp(setup.companion(Phone.App.self, store: store)) }
            return PhoneHost(
                try phone(), store: store, inbox: inbox, setup: records.isEmpty ? setup : nil, environment: environment)
        }
    }
#endif
