package import ArgumentParser
import Commands
import Terminal
import WebServer

/// Makes a certificate.
package struct CertificateCommand<Program: WebFolder>: AsyncParsableCommand {
    package static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "certificate", abstract: "Makes a certificate for the page, and an authority for it.",
            discussion: """
                The authority is made once; install its file on each phone, and compare the
                fingerprint there. The certificate of the page holds for 397 days; make
                another one then, which the phones trust without anything more.

                Example:
                  \(Program.product.command) certificate --host \(Program.noun).local --host 192.168.1.20
                """)
    }

    @Option(help: ArgumentHelp("A name or an address that people type; repeatable.", valueName: "host"))
    var host: [String]

    @OptionGroup var folder: Program

    package init() {}

    package func validate() throws {
        guard !host.isEmpty else { throw ValidationError("give the host that people type with --host") }
    }

    package func run() async throws {
        let authority = LocalAuthority(stateFolder: try folder.path, product: Program.product)
        let fingerprint: String
        do {
            fingerprint = try authority.makeCertificate(for: host)
        } catch {
            throw CommandFailure("\(error)")
        }
        let output = Output.standard
        output.line("made a certificate for \(host.joined(separator: ", ")), valid for \(LocalAuthority.days) days")
        output.line("install on each phone: \(authority.authorityPath)")
        output.line("its fingerprint (SHA-256): \(fingerprint)")
        if output.isTerminal { output.line(QRPicture.of("sha256:" + fingerprint.filter { $0 != ":" })) }
    }
}
