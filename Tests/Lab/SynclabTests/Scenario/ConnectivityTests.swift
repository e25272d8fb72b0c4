import CommandSupport
import Foundation
import ProgramFixture
import SyncSimulation
import TestSupport
import Testing

@testable import synclab

/// Steps on a phone and watches whose apps use WatchConnectivity, in virtual time and on processes.
@Suite(.serialized) struct ConnectivityTests {
    private static let folder = Repository.url("Fixtures/scenarios")

    private func deliveries(
        of scenario: ConnectivityScenario, on backend: some ConnectivityBackend
    ) async throws -> [[String]] {
        try await ConnectivityCommand.carryOut(scenario, on: backend)
        var found: [[String]] = []
        for device in [.phone] + (0..<scenario.watchCount).map({ ConnectivityDevice.watch($0) }) {
            found.append(try await backend.calls(of: device).filter { $0.hasPrefix("didReceive") })
        }
        return found
    }

    @Test(arguments: ["two-sessions", "another-watch"])
    func `the same steps lead to the same deliveries in virtual time and between processes`(name: String) async throws {
        let scenario = try ConnectivityCommand.scenario(path: Self.folder.appending(path: "\(name).steps").path)
        let virtual = try await deliveries(of: scenario, on: PairBackend(watchCount: scenario.watchCount))
        #expect(virtual.contains { $0.count > 1 })

        try await ConnectivityCommand.withFolder { folder in
            let apps = try AppsBackend(
                folder: folder, phone: nil, watches: Array(repeating: nil, count: scenario.watchCount),
                laboratory: Program.laboratory)
            do {
                try await apps.begin()
                #expect(try await deliveries(of: scenario, on: apps) == virtual)
            } catch {
                Issue.record("\(error)\n\(await apps.trace())")
            }
            await apps.end()
        }
    }

    @Test func `the command prints the timeline, and tells which step fails`() async throws {
        let folder = try TemporaryFolder()
        let steps = "watch sends user info \"a\"\nexpect phone got 1 user info\nexpect phone got 2 user info\n"
        try Data(steps.utf8).write(to: folder.url.appending(path: "a.steps"))

        let (end, lines) = try await Program.run(
            ["connectivity", folder.path("a.steps")], in: folder, program: Program.laboratory)

        #expect(end == .exited(1))
        #expect(lines.contains { $0.contains("phone    call    didReceiveUserInfo") })
        #expect(
            lines.last?.hasSuffix("line 3: expect phone got 2 user info: phone got 1 user info, not 2") == true,
            "\(lines.last ?? "")")
    }

    @Test(arguments: [
        ("phone sends info \"a\"", "\"info\""), ("cut phone", "\"phone\""), ("within 3 got", "\"got\""),
        ("watch17 sends message \"a\"", "\"watch17\""), ("switch watch", "\"switch\""), ("wait long", "\"long\""),
        ("kill watch now", "\"now\""),
    ])
    func `a step that cannot be understood is an error with its line and word`(line: String, word: String) {
        #expect {
            try ConnectivityScenario("wait 1s\n# a comment\n\(line)\n", file: "a.steps")
        } throws: { error in
            "\(error)".hasPrefix("a.steps:3: \(word) does not fit: expected ")
        }
    }

    @Test func `programs of a person are given for both sides`() async throws {
        let folder = try TemporaryFolder()
        let (end, _) = try await Program.run(
            ["connectivity", "--phone", "/bin/true", "-"], in: folder, program: Program.laboratory)
        #expect(end == .exited(64))
    }
}
