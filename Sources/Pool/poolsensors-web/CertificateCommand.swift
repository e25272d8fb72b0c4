import ArgumentParser
import CommandSupport
import PoolWeb
import TerminalUI
import WebServer

/// Makes a certificate.
struct CertificateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "certificate", abstract: "Makes a certificate for the page, and an authority for it.",
        discussion: """
            The authority is made once; install its file on each phone, and compare the
            fingerprint there. The certificate of the page holds for 397 days; make
            another one then, which the phones trust without anything more.

            Example:
              poolsensors web certificate --host pool.local --host 192.168.1.20
            """)

    @Option(help: ArgumentHelp("A name or an address that people type; repeatable.", valueName: "host"))
    var host: [String]

    @OptionGroup var folder: StateOptions

    func validate() throws {
        guard !host.isEmpty else { throw ValidationError("give the host that people type with --host") }
    }

    func run() async throws {
        let authority = LocalAuthority(stateFolder: try folder.path, product: .poolsensors)
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
        if output.isTerminal { output.line(Self.picture(of: "sha256:" + fingerprint.filter { $0 != ":" })) }
    }

    /// A QR code in half blocks, light modules drawn, for a dark terminal.
    static func picture(of text: String) -> String {
        guard let code = QRCode(Array(text.utf8)) else { return text }
        let zone = QRCode.quietZone
        let side = code.side + 2 * zone
        var lines: [String] = []
        for row in stride(from: 0, to: side, by: 2) {
            lines.append(
                String(
                    (0..<side).map { column -> Character in
                        let upper = !code.isDark(column - zone, row - zone)
                        let lower = row + 1 < side && !code.isDark(column - zone, row + 1 - zone)
                        return upper ? (lower ? "█" : "▀") : lower ? "▄" : " "
                    }))
        }
        return lines.joined(separator: "\n")
    }
}
