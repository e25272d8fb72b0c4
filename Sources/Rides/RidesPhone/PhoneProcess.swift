package import Companion
package import RidesApp
package import Service
import SyncTransport
import Text
import WatchConnectivity

/// What a command asks of a running phone.
package enum PhoneRequest: Codable, Sendable {
    /// A code for a watch of another machine.
    case invite
}

/// The answer.
package enum PhoneReply: Codable, Sendable {
    /// The code.
    case code(String)
    /// It cannot be done, in a sentence.
    case problem(String)
}

/// A person's phone as a process.
package struct PhoneProcess: Sendable {
    /// What it needs.
    package struct Options: Sendable {
        package var person: Person
        /// The server.
        package var client: ServerClient
        /// Where it keeps what it has, and how watches find it.
        package var place: CompanionPlace

        /// A phone of a person.
        package init(person: Person, client: ServerClient, in place: CompanionPlace) {
            self.person = person
            self.client = client
            self.place = place
        }
    }

    /// A phone's folder as commands find it.
    package static func service(folder: String, of person: Person) -> ServiceFolder {
        ServiceFolder(path: folder, noun: "phone", startAdvice: "start it with: rides phone --as \(person)")
    }

    private let options: Options

    /// Prepares a phone; nothing is opened.
    package init(_ options: Options) { self.options = options }

    /// Works until the task is cancelled.
    ///
    /// - Parameter onReady: Called when commands are answered; on any thread.
    /// - Throws: What sockets and files say.
    package func run(onReady: @escaping @Sendable () -> Void) async throws {
        let place = options.place
        let phone = try PersonPhone(
            options.person, client: options.client, folder: place.folder, notice: place.notice)
        let host = try place.phone { phone }
        await phone.connect(host)
        let service = Self.service(folder: place.folder, of: options.person)
        let control = ControlServer(endpoint: try service.controlEndpoint()) { _ in
            let reply: PhoneReply
            do {
                reply = .code(try await WCSession.invitation())
            } catch {
                reply = .problem("\(error)")
            }
            return CanonicalJSON.bytes(ofEncodable: reply)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await host.run() }
            group.addTask { try await control.run(onReady: onReady) }
            group.addTask { try await phone.follow() }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}
