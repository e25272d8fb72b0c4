import CommandSupport
import Foundation
import PoolModel
import TerminalUI
import TestSupport
import Testing

@testable import poolsensors

/// The exit codes: one table in the code, and the same one in the guide.
@Suite struct ExitStatusTests {
    @Test func `the page about scripting has the table of the code, and no other page has one`() throws {
        let guide = Repository.url("Docs/guide")
        let page = try String(contentsOf: guide.appending(path: "scripting.md"), encoding: .utf8)
        let rows = page.split(separator: "\n").filter { $0.wholeMatch(of: /\| \d+ \| .* \|/) != nil }.map(String.init)

        #expect(rows == ExitStatus.meanings.map { "| \($0.status.rawValue) | \($0.meaning) |" })
        for other in try FileManager.default.contentsOfDirectory(atPath: guide.path) where other != "scripting.md" {
            let text = try String(contentsOf: guide.appending(path: other), encoding: .utf8)
            #expect(!text.contains("| 69 |") && !text.contains("| 64 |"), "\(other)")
        }
    }

    @Test func `status and a watch that looks once end with the same codes`() {
        let expected: [(Headline, ExitStatus)] = [
            (.judged(.normal), .success), (.judged(.warning), .warning), (.judged(.critical), .critical),
            (.judged(.offline), .notFresh), (.partlyStale, .notFresh), (.stale, .notFresh), (.offline, .notFresh),
            (.lastKnown, .notFresh), (.noReading, .notFresh), (.noDevice, .notFresh), (.waiting, .notFresh),
            (.connecting, .notFresh), (.linkLost, .notFresh), (.refused, .notFresh), (.unpaired, .noHub),
        ]
        for (headline, status) in expected { #expect(ExitStatus(headline) == status, "\(headline)") }
    }

    @Test func `a signal that ends a screen has the code that shells use`() {
        #expect(TerminationSignal.hangup.exitStatus == ExitStatus.hangUp.rawValue)
        #expect(TerminationSignal.interrupt.exitStatus == ExitStatus.interrupted.rawValue)
        #expect(TerminationSignal.terminate.exitStatus == ExitStatus.terminated.rawValue)
    }

    @Test func `what is not found has a code of its own`() {
        #expect(CommandFailure(ConfigurationError.notFound(.device, "Nope", known: [])).exitStatus == .notFound)
        #expect(CommandFailure(AlertMatchError.notFound("7", count: 0)).exitStatus == .notFound)
        #expect(CommandFailure(ConflictNameError.notFound("7", openCount: 0)).exitStatus == .notFound)
        #expect(CommandFailure(ConfigurationError.nameEmpty(.device)).exitStatus == .failure)
        let kept = CommandFailure(CommandFailure("no hub", exitStatus: .noHub))
        #expect(kept.exitStatus == .noHub && kept.description == "no hub")
    }
}
