import ArgumentParser
import Commands
import Foundation
import ImtPage
import ImtPhone
import Logging
import Platform
import Text
import WebServer

/// The phone.
struct PhoneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "phone", abstract: "Runs the phone: its page for browsers, and its watches.",
        discussion: """
            It prints the address of its page. If there is no account yet, it prints a code,
            too, with which the page makes the first one. Browsers give the camera to this
            machine and to HTTPS only; for other devices make a certificate first.

            Example:
              imt phone
              imt phone --page 0.0.0.0:8443 --tls
            """)

    @Option(help: ArgumentHelp("Where watches of other machines connect, such as tcp://*:7600.", valueName: "endpoint"))
    var listen: String?
    @Option(help: ArgumentHelp("Where browsers connect: HOST:PORT.", valueName: "address")) var page = "127.0.0.1:8090"
    @Flag(help: "Use the certificate that `certificate` has made.") var tls = false
    @OptionGroup var state: StateOptions

    func validate() throws {
        let host = try address.host
        guard tls || LocalAddresses.isLoopback(host) else {
            throw ValidationError(
                "without TLS others in the network could read passwords and photos, so \(page) is refused: make a certificate "
                    + "with `imt certificate --host NAME` and add --tls, or listen on 127.0.0.1")
        }
    }

    private var address: HTTPServer.Address {
        get throws {
            guard let text = HostAndPort(page), let port = Int(text.port) else {
                throw ValidationError("--page is \"\(page)\", expected \(HostAndPort.expected)")
            }
            return HTTPServer.Address(host: text.host, port: port)
        }
    }

    func run() async throws {
        LoggingSystem.bootstrap { label in
            var handler = StreamLogHandler.standardError(label: label)
            handler.logLevel = .warning
            return handler
        }
        try StateHome.make(state.meetingFolder)
        var options = PhoneProcess.Options(folder: state.phoneFolder)
        options.endpoint = listen
        options.meetingFolder = state.meetingFolder
        options.notice = { Output.errors.line("phone: \($0)") }
        do {
            let process = try PhoneProcess(options)
            let accounts = try AccountStore(folder: state.folder, product: .imt)
            let code = SetupCode { Output.standard.line("code for the first account, valid for 15 minutes: \($0)") }
            let server = try server(process.clinic, accounts, code)
            let isFirst = try await accounts.users.lackOwner()
            let (scheme, shownHost) = (tls ? "https" : "http", try address.host)
            _ = try await untilStopped {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await process.run { Output.standard.line("phone is ready") } }
                    group.addTask { await accounts.run() }
                    group.addTask {
                        try await server.run { port in
                            Output.standard.line("page: \(scheme)://\(shownHost):\(port)/")
                            if isFirst { code.begin() }
                        }
                    }
                    defer { group.cancelAll() }
                    try await group.next()
                }
            }
        } catch {
            throw CommandFailure(error)
        }
    }

    private func server(_ clinic: Clinic, _ accounts: AccountStore, _ code: SetupCode) throws -> HTTPServer {
        let address = try address
        let authority = LocalAuthority(stateFolder: state.folder, product: .imt)
        var names: Set = ["127.0.0.1", "localhost", "[::1]"]
        if tls { names.formUnion(try authority.served().hosts) }
        let port = tls ? 443 : 80
        let hosts = Set(names.map { "\($0):\(address.port)" }).union(address.port == port ? names : [])
        var settings = WebSettings(product: .imt, hosts: hosts, isSecure: tls)
        settings.certificate = tls ? try authority.served() : nil
        // A patient's page asks for each thumb.
        settings.requestsPerMinute = 1200
        let api = WebAPI(settings: settings, clinic: clinic, accounts: accounts, setupCode: code)
        guard tls else { return HTTPServer(api, at: address) }
        return try HTTPServer(api, at: address, certificate: authority.certificatePath, key: authority.keyPath)
    }
}

/// Lists what an account can be granted.
struct RightsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rights", abstract: "Lists the rights that accounts of the page can have.")

    func run() { for right in Right.allCases { Output.standard.line("\(right.rawValue)  \(right.words.english)") } }
}
