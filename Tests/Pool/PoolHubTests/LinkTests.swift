import Logging
import PoolControl
import PoolHub
import PoolModel
import Service
import SyncCore
import SyncTransport
import TestSupport
import Testing
import ZeroMQ

/// Links with injected faults, between a hub and a watch in this process.
@Suite struct LinkTests {
    private func draft(_ edit: (inout LinkPatch) -> Void) -> LinkPatch {
        var draft = LinkPatch()
        edit(&draft)
        return draft
    }

    private func set(_ hub: TestHub, _ edit: (inout LinkPatch) -> Void) async throws -> HubReply {
        try await hub.perform(.links(.set(watch: try await link(hub).id, draft(edit))))
    }

    private func link(_ hub: TestHub, _ name: String = "Wrist") async throws -> WatchConnection {
        guard case .links(let links) = try await hub.perform(.links(.show)) else { throw NotRunning() }
        return try #require(links.first { $0.name == name })
    }

    @Test func `a cut link loses everything until it is whole again`() async throws {
        let hub = TestHub(try TestHubFolder())
        try await hub.start()
        let watch = try await PlainWatch(hub, name: "Wrist")
        await hub.events.wait { $0.contains { $0.isLinked("Wrist") } }

        let answer = try await set(hub) { $0.cutSeconds = 3600 }
        guard case .done("link of Wrist: cut") = answer else {
            Issue.record("answered \(answer)")
            return
        }
        await hub.events.wait { $0.contains { $0.isUnlinked("Wrist") } }
        let cut = try await link(hub)
        #expect(cut.isLinked == false)
        #expect(cut.disturbance?.cutUntil != nil)
        let lost = try #require(cut.linkCounts).lostInCuts
        #expect(lost > 0)
        #expect(lost == cut.linkCounts?.messages)
        #expect(try await hub.report().watches.first?.linkCounts?.lostInCuts ?? 0 >= lost)

        let count = hub.events.items.count
        _ = try await hub.perform(.links(.clear(watch: nil)))
        await hub.events.wait { $0.dropFirst(count).contains { $0.isLinked("Wrist") } }
        #expect(try await link(hub).disturbance == nil)
        try await watch.stop()
        try await hub.stop()
    }

    @Test func `a dropped message is gone, and only the links that are named are disturbed`() async throws {
        let hub = TestHub(try TestHubFolder())
        try await hub.start()
        let (wrist, kitchen) = (try await PlainWatch(hub, name: "Wrist"), try await PlainWatch(hub, name: "Kitchen"))
        await hub.events.wait { events in
            ["Wrist", "Kitchen"].allSatisfy { name in events.contains { $0.isLinked(name) } }
        }

        _ = try await set(hub) { $0.drop = 1 }
        await hub.events.wait { $0.contains { $0.isUnlinked("Wrist") } }

        let counts = try #require(try await link(hub).linkCounts)
        #expect(counts.dropped > 0)
        #expect(counts.dropped == counts.messages)
        #expect(try await link(hub, "Kitchen").linkCounts == nil)
        #expect(try await link(hub, "Kitchen").disturbance == nil)
        #expect(try await link(hub).disturbance?.drop == 1)
        #expect(try await link(hub, "Kitchen").isLinked == true)
        try await wrist.stop()
        try await kitchen.stop()
        try await hub.stop()
    }

    @Test func `what a draft does not name stays as it is`() async throws {
        let hub = TestHub(try TestHubFolder())
        try await hub.start()
        let watch = try await PlainWatch(hub, name: "Wrist")
        _ = try await set(hub) { $0.drop = 0.1 }
        let answer = try await set(hub) { $0.delayMilliseconds = 200 }
        guard case .done("link of Wrist: drop 10 %, delay up to 200 ms") = answer else {
            Issue.record("answered \(answer)")
            return
        }
        let disturbance = try await link(hub).disturbance
        #expect(disturbance?.drop == 0.1)
        #expect(disturbance?.delayMilliseconds == 200)
        try await watch.stop()
        try await hub.stop()
    }

    @Test func `what no link can do is declined with the value and the way out`() async throws {
        let hub = TestHub(try TestHubFolder())
        try await hub.start()
        let drafts = [
            draft { $0.drop = 1.5 }, draft { $0.delayMilliseconds = 60_001 }, draft { $0.cutSeconds = 604_801 },
        ]
        let stranger = WatchID(bytes: [UInt8](repeating: 7, count: 32))
        for (draft, words) in zip(drafts, ["150.0 %", "60001 ms", "604801 s"]) {
            let error = await #expect(throws: (any Error).self) {
                try await hub.perform(.links(.set(watch: stranger, draft)))
            }
            #expect(error.map { "\($0)" }?.contains(words) == true)
        }
        let unknown = await #expect(throws: (any Error).self) {
            try await hub.perform(.links(.clear(watch: stranger)))
        }
        #expect(unknown.map { "\($0)" }?.contains("the watch 07070707 is not paired any more") == true)
        try await hub.stop()
        await #expect(throws: ServiceFailure.self) {
            try await HubClient.perform(.links(.show), path: hub.folder.path)
        }
    }
}

/// A watch that follows the hub and makes no edits.
final class PlainWatch: Sendable {
    let key: PeerKey
    let transport: WatchTransport
    private let task: Task<Void, any Error>

    private struct Forgetful: WatchStorage {
        func write(_ record: WatchEngine.Record) throws {}
    }

    init(_ hub: TestHub, name: String) async throws {
        guard case .invitation(let text, _) = try await hub.perform(.invite(name: name, validForSeconds: 3600)) else {
            throw NotRunning()
        }
        let code = try InvitationCode(text)
        let keys = try CurveKeyPair()
        _ = try await PairingTransport.pair(
            code, as: keys.publicKey, name: name, app: "poolsensors", patience: .seconds(600))
        let transport = WatchTransport(
            configuration: .init(
                endpoint: code.endpoint, hubKey: code.hubKey, keys: keys,
                engine: .init(name: name, app: "poolsensors", schemaVersions: 1...1, node: keys.publicKey.peerKey.node)),
            state: WatchEngine.State(newIncarnation: RandomID(high: 1, low: 2)), storage: Forgetful(),
            logger: Logger(label: "watch")
        ) { _ in }
        key = keys.publicKey.peerKey
        self.transport = transport
        task = Task { try await transport.run() }
    }

    func stop() async throws {
        task.cancel()
        try await task.value
    }
}

extension HubEvent {
    func isLinked(_ name: String) -> Bool {
        guard case .linked(name) = self else { return false }
        return true
    }

    func isUnlinked(_ name: String) -> Bool {
        guard case .unlinked(name, _) = self else { return false }
        return true
    }
}
