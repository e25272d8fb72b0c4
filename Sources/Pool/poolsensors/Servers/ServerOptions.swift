import ArgumentParser
import Commands
import Foundation
import PoolControl
import PoolHub
import PoolModel

/// The flags that describe a server.
struct ServerOptions: ParsableArguments {
    @Option(help: ArgumentHelp(Server.field(\.host)))
    var host: String?

    @Option(help: ArgumentHelp(Server.field(\.port)))
    var port: String?

    @Flag(inversion: .prefixedNo, help: ArgumentHelp(Server.field(\.usesTLS)))
    var tls: Bool?

    @Option(help: ArgumentHelp(Server.field(\.caFile)))
    var caFile: String?

    @Option(help: ArgumentHelp(Server.field(\.clientCertificate)))
    var clientCert: String?

    @Option(help: ArgumentHelp("The key of that, a PEM file without a password.", valueName: "file"))
    var clientKey: String?

    @Option(help: ArgumentHelp(Server.field(\.username)))
    var username: String?

    @Option(help: ArgumentHelp(Server.field(\.protocolVersion)))
    var mqtt: String?

    @Option(defaultAsFlag: "homeassistant", help: ArgumentHelp(Server.field(\.announcementPrefix)))
    var announce: String?

    @Flag(help: "Announce nothing any more.")
    var noAnnounce = false

    @Option(help: ArgumentHelp(Server.field(\.note)))
    var note: String?

    @OptionGroup var password: PasswordOptions

    func validate() throws {
        if announce != nil, noAnnounce { throw ValidationError("give --announce or --no-announce, not both") }
        if clientCert?.isEmpty == false, clientKey?.isEmpty != false {
            throw ValidationError("--client-cert needs its key: give --client-key FILE, too")
        }
        if clientKey?.isEmpty == false, clientCert?.isEmpty != false {
            throw ValidationError("--client-key belongs to a certificate: give --client-cert FILE, too")
        }
    }

    /// The patch from the flags, without the password.
    func patch() throws -> ServerPatch {
        var patch = ServerPatch()
        patch.host = host
        patch.port = try port.map(Self.port)
        patch.usesTLS = tls
        patch.caFile = caFile.map { Self.absolute($0) }
        patch.username = username
        patch.note = note
        if let clientCert {
            patch.clientCertificate = Server.ClientCertificate(
                certificateFile: Self.absolute(clientCert), keyFile: Self.absolute(clientKey ?? ""))
        }
        patch.announcementPrefix = noAnnounce ? "" : announce
        patch.protocolVersion = try mqtt.map { text in
            guard let version = Server.ProtocolVersion(rawValue: text) else {
                let known = Server.ProtocolVersion.allCases.map(\.rawValue).joined(separator: " or ")
                throw ValidationError("--mqtt is \"\(text)\", expected \(known)")
            }
            return version
        }
        return patch
    }

    /// The patch from the flags, with the password from its source.
    func completePatch(isNew: Bool) async throws -> ServerPatch {
        var patch = try patch()
        patch.password = try await password.read(user: username, isExpected: isNew || username != nil)
        return patch
    }

    /// The absolute path, which is valid for a hub with another working folder, too; an empty one stays empty.
    static func absolute(
        _ path: String, workingFolder: String = FileManager.default.currentDirectoryPath
    ) -> String {
        path.isEmpty || path.hasPrefix("/") ? path : URL(filePath: "\(workingFolder)/\(path)").standardized.path
    }

    private static func port(_ text: String) throws -> Int {
        do {
            return try Server.port(from: text)
        } catch {
            throw ValidationError("\(error)")
        }
    }
}

/// The flags for the source of a password.
struct PasswordOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The file whose first line is the password.", valueName: "file"))
    var passwordFile: String?

    @Flag(help: "Read the password from standard input.")
    var passwordStdin = false

    @Flag(help: "Take the password away.")
    var noPassword = false

    /// Reads the password; at a terminal it asks for it if there is a user name and no other flag gives the source.
    func read(user: String?, isExpected: Bool) async throws -> String? {
        let source = PasswordSource(
            file: passwordFile, usesStandardInput: passwordStdin, isRemoved: noPassword,
            wantsPrompt: isExpected && user?.isEmpty == false, isTerminal: Prompt.isAvailable)
        return try await Prompt.password(from: source, question: "Password of \(user ?? "") (empty for none)")
    }
}
