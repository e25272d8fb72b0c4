import BrokerFixture
import CommandSupport
import Foundation
import ProgramFixture
import TestSupport
import Testing

@testable import poolsensors

/// V5 L3: a second hub with the configuration of the first one, as a user types the commands; each hub is a process.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ConfigSharingTests: Household {
    let folder: TemporaryFolder
    /// The state folder of the second hub.
    private let other: TemporaryFolder
    private let file: String
    private let passphrase: String

    init() throws {
        folder = try TemporaryFolder()
        other = try TemporaryFolder()
        file = folder.path("pool.export")
        passphrase = folder.path("passphrase")
        try "correct horse battery\n".write(toFile: passphrase, atomically: true, encoding: .utf8)
        try "wet-secret\n".write(toFile: folder.path("password"), atomically: true, encoding: .utf8)
    }

    /// Runs a command on the second hub.
    private func runOther(_ arguments: String..., status: Int32 = 0) async throws -> String {
        let (end, lines) = try await Program.run(arguments, in: other)
        #expect(end == .exited(status), "\(arguments): \(lines)")
        return lines.joined(separator: "\n")
    }

    @Test func `V5 L3 a second hub that runs takes the configuration in and connects with the password`() async throws {
        var configuration = Broker.Configuration()
        configuration.passwords = ["hub": "wet-secret"]
        let broker = try await Broker.start(configuration)
        try await run(
            "server", "add", "--name", "Garden", "--host", broker.host, "--port", "\(broker.port)", "--username", "hub",
            "--password-file", folder.path("password"))
        try await run("device", "add", "--name", "Lagoon", "--topic", "pool/1")
        let written = try await run("config", "export", file, "--passphrase-file", passphrase)
        #expect(
            written == ["wrote revision 2 with 1 server, 1 device, 0 pools, 1 password or secret to \(file), sealed"])

        let hub = try Program(["hub", "--listen", "ipc://\(other.path("hub.ipc"))"], in: other)
        _ = try await hub.line(containing: "listening on ")
        let preview = try await runOther("config", "import", file, "--passphrase-file", passphrase)
        #expect(preview.contains(#"device "Lagoon""#) && preview.contains("added"))
        #expect(
            preview.contains(
                "Merge policy: what only the file has is added; what differs is undecided; what only this hub has stays."
            ))
        #expect(preview.contains("Nothing was changed. With --apply it would be "))
        #expect(try await runOther("device", "list").contains("There is no device yet"))

        let applied = try await runOther("config", "import", file, "--passphrase-file", passphrase, "--apply")
        #expect(applied.contains("and 1 secret, now at revision 1. `poolsensors config restore 0` goes back"))
        // Without the password it would repeat the attempt in vain.
        let said = await hub.line { $0.contains("Garden: connected") || $0.contains("the hub keeps trying") }
        #expect(said?.contains("Garden: connected") == true, "\(hub.lines)")
        let again = try await runOther("config", "import", file, "--passphrase-file", passphrase, "--apply")
        #expect(again.contains("Nothing had to be changed."))

        for line in [preview, applied, again] + hub.lines { #expect(!line.contains("wet-secret")) }
        await end(hub)
        await broker.stop()
    }

    @Test func `V5 a passphrase is typed twice at a terminal, unseen, and opens the file`() async throws {
        try await run("pool", "add", "--name", "Back")
        let terminal = try ScreenTerminal(columns: 100, rows: 30)
        let export = try terminal.start(["config", "export", file], in: folder)
        await terminal.wait(for: "Passphrase: ")
        terminal.type("correct horse battery\n")
        await terminal.wait(for: "The same once more: ")
        terminal.type("correct horse battery\n")
        #expect(await export.ended() == .exited(0))
        #expect(!terminal.text.contains("horse"))
        #expect(terminal.modes == terminal.modesBefore)
        let opened = try await runOther("config", "import", file, "--passphrase-file", passphrase, "--json")
        #expect(opened.contains(#""subject":"pool \"Back\"""#))

        let second = try ScreenTerminal(columns: 100, rows: 30)
        let failed = try second.start(["config", "export", folder.path("b.export")], in: folder)
        await second.wait(for: "Passphrase: ")
        second.type("correct horse battery\n")
        await second.wait(for: "The same once more: ")
        second.type("correct horse batterie\n")
        try #require(await failed.ended() == .exited(1))
        await second.wait(for: "the two passphrases are not the same")
        #expect(!FileManager.default.fileExists(atPath: folder.path("b.export")))
    }

    @Test func `V5 what cannot be taken in is refused with the thing and the way out`() async throws {
        let wrong = folder.path("wrong")
        try "correct horse batterie".write(toFile: wrong, atomically: true, encoding: .utf8)
        try await run("pool", "add", "--name", "Back")
        try await run("config", "export", file, "--passphrase-file", passphrase)
        let there = try await Program.run(["config", "export", file, "--passphrase-file", passphrase], in: folder)
        #expect(there.end == .exited(1) && there.lines.last?.contains("replace it with --replace") == true)
        let short = try await Program.run(
            ["config", "export", folder.path("b"), "--passphrase-file", folder.path("password")], in: folder)
        #expect(short.end == .exited(1) && short.lines.last?.contains("at least 12 are needed") == true)

        let closed = try await runOther("config", "import", file, "--passphrase-file", wrong, status: 1)
        #expect(closed.contains("\(file) does not open with this passphrase"))
        let unasked = try await runOther("config", "import", file, status: 1)
        #expect(unasked.contains("give --passphrase-file FILE or --passphrase-stdin"))
        // The error comes before the prompt for the passphrase.
        let none = try await runOther("config", "import", passphrase, status: 1)
        #expect(none.contains("\(passphrase) is not an exported configuration"))
        try Data(contentsOf: URL(filePath: file)).dropLast().write(to: URL(filePath: folder.path("cut")))
        let cut = try await runOther("config", "import", folder.path("cut"), status: 1)
        #expect(cut.contains("is damaged (it has ") && cut.contains("copy the file once more"))
        #expect(try await runOther("pool", "list").contains("There is no pool"))
        let unlike = try await runOther("config", "import", file, "--remove-others", status: 64)
        #expect(unlike.contains("give --keep theirs, too"))
        let nobody = try await runOther("config", "import", file, "--keep", "both", status: 64)
        #expect(nobody.contains("both is not one of mine, theirs"))
    }

    @Test func `a passphrase is the same however its letters were typed, and must be typed the same twice`() throws {
        #expect(Array(Passphrase.normal("cafe\u{301} au lait").utf8) == Array("café au lait".utf8))
        #expect(try Passphrase.confirmed("one", by: "one") == "one")
        #expect(throws: CommandFailure.self) { try Passphrase.confirmed("one", by: "One") }
    }
}
