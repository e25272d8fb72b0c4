import ArgumentParser
import Commands
import Foundation
import Platform
import RidesApp
import RidesPhone
import RidesServer
import Service
import Text
import WebServer

/// Where servers, phones and watches keep what they have.
struct StateOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder of everything; by default $XDG_STATE_HOME/rides, for root /var/lib/rides.", valueName: "folder")
    )
    var state: String?

    var folder: String {
        let environment = ProcessInfo.processInfo.environment
        let usual = StateHome.folder(of: "rides", chosen: state, environment: environment)
        guard state == nil, geteuid() == 0, let home = environment["HOME"], usual.hasPrefix("\(home)/") else {
            return usual
        }
        // The database of root runs as another user, who must get there.
        let mode = try? FileManager.default.attributesOfItem(atPath: home)[.posixPermissions] as? Int
        return (mode ?? 0) & 0o001 == 0 ? "/var/lib/rides" : usual
    }

    var serverFolder: String { "\(folder)/server" }
    var databaseFolder: String { "\(folder)/database" }

    private func personFolder(_ person: Person) -> String {
        "\(folder)/phones/\(person.description.replacing(":", with: "-"))"
    }

    func phoneFolder(_ person: Person) -> String { "\(personFolder(person))/phone" }

    /// Where a person's phone and watches of one machine find each other.
    func meetingFolder(_ person: Person) -> String { "\(personFolder(person))/meeting" }

    func watchFolder(_ person: Person, _ name: String) -> String { "\(personFolder(person))/watches/\(name)" }

    /// The address of the server that runs on this folder, which it has written there.
    var addressFile: String { "\(serverFolder)/address" }

    /// The folder of the accounts, which is made if it does not exist.
    func accountFolder() throws -> String {
        try StateHome.make(folder, mode: Self.sharedMode)
        try StateHome.make(serverFolder)
        return serverFolder
    }

    /// The accounts of the server on this folder.
    func accounts() throws -> LocalAccounts {
        do {
            return LocalAccounts(try AccountStore(folder: try accountFolder(), product: .rides))
        } catch {
            throw CommandFailure(error)
        }
    }

    /// The user of the database passes through, if that is another one.
    static var sharedMode: Int { geteuid() == 0 ? 0o711 : 0o700 }
}

/// The server that is asked.
struct ServerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The server, such as http://127.0.0.1:8080; by default the one of this folder.", valueName: "url"))
    var server: String?

    @Option(help: ArgumentHelp("The file with the token for it, from `rides token`.", valueName: "file"))
    var tokenFile: String?

    func validate() throws {
        guard (server == nil) == (tokenFile == nil) else {
            throw ValidationError("give --server and --token-file together, or neither for the server of this folder")
        }
    }

    /// A client for a person, or for the operator.
    func client(for person: Person?, _ state: StateOptions) async throws -> ServerClient {
        if let server, let tokenFile {
            guard let url = URL(string: server), ["http", "https"].contains(url.scheme), url.host != nil else {
                throw ValidationError("--server is \"\(server)\", expected an address such as http://127.0.0.1:8080")
            }
            return ServerClient(server: url, token: try InputFile.text(of: tokenFile, "the token"))
        }
        // A server that was just started writes its address in a moment.
        for _ in 0..<50 where !FileManager.default.fileExists(atPath: state.addressFile) {
            try await Task.sleep(for: .milliseconds(100))
        }
        guard FileManager.default.fileExists(atPath: state.addressFile),
            let url = URL(string: try InputFile.text(of: state.addressFile, "the server's address"))
        else {
            throw CommandFailure(
                "no server has run on \(state.folder): start it with `rides server`, or give --server",
                exitStatus: .notFound)
        }
        return ServerClient(server: url, token: try await state.accounts().token(of: person))
    }
}

extension Person: ExpressibleByArgument {
    /// Reads `client:12` and `chauffeur:7`.
    public init?(argument: String) { self.init(argument) }
}

/// The accounts of a server on this machine, whose folder only this user may read.
struct LocalAccounts: Sendable {
    private static let operatorName = "operator"

    let store: AccountStore

    init(_ store: AccountStore) { self.store = store }

    /// A new token of a person, or of the operator; the account is made if it does not exist.
    func token(of person: Person?) async throws -> String {
        do {
            if let person {
                try await ensure(
                    person.description, .member, grants: [Grant(scope: person.description, level: .edit)])
            } else {
                try await ensure(Self.operatorName, .owner, grants: [])
            }
            return try await AccountAdministration(store).addToken(
                of: person?.description ?? Self.operatorName, name: "this machine", scopes: [.read, .write])
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Makes an account without a password if it does not exist; another process may make the same one at the same time.
    private func ensure(_ name: String, _ role: Role, grants: [Grant]) async throws {
        guard try await store.users.find(named: name) == nil else { return }
        do {
            try await AccountAdministration(store).add(name: name, password: nil, role: role, grants: grants)
        } catch {
            if try await store.users.find(named: name) == nil { throw error }
        }
    }
}
