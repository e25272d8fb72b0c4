import BrokerFixture
import CommandSupport
import Foundation
import PoolModel
import ProgramFixture
import TestSupport
import Testing

@testable import poolsensors

/// The first steps of a new user with a running hub, up to a calibrated device.
@Suite(.serialized, .timeLimit(.minutes(20))) struct NewcomerTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(_ arguments: String...) async throws -> (end: ChildProcess.End, text: String) {
        let (end, lines) = try await Program.run(arguments, in: folder)
        return (end, lines.joined(separator: "\n"))
    }

    @Test func `a device is detected, added, shown, calibrated, and its water is computed`() async throws {
        let broker = try await Broker.start()
        let hub = try Program(["hub", "--listen", "ipc://\(folder.path("hub.ipc"))"], in: folder)
        _ = try await hub.line(containing: "listening on ")
        _ = try await run("server", "add", "--name", "Garden", "--host", broker.host, "--port", "\(broker.port)")
        let probe = try Program(
            [
                "probe", "--server", "\(broker.host):\(broker.port)", "--topic", "attic/water", "--interval", "1",
                "--json",
            ],
            in: folder)

        let found = try await run("device", "detect", "--for", "4s")
        #expect(found.end == .exited(0))
        #expect(found.text.contains("topic attic/water") && found.text.contains("Nothing was added."))
        #expect(try await run("device", "list").text.contains("There is no device yet"))
        let none = try await run("device", "detect", "--last", "--add", "9", "--yes")
        #expect(none.end == .exited(1) && none.text.contains("there is no proposal 9"))
        let unanswered = try await run("device", "detect", "--last", "--add", "1")
        #expect(unanswered.end == .exited(1) && unanswered.text.contains("give --yes"))
        let added = try await run("device", "detect", "--last", "--add", "1", "--name", "Lagoon", "--yes")
        #expect(added.text.contains("added device Lagoon on attic/water"))
        // A long interval, so that the values are still fresh on a slow machine.
        _ = try await run("device", "edit", "Lagoon", "--interval", "1h")
        _ = try await hub.line(containing: "Lagoon: ")

        let status = try await run("status")
        #expect([0, 2, 3].contains { status.end == .exited($0) } && status.text.contains("Lagoon  "))
        #expect(try await run("chemistry", "Lagoon").text.contains("Hypochlorous acid"))
        let calibrated = try await run("calibrate", "add", "Lagoon", "orp", "--offset", "-100")
        #expect(calibrated.text.contains("Raw ") && calibrated.text.contains("so far"))
        var shown = try await correctedAndRaw()
        // The calibration is valid from now on; values that were sampled before are not corrected.
        try await poll("a corrected value") {
            shown = try await correctedAndRaw()
            return shown.value != shown.raw
        }
        #expect(abs(shown.raw - 100 - shown.value) < 1e-6)

        for program in [probe, hub] {
            program.signal(SIGTERM)
            #expect(await program.ended() == .exited(0))
        }
    }

    private func correctedAndRaw() async throws -> (value: Double, raw: Double) {
        struct Sheet: Decodable {
            struct Value: Decodable {
                var value: Double
                var raw: Double
            }

            var values: QuantityMap<Value>
        }
        let json = try await run("device", "show", "Lagoon", "--json").text
        let sheet = try JSONDecoder().decode(Sheet.self, from: Data(json.utf8))
        let orp = try #require(sheet.values[.orp])
        return (orp.value, orp.raw)
    }
}
