package import Companion
import Platform
package import Service
import SyncStore
import SyncTransport
import WatchConnectivity
import ZeroMQ

/// A phone as a process: the clinic, its watches, and the socket for commands.
package final class PhoneProcess: Sendable {
    /// A phone's folder as commands find it.
    package static func service(folder: String) -> ServiceFolder {
        ServiceFolder(path: folder, noun: "phone", startAdvice: "start it with: imt phone")
    }

    /// The clinic.
    package let clinic: Clinic
    private let place: CompanionPlace
    private let wrist: WristDesk
    private let host: PhoneHost<WristDesk>

    /// Opens the clinic of a folder; its keys are in a folder beside, whose name ends with `.keys`.
    ///
    /// - Throws: ``ImtProblem``, `FolderError` if another process has the folder.
    package init(_ place: CompanionPlace) throws {
        self.place = place
        let clinic = try Self.open(place.folder)
        let wrist = WristDesk(clinic, notice: place.notice)
        (self.clinic, self.wrist) = (clinic, wrist)
        host = try place.phone { wrist }
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
        let control = ControlServer(endpoint: try Self.service(folder: place.folder).controlEndpoint()) {
            await desk.answer($0)
        }
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
