import Appliances
import Companion
import Foundation
import TarsApp
import TarsPhone
import TarsWatch
import TestSupport
import Testing
import WatchConnectivity
import WatchConnectivityTesting

/// A phone with a lamp at a broker, and two watches, in virtual time.
final class Household: Sendable {
    let pair: TestPair
    let home: Home
    let host: PhoneHost<Home>
    /// The watches that are not the test's own.
    let wrists: [Wrist]
    let lamp: Appliance
    /// The topics to which something was published.
    let published = Recorder<String>()
    private let tasks: [Task<Void, any Error>]

    init(in folder: TemporaryFolder, wrists count: Int = 2) async throws {
        let store = try CompanionStore(MemoryStorage())
        pair = try TestPair(
            watches: 2, watch: SessionBehaviour().forCompanions, records: HomeRecords.rules,
            recordPermission: store.recordPermission(TarsApp.self))
        let pair = pair
        lamp = try Appliance(
            id: Appliance.ID(high: 1, low: 2), name: "Lamp", room: "Hall", kind: .light,
            abilities: [.onOff, .toggle], dialect: .tasmota)
        try FileManager.default.createDirectory(atPath: folder.path("phone"), withIntermediateDirectories: true)
        home = try pair.asDefault(.phone) {
            try Home(try HomeFile(folder: folder.path("phone")), records: WCSession.records, seed: 1)
        }
        let (home, lamp) = (home, lamp)
        host = PhoneHost(
            home, store: store, inbox: pair.folder.appending(path: "inbox"))
        let host = host
        var ways = Home.Ways()
        ways.publish = { [published] topic, _, _, _ in published.record(topic) }
        ways.show = { Task { await host.viewsChanged() } }
        await home.connect(ways)
        var tasks = [pair.asDefault(.phone) { Task { try await host.run() } }]
        let records = pair.asDefault(.phone) { WCSession.records }
        tasks.append(Task { for await _ in records.changes { await home.recordsChanged() } })
        wrists = try (0..<count).map { number in
            try pair.asDefault(.watch(number)) {
                Wrist(
                    WatchHost(
                        TarsApp.self, store: try CompanionStore(MemoryStorage()),
                        inbox: pair.folder.appending(path: "inbox-\(number)")), records: WCSession.records)
            }
        }
        for (number, wrist) in wrists.enumerated() {
            tasks.append(pair.asDefault(.watch(number)) { Task { try await wrist.run() } })
        }
        self.tasks = tasks
        try await home.change { document in
            document.foreign.append(
                ForeignAppliance(appliance: lamp, binding: .tasmota(try TasmotaBinding(topic: "lamp"))))
        }
        try await wait { home in home?.things.map(\.appliance.name) == ["Lamp"] }
    }

    deinit { for task in tasks { task.cancel() } }

    /// Waits until both watches show something.
    func wait(_ isSo: @escaping @Sendable (HomeView?) -> Bool) async throws {
        let wrists = wrists
        #expect(
            await pair.settle(within: .seconds(600)) { wrists.allSatisfy { isSo($0.shown.view) } },
            "the watches show \(wrists.map { $0.shown.view?.things.map(\.appliance.name) ?? [] })")
    }

    /// Does something while the time of the pair goes on: an edit is durable only then.
    func turning<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) async throws -> Result {
        let isDone = Awaited(false)
        let task = Task {
            defer { isDone.change { $0 = true } }
            return try await body()
        }
        #expect(await pair.settle(within: .seconds(600)) { isDone.value })
        return try await task.value
    }

    func rename(on watch: Int, to name: String) async throws {
        let (wrist, id) = (wrists[watch], lamp.id)
        try await turning { try await wrist.edit { try $0.edit(id, name: name, room: nil) } }
    }

    func renameAtPhone(to name: String) async throws {
        let (home, id) = (home, lamp.id)
        try await turning { try await home.edit { try $0.edit(id, name: name, room: nil) } }
    }
}
