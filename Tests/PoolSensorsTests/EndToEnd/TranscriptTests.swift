import Foundation
import Testing

@testable import poolsensors

/// What commands print and how they end, as a person would type them one after the other.
///
/// `Fixtures/transcripts` holds the sessions: a line with `$` is typed, what follows is printed, and `=` is how it ended.
/// Names that differ from run to run stand in braces. BLESS=1 in the environment writes the files anew.
@Suite(.timeLimit(.minutes(20))) struct TranscriptTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `commands where no hub runs say what they said`() async throws {
        try await expectSame("hub-at-rest.txt")
    }

    @Test func `commands beside a hub that runs say what they said`() async throws {
        let hub = try Program(["hub", "--plain", "--listen", "ipc://\(folder.path("hub.ipc"))"], in: folder)
        _ = try await hub.line(containing: "no watch yet")
        try await expectSame("hub-running.txt")
        hub.signal(SIGTERM)
        #expect(await hub.ended() == .exited(0))
    }

    @Test func `commands of a watch say what they said`() async throws {
        try await expectSame("watch.txt")
    }

    private func expectSame(_ name: String) async throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Fixtures/transcripts/\(name)").standardizedFileURL
        let kept = try String(contentsOf: file, encoding: .utf8)
        let lines = kept.split(separator: "\n", omittingEmptySubsequences: false)
        var found = lines.prefix { !$0.hasPrefix("$ ") }.map(String.init)
        var names = Names(folder: folder.url.path)
        for line in lines where line.hasPrefix("$ ") {
            let typed = String(line.dropFirst(2))
            let words = CommandLineTests.words(
                typed.replacing("{folder}", with: folder.url.path).replacing("{code}", with: names.code))
            let (end, printed) = try await Program.run(words, in: folder)
            found.append("$ \(typed)")
            found += printed.map { names.replaced(in: $0) }
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

    /// What differs from run to run and between machines: folders, identities, times, sizes, and with them the columns.
    private struct Names {
        let folder: String
        /// The last invitation.
        private(set) var code = ""
        private var numbers: [String: Int] = [:]

        init(folder: String) {
            self.folder = folder
        }

        mutating func replaced(in line: String) -> String {
            if let found = line.firstMatch(of: /psw2-\S{60,}/) { code = String(found.output) }
            var line = code.isEmpty ? line : line.replacing(code, with: "{code}")
            line.replace(folder, with: "{folder}")
            for match in line.matches(of: /\b[0-9a-f]{8}(-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})?\b/)
                .reversed()
            {
                let id = String(match.output.0.prefix(8))
                let number = numbers[id] ?? numbers.count + 1
                numbers[id] = number
                line.replaceSubrange(match.range, with: "{id \(number)}")
            }
            line.replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?Z?/, with: "{time}")
            line.replace(/\b\d\d:\d\d(:\d\d)?\b/, with: "{time}")
            line.replace(/\d{8}T\d{6}Z/, with: "{time}")
            line.replace(/process \d+/, with: "process {number}")
            line.replace(/\d+ kB/, with: "{size}")
            line.replace(/(ByteCount" : )\d{4,}/, with: { "\($0.output.1){size}" })
            line.replace("  \(NSUserName())", with: "  {user}")
            line.replace("\"\(NSUserName())\"", with: "\"{user}\"")
            // A column is as wide as what was in it.
            line.replace(/(\S) {2,}/, with: { "\($0.output.1)  " })
            return line
        }
    }
}
