import Foundation
import SyncSimulation
import TestSupport
import Testing

/// The scenarios that ship as documentation, in virtual time.
@Suite(.longWork) struct ScenarioTests {
    private static let folder = Repository.url("Fixtures/scenarios")

    private static func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".scenario") }.sorted()
    }

    private func run(_ text: String, seed: UInt64 = 1) async throws -> ScenarioReport {
        var runner = ScenarioRunner(backend: SimulatedBackend(seed: seed))
        return try await runner.run(try ScenarioParser.scenario(text, file: "a.scenario"))
    }

    @Test func `a dozen scenarios ship`() throws {
        #expect(try Self.names().count >= 12)
    }

    @Test(arguments: try ScenarioTests.names())
    func `it goes as it is written, whatever the ids are`(name: String) async throws {
        let text = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
        let scenario = try ScenarioParser.scenario(text, file: name)
        #expect(!scenario.purpose.isEmpty)
        for seed: UInt64 in 1...3 {
            var runner = ScenarioRunner(backend: SimulatedBackend(seed: seed))
            let report = try await runner.run(scenario)
            #expect(report.failure == nil, "\(report.failureText ?? "")")
            #expect(report.stepCount == scenario.steps.count)
        }
    }

    @Test func `a wrong expectation fails with what is seen`() async throws {
        let text = "watch Anna\npair Anna\nhub sets a.name = \"x\"\nwithin 5s Anna shows a.name = \"y\""
        let report = try await run(text)
        #expect(report.failureText == "a.scenario:4: within 5s Anna shows a.name = \"y\": Anna shows \"x\"")
    }

    @Test func `an expectation without a time must hold at once`() async throws {
        let report = try await run("watch Anna\npair Anna\nhub sets a.name = \"x\"\nexpect Anna shows a.name = \"x\"")
        #expect(report.failure?.reason == "Anna shows nothing")
    }

    @Test func `what a device cannot do fails the step`() async throws {
        #expect(try await run("watch Anna\nstart Anna").failure?.reason == "Anna is not paired")
        #expect(try await run("kill hub\nhub sets a.name = \"x\"").failure?.reason == "hub does not run")
        #expect(try await run("hub deletes a").failure?.reason == "hub shows no a to delete")
        #expect(try await run("hub restores a.name").failure?.reason == "hub knows no open conflict on a.name")
    }

    @Test func `a question has the outcome that is written`() async throws {
        let text = "watch Anna\npair Anna\nwithin 9s Anna is linked\nhub asks Anna \"q\", not reachable"
        #expect(try await run(text).failure?.line == 4)
    }

    @Test func `what is cut does not arrive`() async throws {
        let text = "watch Anna\npair Anna\nwithin 9s Anna is linked\ncut hub to Anna\nhub sets a.name = \"x\""
        #expect(try await run(text + "\nwithin 1m Anna shows a.name = \"x\"").failure?.line == 6)
        #expect(try await run(text + "\nheal Anna\nwithin 1m Anna shows a.name = \"x\"").failure == nil)
    }

    @Test func `what dies before it is stored is not there`() async throws {
        let text = """
            watch Anna
            pair Anna
            back up Anna as before
            cut Anna
            Anna sets a.name = "x"
            restore Anna from before
            expect Anna shows no a.name
            """
        #expect(try await run(text).failure == nil)
    }
}
