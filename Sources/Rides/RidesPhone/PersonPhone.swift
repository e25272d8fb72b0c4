package import Companion
import Foundation
import Platform
package import RidesApp
import RidesModel
import Text
import WatchConnectivity

/// The phone of one person: it follows the server, and passes on what watches want.
package actor PersonPhone: CompanionPhone {
    package typealias App = RidesApp

    /// How long a command is tried while the server is away.
    private static let patience = Duration.seconds(10)
    /// An outage is told again if the connection lasted so long before it.
    private static let steadyTime = Duration.seconds(5)
    /// The most events that are asked for at once.
    private static let pageCount = 200

    private let client: ServerClient
    private let ledgerFolder: URL
    private let cursors: CursorFile
    private var view: RidesView
    /// Whether the server has shown whose the token is; until then nothing is sent with it.
    private var isKnown = false
    private var host: PhoneHost<PersonPhone>?
    private let notice: @Sendable (String) -> Void
    private var isDelivering = false
    private var isAskedAgain = false

    /// Creates the phone of a person, with its folder.
    ///
    /// - Throws: What is wrong with the folder.
    init(_ person: Person, client: ServerClient, folder: String, notice: @escaping @Sendable (String) -> Void) throws {
        self.client = client
        self.notice = notice
        ledgerFolder = URL(filePath: folder)
        cursors = try CursorFile(path: "\(folder)/events.json")
        view = RidesView(person: person, ride: nil, driving: nil)
    }

    /// Connects it to the host of its watches.
    func connect(_ host: PhoneHost<PersonPhone>) { self.host = host }

    // MARK: - What watches see and want

    package func view(for caller: Caller) async -> RidesView {
        // What happens after a watch saw its first view is an event for it.
        if cursors.position(of: caller.watch.id) == nil { try? await begin(caller.watch.id) }
        return view
    }

    package func perform(_ command: RidesCommand, _ id: CommandID, by caller: Caller) async -> RidesReply {
        if case .ledger = command { return await sendLedger(to: caller) }
        let deadline = ContinuousClock.now + Self.patience
        while true {
            guard isKnown else {
                guard ContinuousClock.now < deadline else {
                    return .refused("the server was not reached: nothing was sent")
                }
                try? await Task.sleep(for: .milliseconds(300))
                continue
            }
            do {
                let answer = try await CommandRequest(command).send(by: client, key: "\(id)")
                return .done(course: answer)
            } catch ServerProblem.refused(_, let detail) {
                return .refused(detail)
            } catch {
                // With the same identity the server does it at most once.
                guard ContinuousClock.now < deadline else { return .unknown }
                try? await Task.sleep(for: .milliseconds(300))
            }
        }
    }

    package func received(_ event: RideEvent, from caller: Caller) {}

    package func received(_ file: IncomingFile<RidesApp.FileInfo>, from caller: Caller) throws {
        try FileManager.default.removeItem(at: file.file)
    }

    // MARK: - Following the server

    /// Follows the server until the task is cancelled.
    ///
    /// - Throws: ``ServerProblem`` if the token is another person's.
    func follow() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            let (views, source) = AsyncStream<RidesView>.makeStream(bufferingPolicy: .bufferingNewest(1))
            group.addTask { [client, notice] in
                var isAway = false
                while !Task.isCancelled {
                    let start = ContinuousClock.now
                    do {
                        try await client.follow { source.yield($0) }
                    } catch let problem as ServerProblem where problem.isFinal {
                        throw problem
                    } catch  where !Task.isCancelled {
                        if !isAway || start.duration(to: .now) > Self.steadyTime { notice("\(error)") }
                        isAway = true
                    } catch {}
                    // Cancellation ends the pause and the loop.
                    try? await Task.sleep(for: .milliseconds(500))
                }
                source.finish()
            }
            group.addTask {
                for await view in views { try await self.show(view) }
            }
            group.addTask {
                // Events wait for watches that were not there, too.
                while !Task.isCancelled {
                    await self.deliver()
                    try? await Task.sleep(for: .seconds(2))
                }
            }
            defer { group.cancelAll() }
            while try await group.next() != nil {}
        }
    }

    private func show(_ new: RidesView) async throws {
        guard new.person == view.person else {
            throw ServerProblem.refused(
                status: 403,
                detail: "the token is that of \(new.person), not of \(view.person): make one with "
                    + "`rides token --as \(view.person)`")
        }
        isKnown = true
        view = new
        await host?.viewsChanged()
        await deliver()
    }

    /// Sends each watch the events behind the last one that it was sent, in order.
    private func deliver() async {
        isAskedAgain = true
        guard !isDelivering else { return }
        isDelivering = true
        defer { isDelivering = false }
        while isAskedAgain {
            isAskedAgain = false
            for caller in await host?.callers ?? [] {
                // The next round goes on where this one ended, and the other watches do not wait for it.
                try? await deliver(to: caller.watch.id)
            }
        }
    }

    private func deliver(to watch: SessionWatch.ID) async throws {
        guard let known = cursors.position(of: watch) else { return try await begin(watch) }
        var position = known
        while true {
            let events = try await events(after: position)
            for event in events where event.position > position {
                try await host?.send(event, to: watch)
                try cursors.set(event.position, of: watch)
                position = event.position
            }
            guard events.count == Self.pageCount else { return }
        }
    }

    /// Lets a new watch begin with what happens from now on.
    private func begin(_ watch: SessionWatch.ID) async throws {
        let newest = try await newest()
        if cursors.position(of: watch) == nil { try cursors.set(newest, of: watch) }
    }

    // Swift 6.3 crashes with optimization where this is inlined.
    @inline(never)
    private func events(after position: RideEvent.Position) async throws -> [RideEvent] {
        try await client.get("/evenements?apres=\(position.text)&limite=\(Self.pageCount)")
    }

    private func newest() async throws -> RideEvent.Position {
        var position = cursors.newest
        while true {
            let events = try await events(after: position)
            position = events.last?.position ?? position
            guard events.count == Self.pageCount else { return position }
        }
    }

    // MARK: - The day's rides

    private func sendLedger(to caller: Caller) async -> RidesReply {
        do {
            var position = RideEvent.Position.start
            var lines = ["time,ride,event,amount"]
            let day = Timestamp.now.iso8601.prefix(10)
            while true {
                let events = try await events(after: position)
                for event in events where event.le.iso8601.hasPrefix(day) {
                    let amount = event.montant?.description ?? ""
                    lines.append("\(event.le.iso8601),\(event.course),\(event.genre.rawValue),\(amount)")
                }
                position = events.last?.position ?? position
                guard events.count == Self.pageCount else { break }
            }
            let name = "rides-\(day).csv"
            let file = ledgerFolder.appending(path: name)
            try Data((lines.joined(separator: "\r\n") + "\r\n").utf8).write(to: file)
            _ = try await host?.send(file, RidesApp.FileInfo(name: name), to: caller.watch.id)
            return .done(course: nil)
        } catch {
            return .refused("the day's rides cannot be sent: \(error)")
        }
    }
}

/// A command as the server's routes take it.
private struct CommandRequest {
    private struct Body: Encodable {
        var commande: String
        var departPoint: Location?
        var arriveePoint: Location?
        var raison: String?
        var phase: Phase?
        var statut: Chauffeur.Statut?

        private enum CodingKeys: String, CodingKey {
            case commande, raison, phase, statut
            case departPoint = "depart_point"
            case arriveePoint = "arrivee_point"
        }
    }

    private struct Answer: Decodable { var course: Int? }

    private let method: String
    private let path: String
    private let body: Body

    init(_ command: RidesCommand) {
        var body = Body(commande: "")
        var method = "POST"
        switch command {
        case .ask(let depart, let arrivee):
            (body.departPoint, body.arriveePoint) = (depart, arrivee)
            path = "/courses"
        case .cancel(let reason):
            body.raison = reason
            path = "/course/annuler"
        case .accept(let course): path = "/courses/\(course)/accepter"
        case .refuse(let course): path = "/courses/\(course)/refuser"
        case .arrived:
            body.phase = .arrive
            path = "/course/phase"
        case .onBoard:
            body.phase = .aBord
            path = "/course/phase"
        case .complete, .ledger: path = "/course/terminer"
        case .status(let isAvailable):
            body.statut = isAvailable ? .disponible : .hors_ligne
            method = "PUT"
            path = "/chauffeur/statut"
        }
        self.method = method
        self.body = body
    }

    func send(by client: ServerClient, key: String) async throws -> Int? {
        var body = body
        body.commande = key
        let bytes = try await client.send(method, path, try CanonicalJSON.encode(body))
        return try CanonicalJSON.decode(Answer.self, from: bytes).course
    }
}
