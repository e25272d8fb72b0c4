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
        _ = try listener("")
    }

    private func listener(_ path: String) throws -> PageListener {
        try PageListener(
            listen, product: Program.product, folder: path, tls: tls, isBehindProxy: behindProxy, names: host)
    }

    package func run() async throws {
        CommandRunner.logWarnings()
        let path = try folder.path
        let listener = try listener(path)
        let address = listener.address
        do {
            let accounts = try AccountStore(folder: path, product: Program.product)
            let code = SetupCode { code in
                Output.standard.line("code for the first account, valid for 15 minutes: \(code)")
            }
            var settings = try listener.settings()
            settings.showsMetrics = metrics
            if let requestLimit { settings.requestsPerMinute = requestLimit }
            let page = try folder.page(settings, accounts: accounts, code: code)
            let server = try listener.server(page.api)
            var isFirst = false
            do {
                isFirst = try await accounts.users.lackOwner()
            } catch let error as AccountError {
                // The page says so, too, and follows when they can be used.
                Output.errors.line("\(error)")
            }
            let isWithoutOwner = isFirst
            let warning = settings.certificate?.warning(at: .now)
            let shown = try listener.shownAddress()
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
