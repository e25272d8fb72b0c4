import BrokerFixture
import CommandSupport
import Foundation
import ProgramFixture
import TestSupport
import Testing

@testable import poolsensors

/// The commands of each page of the guide, run from top to bottom in a clean home.
@Suite(.timeLimit(.minutes(20))) struct GuideCommandTests {
    @Test(arguments: try GuidePage.names) func `the commands of a page do what the page says`(name: String) async throws
    {
        let broker = try await Broker.start()
        let reader = try Reader(broker: broker)
        try await reader.follow(try GuidePage(named: name))
        await reader.closeTerminals()
        await broker.stop()
    }

    @Test func `the README's commands for people with a pool end with a value on a watch`() async throws {
        let broker = try await Broker.start()
        let reader = try Reader(broker: broker)
        try await reader.openTerminal("poolsensors probe --server 192.168.1.10:1883 --topic attic/water --retain")
        // The broker of the page has the usual port, the test's another one; and its probe need not be waited for.
        let text = try GuidePage.readmeSection("You have a pool")
            .replacing("--host 192.168.1.10", with: "--host 192.168.1.10 --port 1883")
            .replacing("--for 30s", with: "--for 5s")
        try await reader.follow(try GuidePage(named: "README.md", text: text))
        let watch = try #require(reader.terminals.last)
        #expect(await watch.line { $0.hasPrefix("Temperature: ") && $0.contains("°C") } != nil, "\(watch.lines)")
        await reader.closeTerminals()
        await broker.stop()
    }

    @Test(arguments: [
        ("poolsensors-hub", "poolsensors hub --plain"), ("poolsensors-watch", "poolsensors watch --plain"),
        ("poolsensors-web", "poolsensors-web"),
    ])
    func `the services of the package are sound`(name: String, command: String) async throws {
        let unit = try String(contentsOf: Repository.url(".ci/package/\(name).service"), encoding: .utf8)
        #expect(unit.contains("\nExecStart=/usr/bin/\(command)\n"))
        #expect(try await complaints(of: unit) == [])
        let broken = unit.replacing("Restart=", with: "Restat=")
        #expect(try await complaints(of: broken).count == (Self.verifier == nil ? 0 : 1))
    }

    @Test func `the hub's service reads the file of settings, and each setting in that file exists`() throws {
        let unit = try String(contentsOf: Repository.url(".ci/package/poolsensors-hub.service"), encoding: .utf8)
        #expect(unit.contains("\nEnvironmentFile=-/etc/default/poolsensors\n"))
        #expect(unit.contains("Environment=POOLSENSORS_STATE=/var/lib/poolsensors "))
        let settings = try String(contentsOf: Repository.url(".ci/package/default"), encoding: .utf8)
            .split(separator: "\n").compactMap { $0.firstMatch(of: /^#(POOLSENSORS_[A-Z_]+)=(.*)$/)?.output }
        #expect(settings.count == 2)
        for (_, variable, value) in settings {
            let entry = Catalog.all.first { $0.variable == variable }
            #expect(entry?.isReadable(String(value)) == true, "\(variable)=\(value)")
        }
    }

    /// Where the program is that verifies units; nil on systems without systemd, where nothing is verified.
    private static let verifier = ["/usr/bin/systemd-analyze", "/bin/systemd-analyze"]
        .first(where: FileManager.default.isExecutableFile)

    /// What systemd says about a unit, for the program of this build.
    private func complaints(of text: String) async throws -> [String] {
        guard let verifier = Self.verifier else { return [] }
        let folder = try TemporaryFolder()
        let unit = folder.path("poolsensors-test.service")
        try text.replacing("/usr/bin/poolsensors", with: Program.path)
            .write(toFile: unit, atomically: true, encoding: .utf8)
        return try await Program.run(["verify", "--man=no", unit], in: folder, program: verifier).lines
    }

    @Test func `each page is in the index, and builds on pages that are there and not on itself`() throws {
        let names = try GuidePage.names
        #expect(names.count > 10)
        let index = try String(contentsOf: Repository.url("Docs/README.md"), encoding: .utf8)
        for name in names {
            #expect(index.contains("](guide/\(name))"), "\(name) is not in the index")
            var page = try GuidePage(named: name)
            var seen = [name]
            while let before = page.before {
                #expect(names.contains(before) && !seen.contains(before), "\(seen) \(before)")
                guard names.contains(before), !seen.contains(before) else { break }
                seen.append(before)
                page = try GuidePage(named: before)
            }
        }
    }

    @Test func `a page without a command that runs, and one with a command outside its blocks, are found`() async throws
    {
        let pages = [
            "Only words.\n", "```sh needs-systemd\nsystemctl status\n```\n",
            "```sh\ntrue\n```\n\n    poolsensors status\n", "```sh\ntrue\n```\n```text\npoolsensors status\n```\n",
        ]
        for text in pages {
            let page = try GuidePage(named: "page.md", text: text)
            #expect(page.faults.count == 1, "\(text)")
        }
        #expect(try GuidePage(named: "page.md", text: "```sh\ntrue\n```\n").faults == [])
        #expect(throws: GuidePage.Fault.self) { try GuidePage(named: "page.md", text: "```bash\ntrue\n```\n") }
        #expect(throws: GuidePage.Fault.self) { try GuidePage(named: "page.md", text: "```sh\ntrue\n") }
    }

    @Test func `a line that was not printed is found`() {
        let step = GuidePage.Step(command: "poolsensors status", printed: ["Lagoon … OK  …", "end"])
        #expect(step.missing(in: ["first", "Lagoon  25.5 °C  OK  1s", "end\r"]) == nil)
        #expect(step.missing(in: ["end", "Lagoon  25.5 °C  OK  1s"]) == "end")
        #expect(step.missing(in: ["Lagoon  25.5 °C  LOW  1s", "end"]) == "Lagoon … OK  …")
    }
}

extension GuidePage {
    /// A section of the README, without its title.
    fileprivate static func readmeSection(_ title: String) throws -> String {
        let readme = try String(contentsOf: Repository.url("README.md"), encoding: .utf8)
        let parts = readme.components(separatedBy: "\n## \(title)\n")
        try #require(parts.count == 2, "README.md has not one section \"\(title)\"")
        return try #require(parts[1].components(separatedBy: "\n## ").first)
    }

    /// What is wrong with the page before anything is run.
    fileprivate var faults: [String] {
        let runs = blocks.contains { block in
            switch block.kind {
            case .run, .terminal, .stopped, .watchMachine, .session: true
            case .needs, .text: false
            }
        }
        return (runs ? [] : ["\(name) has no command that is run"])
            + strayCommands.map { "\(name): \"\($0)\" stands in no block that is run" }
    }
}

/// A person who reads a page and types what it says, on a machine on which nothing was done before.
private final class Reader {
    private let folder: TemporaryFolder
    private let other: TemporaryFolder
    private let replaced: [String: String]
    private let environment: [String: String]
    private(set) var terminals: [Program] = []

    init(broker: Broker) throws {
        (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
        let hubPort = "\(try freePort())"
        replaced = [
            "192.168.1.10": broker.host, "192.168.1.20": "127.0.0.1", "1883": "\(broker.port)", "7654": hubPort,
            "8080": "\(try freePort())",
        ]
        let programs = URL(filePath: Program.path).deletingLastPathComponent().path
        environment = [
            "PATH": "\(programs):\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")",
            "POOLSENSORS_HUB_LISTEN": "127.0.0.1:\(hubPort)",
        ]
    }

    /// Does what a page says, after what the pages say on which it builds.
    func follow(_ page: GuidePage) async throws {
        if let before = page.before { try await follow(try GuidePage(named: before)) }
        #expect(page.faults == [])
        for block in page.blocks {
            let text = block.lines.joined(separator: "\n")
            let place = "\(page.name):\(block.line)"
            switch block.kind {
            case .run: try await expectWell(text, home: folder, place)
            case .watchMachine: try await expectWell(text, home: other, place)
            case .stopped:
                await closeTerminals()
                try await expectWell(text, home: folder, place)
            case .terminal:
                for line in block.lines { try await openTerminal(line, place) }
            case .session:
                for step in block.steps { try await type(step, place) }
            case .needs, .text: break
            }
        }
    }

    /// Ends what runs in terminals.
    func closeTerminals() async {
        for program in terminals.reversed() {
            program.signal(SIGTERM)
            #expect(await program.ended() == .exited(0), "\(program.lines)")
        }
        terminals = []
    }

    /// Types a command that runs on, in a terminal of its own.
    func openTerminal(_ line: String, _ place: String = "before the page") async throws {
        let program = try start("exec \(line)", home: folder)
        #expect(await program.line { _ in true } != nil, "\(place): \(line) printed nothing")
        terminals.append(program)
    }

    private func expectWell(_ text: String, home: TemporaryFolder, _ place: String) async throws {
        let program = try start("set -e\n\(text)", home: home)
        let isWell = await program.ended() == .exited(0)
        // What follows builds on it.
        try #require(isWell, "\(place): \(program.lines.joined(separator: "\n"))")
    }

    /// Types a command until it prints what the page says: what it shows may be on its way.
    private func type(_ step: GuidePage.Step, _ place: String) async throws {
        let printed = step.printed.map(here)
        var lines: [String] = []
        for _ in 0..<20 {
            let program = try start(step.command, home: folder)
            // It has said all when nothing matched until its end.
            _ = await program.line { _ in false }
            _ = await program.ended()
            lines = program.lines
            if GuidePage.Step(command: step.command, printed: printed).missing(in: lines) == nil { return }
        }
        Issue.record("\(place): $ \(step.command) printed\n\(lines.joined(separator: "\n"))")
    }

    private func start(_ script: String, home: TemporaryFolder) throws -> Program {
        let text = "unset POOLSENSORS_STATE\ncd \(folder.path)\n\(here(script))"
        return try Program(["-c", text], in: home, environment: environment, program: "/bin/bash")
    }

    /// A text of the page, with the addresses that it has here: in one pass, as a port may contain another one's digits.
    private func here(_ text: String) -> String {
        text.replacing(/192\.168\.1\.[12]0|1883|7654|8080/) { match in replaced[String(match.output)] ?? "?" }
    }
}
