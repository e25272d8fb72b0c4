import CommandSupport
import Foundation
import TestSupport
import Testing

@testable import synclab

/// That a node which ends by itself, or does not answer, is never taken for one that was ended or declined.
@Suite struct NodeLossTests {
    private static let ended = "the process of hub ended with status 3, though it was not asked to end"

    /// The loss that is told of when something is done to a fleet, nil if none is.
    private func loss(
        in fleet: inout NodeFleet, _ action: (inout NodeFleet) async throws -> Void
    ) async throws -> String? {
        do {
            try await action(&fleet)
            return nil
        } catch let loss as NodeLoss {
            return loss.description
        }
    }

    /// A fleet of scripted nodes.
    private func fleet(_ script: String, in folder: TemporaryFolder) async throws -> NodeFleet {
        NodeFleet(folder: folder.url.path, program: try await ScriptedNode.make(script, in: folder))
    }

    @Test func `a node that ends by itself is lost, also for who kills it afterwards`() async throws {
        let folder = try TemporaryFolder()
        var nodes = try await fleet("\(ScriptedNode.ready); read -r order; exit 3", in: folder)
        try await nodes.start("hub")

        let told = try await loss(in: &nodes) { try await $0.process(of: "hub").tell(NodeOrder(.look)) }
        let copied = try await loss(in: &nodes) { try await $0.backUp("hub", as: "yesterday") }
        let rest = await nodes.killAll()

        #expect(told == Self.ended)
        #expect(copied == Self.ended)
        #expect(rest.isEmpty && nodes["hub"].process == nil)
    }

    @Test func `a node that another one killed is lost, one that was killed here is not`() async throws {
        let folder = try TemporaryFolder()
        let death = "read -r order; [ \"$2\" = hub ] && kill -KILL $$; read -r order"
        var nodes = try await fleet("\(ScriptedNode.ready); \(death)", in: folder)
        try await nodes.start("hub")
        try await nodes.start("watch1")

        let told = try await loss(in: &nodes) { try await $0.process(of: "hub").tell(NodeOrder(.look)) }
        let losses = await nodes.killAll()

        let expected = "the process of hub was ended by signal 9, though it was not asked to end"
        #expect(told == expected)
        #expect(losses.map(\.description) == [expected])
    }

    @Test func `a node that ends before it is ready is lost`() async throws {
        let folder = try TemporaryFolder()
        var nodes = try await fleet("exit 3", in: folder)

        let started = try await loss(in: &nodes) { try await $0.start("hub") }

        #expect(started == Self.ended)
        #expect(nodes["hub"].process == nil)
    }

    @Test func `a node that never answers is lost`() async throws {
        let folder = try TemporaryFolder()
        let program = try await ScriptedNode.make("while read -r order; do :; done", in: folder)
        let node = try NodeProcess(name: "hub", program: program, [], patience: .milliseconds(20))

        let start = await #expect(throws: NodeLoss.self) { try await node.ready() }
        let look = await #expect(throws: NodeLoss.self) { try await node.tell(NodeOrder(.look)) }
        let end = await node.kill()

        #expect(start?.description == "the process of hub has not answered to \"start\" for 20ms")
        #expect(look?.description == "the process of hub has not answered to \"look\" for 20ms")
        #expect(end == nil)
    }

    @Test func `what a node declines is no loss`() async throws {
        let folder = try TemporaryFolder()
        let answer = "echo '{\"id\":1,\"failure\":\"declined: full\"}'"
        let program = try await ScriptedNode.make("read -r order; \(answer); read -r order", in: folder)
        let node = try NodeProcess(name: "hub", program: program, [])

        let failure = await #expect(throws: CommandFailure.self) { try await node.tell(NodeOrder(.look)) }
        let end = await node.kill()

        #expect(failure?.description == "hub: declined: full")
        #expect(end == nil)
    }
}
