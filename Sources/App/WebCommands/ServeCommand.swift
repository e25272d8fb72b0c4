package import ArgumentParser
import Commands
import Foundation
import Logging
import Platform
import Text
import WebServer

/// Serves the page.
package struct ServeCommand<Program: WebProgram>: AsyncParsableCommand {
    package static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "serve", abstract: "Serves the page and the REST API, until it is stopped.",
            discussion: """
                It prints its address. If there is no account yet, it prints a code, too, with
                which the page makes the first one. Without TLS it listens to browsers on this
                machine only; for phones make a certificate first.

                Example:
                  \(Program.product.command) --listen 127.0.0.1:9000
                  \(Program.product.command) --listen 0.0.0.0:8443 --tls
                """)
    }

    @Option(help: ArgumentHelp("Where to listen: HOST:PORT.", valueName: "address"))
    var listen = "127.0.0.1:8080"

    @Flag(help: "Use the certificate that `certificate` has made.")
    var tls = false

    @Flag(help: "A proxy on this machine does TLS, and names the client in X-Forwarded-For.")
    var behindProxy = false

    @Option(
        help: ArgumentHelp("A host that people type, beside those of the certificate; repeatable.", valueName: "host"))
    var host: [String] = []

    @Flag(help: "Show /metrics to all who reach the page, without a token.")
    var metrics = false

    @Option(help: ArgumentHelp("End when the holder of this file ends.", visibility: .hidden))
    var lifeline: String?

    @Option(help: ArgumentHelp("How often an account may ask in a minute.", visibility: .hidden))
    var requestLimit: Int?

    @OptionGroup var folder: Program

    package init() {}

    package func validate() throws {
        if tls, behindProxy { throw ValidationError("give --tls or --behind-proxy: a proxy does TLS itself") }
        let address = try address
        guard tls || LocalAddresses.isLoopback(address.host) else {
            throw ValidationError(
                "without TLS others in the network could read passwords, so \(address.host) is refused: make a "
                    + "certificate with `\(Program.product.command) certificate --host \(Program.noun).local` and add --tls, or listen on "
                    + "127.0.0.1")
        }
    }

    package func run() async throws {
        LoggingSystem.bootstrap { label in
            var handler = StreamLogHandler.standardError(label: label)
            handler.logLevel = .warning
            return handler
        }
        let path = try folder.path
        let authority = LocalAuthority(stateFolder: path, product: Program.product)
        let address = try address
        do {
            let accounts = try AccountStore(folder: path, product: Program.product)
            let code = SetupCode { code in
                Output.standard.line("code for the first account, valid for 15 minutes: \(code)")
            }
            var settings = WebSettings(
                product: Program.product, hosts: try hosts(authority, address), isSecure: tls || behindProxy,
                isBehindProxy: behindProxy,
                showsMetrics: metrics)
            settings.certificate = tls ? try authority.served() : nil
            if let requestLimit { settings.requestsPerMinute = requestLimit }
            let page = try folder.page(settings, accounts: accounts, code: code)
            let server =
                tls
                ? try HTTPServer(
                    page.api, at: address, certificate: authority.certificatePath, key: authority.keyPath)
                : HTTPServer(page.api, at: address)
            var isFirst = false
            do {
                isFirst = try await accounts.users.lackOwner()
            } catch let error as AccountError {
                // The page says so, too, and follows when they can be used.
                Output.errors.line("\(error)")
            }
            let isWithoutOwner = isFirst
            let warning = settings.certificate?.warning(at: .now)
            let shown = settings.shownAddress(listening: address)
            let isLocal = LocalAddresses.isLoopback(address.host) && !behindProxy
            _ = try await untilStopped(lifeline: lifeline) {
                let (ready, source) = AsyncStream<Void>.makeStream()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await page.run { source.finish() } }
                    group.addTask { await accounts.run() }
                    group.addTask {
                        for await _ in ready {}
                        try Task.checkCancellation()
                        try await server.run { port in
                            page.onServing(shown(port))
                            Output.standard.line("serving at \(shown(port))")
                            if isLocal { Output.standard.line(Self.localNote) }
                            if let warning { Output.standard.line(warning) }
                            if isWithoutOwner { code.begin() }
                        }
                    }
                    defer { group.cancelAll() }
                    try await group.next()
                }
            }
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(Self.sentence(error, address))
        }
    }

    private var address: HTTPServer.Address {
        get throws {
            guard let text = HostAndPort(listen), let port = Int(text.port) else {
                guard listen.filter({ $0 == ":" }).count < 2 || listen.contains("[") else {
                    throw ValidationError(
                        "--listen is \(listen): write an address of IPv6 in brackets, such as [::1]:8080")
                }
                throw ValidationError("--listen is \(listen), expected \(HostAndPort.expected) such as 127.0.0.1:8080")
            }
            // As the hub, it listens at all addresses with *.
            return HTTPServer.Address(host: text.host == "*" ? "0.0.0.0" : text.host, port: port)
        }
    }

    /// The hosts that a request may name.
    private func hosts(_ authority: LocalAuthority, _ address: HTTPServer.Address) throws -> Set<String> {
        // A host may be given as it is in a certificate; requests name an address of IPv6 in brackets.
        var names = Set(host.map(LocalAuthority.hostText))
        if tls { names.formUnion(try authority.served().hosts) }
        names.formUnion(["127.0.0.1", "localhost", "[::1]"])
        let port = tls ? 443 : 80
        // A proxy is reached at its own port, which is not known here.
        if behindProxy { return names.union(names.map { "\($0):\(address.port)" }) }
        return address.port == port
            ? names.union(names.map { "\($0):\(port)" }) : Set(names.map { "\($0):\(address.port)" })
    }

    /// What to know about a page, and about each link to it, that only this machine reaches.
    private static var localNote: String {
        "The page and its links work in browsers on this machine only; for others see --tls and --listen."
    }

    private static func sentence(_ error: any Error, _ address: HTTPServer.Address) -> String {
        let text = "\(error)"
        // The texts of the libraries name functions of the system.
        guard let number = text.firstMatch(of: /\(errno: (\d+)\)/).flatMap({ Int32($0.1) }) else { return text }
        switch number {
        case EADDRINUSE:
            return "port \(address.port) is in use, perhaps by another page: choose another one with --listen "
                + "\(address.host):PORT, or end the program that holds it"
        case EADDRNOTAVAIL:
            return "\(address.host) is no address of this machine: choose one with --listen, such as 127.0.0.1:8080"
        case EACCES, EPERM:
            return
                "port \(address.port) is not open to this user: choose one above 1023 with --listen \(address.host):PORT"
        default: return "cannot listen at \(address.host):\(address.port): \(SystemErrorText.of(number: number))"
        }
    }
}

extension WebSettings {
    /// The address to type, for a port.
    func shownAddress(listening address: HTTPServer.Address) -> @Sendable (Int) -> String {
        let scheme = isSecure ? "https" : "http"
        let names = hosts.filter { !$0.hasPrefix("127.") && !$0.hasPrefix("localhost") && !$0.hasPrefix("[") }.sorted()
        let isWildcard = ["0.0.0.0", "::"].contains(address.host)
        return { port in
            if let name = names.first, isSecure { return "\(scheme)://\(name)/" }
            let host = address.host.contains(":") ? "[\(address.host)]" : address.host
            return "\(scheme)://\(isWildcard ? "127.0.0.1" : host):\(port)/"
        }
    }
}
