import Companion
import Foundation
import Platform
package import Service
import SyncStore
import SyncTransport
import WatchConnectivity
import ZeroMQ

/// A phone as a process: the clinic, its watches, and the socket for commands.
package final class PhoneProcess: Sendable {
    /// What it needs.
    package struct Options: Sendable {
        /// The folder of everything that it keeps; the keys are beside it, in a folder whose name ends with `.keys`.
        package var folder: String
        /// Where watches of other machines connect; nil for this machine only.
        package var endpoint: String?
        /// Where the phone and the watches of this machine find each other; nil to pair by codes only.
        package var meetingFolder: String?
        /// Told what developers should see, on any thread.
        package var notice: @Sendable (String) -> Void = { _ in }

        package init(folder: String) { self.folder = folder }

        /// The folder as commands find the phone.
        package var service: ServiceFolder {
            ServiceFolder(path: folder, noun: "phone", startAdvice: "start it with: imt phone")
        }
    }

    /// The clinic.
    package let clinic: Clinic
    private let options: Options
    private let wrist: WristDesk
    private let host: PhoneHost<WristDesk>

    /// Opens the clinic of a folder.
    ///
    /// - Throws: ``ImtProblem``, `FolderError` if another process has the folder.
    package init(_ options: Options) throws {
        self.options = options
        clinic = try Self.open(options.folder)
        wrist = WristDesk(clinic, notice: options.notice)
        var setup = SessionSetup(
            side: .phone, stateFolder: "\(options.folder)/link", meetingFolder: options.meetingFolder)
        setup.endpoint = options.endpoint
        host = PhoneHost(
            wrist, store: try CompanionStore(try FolderStorage(path: "\(options.folder)/companion")),
            inbox: URL(filePath: "\(options.folder)/inbox"), setup: setup,
            environment: CompanionEnvironment(notice: options.notice))
    }

    /// Opens a clinic for a command, while no phone runs.
    package static func open(_ folder: String) throws -> Clinic {
        try Clinic(folder: try StateFolder(path: folder), keys: try StateFolder(path: "\(folder).keys"))
    }

    /// Works until the task is cancelled.
    ///
    /// - Parameter onReady: Called when commands and watches are answered; on any thread.
    /// - Throws: What sockets and files say.
    package func run(onReady: @escaping @Sendable () -> Void) async throws {
        await wrist.connect(host)
        let desk = ClinicDesk(clinic, host: host)
        let control = ControlServer(endpoint: try options.service.controlEndpoint()) { await desk.answer($0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [host] in try await host.run() }
            group.addTask { [wrist] in await wrist.run() }
            group.addTask { try await control.run(onReady: onReady) }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// Runs only until a request is answered, so that the links to watches follow what it changes.
    ///
    /// - Throws: What sockets and files say.
    package func answer(_ request: ClinicRequest) async throws -> ClinicReply {
        let desk = ClinicDesk(clinic, host: host)
        let (ready, source) = AsyncStream<Void>.makeStream()
        return try await withThrowingTaskGroup(of: ClinicReply?.self) { group in
            group.addTask {
                try await self.run { source.finish() }
                return nil
            }
            group.addTask {
                for await _ in ready {}
                return await desk.answer(request)
            }
            defer { group.cancelAll() }
            while let reply = try await group.next() {
                if let reply { return reply }
            }
            throw CancellationError()
        }
    }
}
