import CommandSupport
import Foundation
import ProgramFixture
import TestSupport
import Testing

@testable import poolsensors

/// Doses as a household logs them: at the hub and on a watch, with a link and without.
@Suite(.serialized, .timeLimit(.minutes(20))) struct DosesByHandTests: Household {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `a dose of an offline watch is at the hub once, with its author, and locks the advice`() async throws {
        // V21
        var hub = try await startHub()
        try await run("pool", "add", "--name", "Garden", "--volume", "48")
        let code = try #require(try await run("pair", "--name", "Wrist").first { $0.hasPrefix("psw2-poolsensors-") })
        try await run("watch", "pair", code, "--name", "Wrist")
        let watch = try Program(["watch", "--name", "Wrist", "--json"], in: folder)
        #expect(await watch.line { $0.contains(#""revision":"#) && !$0.contains(#""revision":null"#) } != nil)
        await end(watch, hub)

        let said = try await run("watch", "dose", "Garden", "hydrochloric-acid", "0.25L", "--note", "left side")
        #expect(said.first == "logged here, not yet at the hub: 250 mL hydrochloric acid in Garden")
        #expect(said.last?.contains("start `poolsensors watch --name Wrist`") == true, "\(said)")
        #expect(try await run("dose", "list") == ["No dose is logged."])

        hub = try await startHub()
        let brought = try Program(["watch", "--name", "Wrist", "--json"], in: folder)
        _ = try await hub.line(containing: "Garden: 250 mL hydrochloric acid, logged by watch Wrist")
        let now = try await run("watch", "dose", "Garden", "dichlor", "60g")
        #expect(now == ["logged here and at the hub: 60 g dichlor in Garden"])
        await end(brought)
        // The watch at rest has a link for this command only.
        try await run("watch", "dose", "Garden", "other", "1kg")
        _ = try await hub.line(containing: "Garden: 1 kg another product, logged by watch Wrist")

        let listed = try await run("dose", "list", "Garden")
        #expect(listed.count == 4 && listed.count { $0.contains("watch Wrist") } == 3, "\(listed)")
        #expect(listed.contains { $0.contains("left side") })
        await end(hub)

        // At rest it is the same log.
        #expect(try await run("dose", "list", "Garden").count == 4)
        let advice = try await run("advice")
        #expect(advice.contains { $0.hasPrefix("pH: no advice: no device of this pool measures pH") }, "\(advice)")
    }

    @Test func `what cannot be logged is said, with the way out`() async throws {
        try await run("pool", "add", "--name", "Garden")
        func refusal(_ arguments: String...) async throws -> (status: Int32, text: String) {
            let (end, lines) = try await Program.run(arguments, in: folder)
            guard case .exited(let status) = end else { throw CommandFailure("\(end)") }
            return (status, lines.last ?? "")
        }
        let unit = try await refusal("dose", "add", "Garden", "dichlor", "1L")
        #expect(unit.status == 1 && unit.text.contains("measured in g"))
        let amount = try await refusal("dose", "add", "Garden", "dichlor", "much")
        #expect(amount.status == 64 && amount.text.contains("150g"))
        let product = try await refusal("dose", "add", "Garden", "gold", "1g")
        #expect(product.status == 64 && product.text.contains("calcium-hypochlorite"))
        let pool = try await refusal("dose", "add", "Gardn", "dichlor", "1g")
        #expect(pool.status == 5 && pool.text.contains("Garden"))
        let future = try await refusal("dose", "add", "Garden", "dichlor", "1g", "--at", "2999-01-01T00:00:00Z")
        #expect(future.status == 1 && future.text.contains("in the future"))
        let gone = try await refusal("dose", "remove", "abcd", "--yes")
        #expect(gone.status == 5)
        let number = try await refusal("advice", "Garden", "--alkalinity", "5")
        #expect(number.status == 64 && number.text.contains("25.0…1000.0"))
        let device = try await refusal("forecast")
        #expect(device.status == 1 && device.text.contains("device add"))
        #expect(try await run("dose", "list") == ["No dose is logged."])
    }
}
