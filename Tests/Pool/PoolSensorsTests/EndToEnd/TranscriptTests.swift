import BrokerFixture
import CommandSupport
import Foundation
import ProgramFixture
import TestSupport
import Testing

@testable import poolsensors

/// The output and the exit status of commands, as a user types them one after the other.
///
/// `Fixtures/transcripts` contains the sessions: a line with `$` is typed, the next lines are printed, and `=` is the
/// exit status. Values that differ from run to run are in braces. BLESS=1 in the environment rewrites the files.
///
/// While no hub runs, a command is killed if it opens a socket, because it must use only the data on the disk. Commands
/// that need a connection are in ``connecting``. This is only checked on Linux.
@Suite(.timeLimit(.minutes(20))) struct TranscriptTests: Household {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The commands that need a connection, with or without a hub.
    private static let connecting = ["server test ", "server add --name Dead ", "server edit Home --port 2"]

    @Test func `commands where no hub runs say what they said, and open no socket`() async throws {
        try await expectSame("hub-at-rest.txt", mayOpenSockets: false)
    }

    #if os(Linux)
        @Test func `a command that opens a socket where it may not is killed`() async throws {
            let connects = ["probe", "--server", "127.0.0.1:1", "--count", "1"]
            let listens = ["hub", "--listen", "ipc://\(folder.path("hub.ipc"))"]
            for arguments in [connects, listens] {
                #expect(
                    try await Program.run(arguments, in: folder, mayOpenSockets: false).end == .signalled(SIGSYS),
                    "\(arguments)")
            }
        }
    #endif

    @Test func `commands beside a hub that runs say what they said`() async throws {
        let hub = try Program(["hub", "--plain", "--listen", "ipc://\(folder.path("hub.ipc"))"], in: folder)
        _ = try await hub.line(containing: "no watch yet")
        try await expectSame("hub-running.txt")
        hub.signal(SIGTERM)
        #expect(await hub.ended() == .exited(0))
    }

    @Test func `commands of a watch that has no hub say what they said, and open no socket`() async throws {
        try await expectSame("watch.txt", mayOpenSockets: false)
    }

    @Test func `what a watch shows once and changes beside its hub, and without it, says what it said`() async throws {
        let broker = try await Broker.start()
        let start = { try Program(["hub", "--plain", "--listen", "ipc://\(folder.path("hub.ipc"))"], in: folder) }
        var hub = try start()
        _ = try await hub.line(containing: "no watch yet")
        let port = "\(broker.port)"
        try await expectSame("watch-hub-configured.txt", port: port)
        try await publish([#"{"temperature":25.5,"ph":7.2,"chlorine":1.5,"orp":702}"#], to: broker)
        try await expectSame("watch-beside-hub.txt", port: port)
        hub.signal(SIGTERM)
        #expect(await hub.ended() == .exited(0))
        try await expectSame("watch-without-hub.txt", port: port)
        hub = try start()
        _ = try await hub.line(containing: "listening on ")
        // The hub's receipt may come before or after the first answer ends the command.
        try await poll("the hub's receipt for what the watch changed") {
            _ = try await Program.run(["watch", "--once", "--device", "Tub", "--name", "Kitchen"], in: folder)
            return try await Program.run(["watch", "pending", "--name", "Kitchen"], in: folder).lines
                == ["Nothing waits for the hub."]
        }
        try await expectSame("watch-hub-again.txt", port: port)
        hub.signal(SIGTERM)
        #expect(await hub.ended() == .exited(0))
        await broker.stop()
    }

    private func expectSame(_ name: String, mayOpenSockets: Bool = true, port: String = "{port}") async throws {
        let file = Repository.url("Fixtures/transcripts/\(name)")
        let kept = try String(contentsOf: file, encoding: .utf8)
        let lines = kept.split(separator: "\n", omittingEmptySubsequences: false)
        var found = lines.prefix { !$0.hasPrefix("$ ") }.map(String.init)
        var names = Names(folder: folder.url.path, port: port)
        for line in lines where line.hasPrefix("$ ") {
            let typed = String(line.dropFirst(2))
            let words = PageCommands.words(
                typed.replacing("{folder}", with: folder.url.path).replacing("{code}", with: names.code)
                    .replacing("{port}", with: port))
            let (end, printed) = try await Program.run(
                words, in: folder,
                mayOpenSockets: mayOpenSockets || Self.connecting.contains { typed.hasPrefix($0) })
            found.append("$ \(typed)")
            // The addresses of the machine.
            let kept = printed.filter { line in
                !["  poolsensors hub --listen ", "For one on another machine"].contains(where: line.hasPrefix)
            }
            found += kept.map { names.replaced(in: $0) }
            found += ["= \(end)", ""]
        }
        if ProcessInfo.processInfo.environment["BLESS"] == "1" {
            try found.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
        }
        for (number, pair) in zip(lines, found).enumerated() where pair.0 != pair.1 {
            Issue.record("\(name):\(number + 1) was\n\(pair.0)\nand is now\n\(pair.1)\nBLESS=1 accepts it")
            return
        }
        #expect(lines.count == found.count, "\(name)")
    }

    /// Values that differ between runs or machines: folders, identities, times, sizes, and therefore the columns.
    private struct Names {
        let folder: String
        /// The port of the broker.
        let port: String
        /// The latest invitation.
        private(set) var code = ""
        private var numbers: [String: Int] = [:]

        init(folder: String, port: String) {
            self.folder = folder
            self.port = port
        }

        mutating func replaced(in line: String) -> String {
            if let found = line.firstMatch(of: /psw2-\S{60,}/) { code = String(found.output) }
            var line = code.isEmpty ? line : line.replacing(code, with: "{code}")
            line.replace(folder, with: "{folder}")
            line.replace(":\(port)", with: ":{port}")
            line.replace(/"[0-9a-f]{32}"/, with: "\"{id}\"")
            for match in line.matches(of: /\b[0-9a-f]{8}(-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})?\b/)
                .reversed()
            {
                let id = String(match.output.0.prefix(8))
                let number = numbers[id] ?? numbers.count + 1
                numbers[id] = number
                line.replaceSubrange(match.range, with: "{id \(number)}")
            }
            line.replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?/, with: "{time}")
            line.replace(/\b\d\d:\d\d(:\d\d)?\b/, with: "{time}")
            line.replace(/\d{8}T\d{6}Z/, with: "{time}")
            line.replace(/\b\d{13}\b/, with: "{time}")
            line.replace(/\b\d+ (s|min) (ago|old)/, with: { "{age} \($0.output.2)" })
            line.replace(/· \d+ (s|min)\b/, with: "· {age}")
            // The last day, in parts, the last of which may just have ended.
            line.replace(/"history":\[[^\]]*\d[^\]]*\]/, with: "\"history\":{history}")
            line.replace(/("ageSeconds" ?: ?)\d+/, with: { "\($0.output.1){age}" })
            line.replace(/process \d+/, with: "process {number}")
            line.replace(/\d+ kB/, with: "{size}")
            line.replace(/(ByteCount" : )\d{4,}/, with: { "\($0.output.1){size}" })
            line.replace("  \(NSUserName())", with: "  {user}")
            line.replace("\"\(NSUserName())\"", with: "\"{user}\"")
            // A column is as wide as its longest original text.
            line.replace(/(\S) {2,}/, with: { "\($0.output.1)  " })
            return line
        }
    }
}
