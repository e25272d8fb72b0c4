import ArgumentParser
import CommandSupport
import PoolControl
import PoolHub
import PoolModel

/// Tests the connection to a server.
struct ServerTestCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Tries to connect to a server and says how that ended.",
        discussion: """
            Name a configured server, or describe one with flags:
              poolsensors server test Garden
              poolsensors server test --host 192.168.1.10 --tls --username pool

            The test leaves nothing at the server.

            \(ExitStatus.help(.success, .failure, .notFound, .unreachable, .badCredentials, .tlsFailed, .timeout))

            With --json, `code` says what failed in TLS: tls-authority, tls-expired,
            tls-not-yet-valid, tls-host, tls-client-certificate, tls-not-spoken (a port
            without TLS), tls-expected (a port with TLS), or tls.
            """)

    @Argument(help: ArgumentHelp("The configured server.", valueName: "server"))
    var server: String?

    @OptionGroup var options: ServerOptions

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func validate() throws {
        if (server == nil) == (options.host == nil) {
            throw ValidationError("name a configured server, or describe one with --host HOST")
        }
    }

    func run(in context: CommandContext) async throws {
        let report: ServerTestReport
        if let server {
            let id = try await context.names().server(named: server).id
            report = ServerTestReport(server: server, try await context.ask(.testServer(id)))
        } else {
            let patch = try await options.completePatch(isNew: true)
            var described = Server(
                id: ServerID(high: 0, low: 0), name: "test", host: patch.host ?? "", port: patch.port,
                username: patch.username, usesTLS: patch.usesTLS ?? (patch.caFile != nil), caFile: patch.caFile,
                protocolVersion: patch.protocolVersion ?? .v3)
            described.clientCertificate = patch.clientCertificate
            do {
                try described.validate()
            } catch {
                throw CommandFailure(error)
            }
            let password = patch.password.flatMap { $0.isEmpty ? nil : $0 }
            let result = await ServerTest.run(described, password: password)
            report = ServerTestReport(server: described.address, result)
        }
        json.isOn ? try json.write(report) : Output.standard.line(report.line)
        if report.exitStatus != .success { throw ExitCode(report.exitStatus) }
    }
}

/// The result of the test of a server, as it is printed.
struct ServerTestReport: Encodable, Equatable {
    /// The server, as the person named it.
    var server: String
    /// How the test ended.
    var code: ServerTestCode
    /// The reason of a failure; nil after success.
    var reason: String?

    /// The result for a person.
    var line: String { PlainText.oneLine("\(server): \(sentence)") }

    /// How the test ended, for a person, without the server.
    var sentence: String { ServerTestResult(code, reason: reason).sentence }

    /// The exit code.
    var exitStatus: ExitStatus {
        switch code {
        case .success: .success
        case .unreachable: .unreachable
        case .badCredentials: .badCredentials
        case .tlsNotSpoken, .tlsExpected, .tlsAuthority, .tlsExpired, .tlsNotYetValid, .tlsHost,
            .tlsClientCertificate, .tlsOther:
            .tlsFailed
        case .timedOut: .timeout
        case .failed: .failure
        }
    }
}

extension ServerTestReport {
    init(server: String, _ result: ServerTestResult) {
        self.init(server: server, code: result.code, reason: result.reason)
    }
}
