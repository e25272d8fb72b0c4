import Appliances
import Companion
import Foundation
import Peripherals
import Platform
import TarsApp
import TarsPhone
import TarsWatch
import TestSupport
import Testing
import Text
import WatchConnectivity
import WatchConnectivityTesting

/// A watch whose program somebody changed: the phone alone decides what it may do.
@Suite(.timeLimit(.minutes(20))) struct ForgedWatchTests {
    /// The app as the forged watch has it: every command needs nothing, and every watch may do all.
    private enum ForgedApp: CompanionApp {
        typealias View = HomeView
        typealias Command = WatchCommand
        typealias Reply = CommandStatus
        typealias Event = Ending
        typealias FileInfo = TarsApp.FileInfo

        static let name = TarsApp.name
        static let version = TarsApp.version
        static let firstGrants = Grants([TarsApp.actGrant])
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `A5 a watch that may only look changes no name and no shortcut, also not with an edit of before`()
        async throws
    {
        let household = try await Household(in: folder)
        let (home, host, lamp) = (household.home, household.host, household.lamp.id)
        let key = try Shortcut(id: .random(), name: "Bright", run: .action(lamp, .on))
        try await household.turning { try await home.edit { $0.define(key) } }
        try await household.wait { $0?.shortcuts == [key] }
        // Its edits are made while it may, and arrive when it may not.
        household.pair.links[0].cut()
        await household.pair.settle()
        try await household.rename(on: 0, to: "Mine")
        let other = try Shortcut(id: key.id, name: "Bright", run: .action(lamp, .off))
        try await household.turning { try await household.wrists[0].edit { $0.define(other) } }
        let id = try #require(await host.callers.first?.watch.id)
        try await household.turning { try await host.setGrants(Grants(), of: id) }
        household.pair.links[0].heal()
        #expect(
            await household.pair.settle(within: .seconds(600)) {
                household.wrists.allSatisfy { $0.shown.isInStep && $0.shown.lost.count == 2 }
            })
        #expect(await home.contents.appliances.map(\.name) == ["Lamp"])
        try await household.wait { $0?.shortcuts == [key] }
        let conflicts = await home.conflicts
        #expect(Set(conflicts.map(\.conflict.rule)) == ["readOnly"])

        // It cannot dismiss what was lost either; the phone can, and with the grant it may edit again.
        let lost = try #require(conflicts.first?.conflict.id)
        let records = household.pair.asDefault(.watch(0)) { WCSession.records }
        _ = try await household.turning { try? await records.settle(lost, restoring: false) }
        await household.pair.settle()
        #expect(await home.conflicts.count == 2)
        try await household.turning { try await home.settle(lost, restoring: false) }
        try await household.turning { try await host.setGrants(nil, of: id) }
        try await household.rename(on: 0, to: "Ours")
        try await household.wait { $0?.things.map(\.appliance.name) == ["Ours"] }
    }

    @Test func `A5 a forged watch without the grant is refused by the phone, whatever it says of itself`() async throws
    {
        let household = try await Household(in: folder, wrists: 1)
        let pair = household.pair
        let forged = try pair.asDefault(.watch(1)) {
            WatchHost(
                ForgedApp.self, store: try CompanionStore(MemoryStorage()),
                inbox: pair.folder.appending(path: "forged"))
        }
        let running = pair.asDefault(.watch(1)) { Task { _ = try? await forged.run() } }
        defer { running.cancel() }
        let views = Recorder<HomeView>()
        let reading = Task { for await case .view(let view) in forged.events { views.record(view) } }
        defer { reading.cancel() }
        #expect(await pair.settle(within: .seconds(600)) { !views.items.isEmpty })
        await household.home.handle(.broker(BrokerReach(isConnected: true, messagesExpire: true)))
        let (host, lamp) = (household.host, household.lamp)
        let id = try #require(await host.callers.last?.watch.id)
        try await household.turning { try await host.setGrants(Grants(), of: id) }

        let order = WatchCommand(
            .act(lamp.id, .on), until: Timestamp.now.advanced(byMilliseconds: 60_000), isConfirmed: true)
        let refusal = try await household.turning { await forged.send(order, CommandID(), within: .seconds(60)) }
        #expect(refusal == .refused("needs tars.actuate"))

        // Bytes of its own: it claims the grant, another caller, and that it was answered already.
        var body = try #require(
            try JSONSerialization.jsonObject(with: Data(try CanonicalJSON.encode(order))) as? [String: Any])
        body["grants"] = ["tars.actuate"]
        let bytes = try JSONSerialization.data(withJSONObject: body)
        let answers = Recorder<String>()
        for _ in 0..<3 {
            pair.asDefault(.watch(1)) {
                WCSession.default.sendMessage(
                    [
                        "k": "command", "v": 1, "b": bytes, "i": Data((0..<16).map { _ in UInt8.random(in: 0...255) }),
                        "x": Int64(4_102_444_800_000), "g": ["tars.actuate"], "watch": "watch-1",
                    ], replyHandler: { answers.record($0["k"] as? String ?? "?") },
                    errorHandler: { answers.record("\($0)") })
            }
        }
        #expect(await pair.settle(within: .seconds(600)) { answers.items.count == 3 })
        #expect(answers.items == ["refused", "refused", "refused"])
        #expect(household.published.items.isEmpty, "nothing may go out")
        #expect(await household.home.view(of: id).asked.isEmpty)

        // With the grant the same watch acts: the refusal came from the grant alone.
        try await household.turning { try await host.setGrants(nil, of: id) }
        let done = try await household.turning { await forged.send(order, CommandID(), within: .seconds(60)) }
        #expect(done == .done(.sent))
        #expect(household.published.items == ["cmnd/lamp/POWER"])
    }

    @Test func `T7 a change at a device of another maker shows on the phone and on both watches`() async throws {
        let household = try await Household(in: folder)
        let home = household.home
        await home.handle(.broker(BrokerReach(isConnected: true, messagesExpire: true)))
        try await household.wait { $0?.things.first?.state == nil }
        for (word, state) in [("ON", "on"), ("OFF", "off")] {
            await home.handle(.message(topic: "stat/lamp/POWER", payload: Array(word.utf8), isRetained: false))
            #expect(await home.view(of: nil).things.first?.state == state)
            try await household.wait { $0?.things.first?.state == state }
        }
        #expect(household.published.items.isEmpty, "nobody asked for anything")
    }
}
