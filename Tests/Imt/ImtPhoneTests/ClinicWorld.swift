import Companion
import Foundation
import ImtApp
import ImtModel
import ImtPhone
import ImtWatch
import Platform
import SyncStore
import TestSupport
import Testing
import Text
import WatchConnectivity
import WatchConnectivityTesting

/// A phone with a clinic on a real disk, and watches with albums, over links in virtual time.
final class ClinicWorld: Sendable {
    let pair: TestPair
    let surgery: Surgery
    let host: PhoneHost<WristDesk>
    let wrists: [Wrist]
    /// What the phone keeps of watches.
    let storage: MemoryStorage
    private let notices: Recorder<String>
    private let tasks: [Task<Void, any Error>]

    init(watches count: Int = 1, grants: Set<String> = [ImtApp.listGrant, ImtApp.photoGrant]) async throws {
        let pair = try TestPair(watches: count, watch: SessionBehaviour().forCompanions)
        let surgery = try Surgery()
        let notices = Recorder<String>()
        // A command's time is over when the phone's clock says so, and not because the machine is busy.
        let environment = CompanionEnvironment(
            now: { pair.date },
            sleep: { _ in
                let (never, source) = AsyncStream<Void>.makeStream()
                for await _ in never {}
                source.finish()
                try Task.checkCancellation()
            }, notice: { notices.record($0) })
        let storage = MemoryStorage()
        let desk = WristDesk(surgery.clinic) { notices.record($0) }
        let host = PhoneHost(
            desk, store: try CompanionStore(storage), inbox: pair.folder.appending(path: "phone-inbox"),
            environment: environment)
        await desk.connect(host)
        var tasks = [
            pair.asDefault(.phone) { Task { try await host.run() } }, Task { await desk.run() },
        ]
        var wrists: [Wrist] = []
        for number in 0..<count {
            let watchHost = WatchHost(
                ImtApp.self, store: try CompanionStore(MemoryStorage()),
                inbox: pair.folder.appending(path: "watch-\(number)-inbox"), environment: environment)
            let wrist = Wrist(watchHost, album: try Self.album(surgery.folder, number))
            wrists.append(wrist)
            tasks.append(pair.asDefault(.watch(number)) { Task { try await wrist.run() } })
        }
        (self.pair, self.surgery, self.host, self.wrists, self.tasks) = (pair, surgery, host, wrists, tasks)
        (self.notices, self.storage) = (notices, storage)
        let all = wrists
        await go("the watches are there") { all.allSatisfy { $0.shown.isReachable && $0.shown.grants != nil } }
        for caller in await host.callers { try await host.setGrants(Grants(grants), of: caller.watch.id) }
        await go("the watches know their grants") { all.allSatisfy { $0.shown.grants == grants.sorted() } }
    }

    deinit { for task in tasks { task.cancel() } }

    private static func album(_ folder: TemporaryFolder, _ number: Int) throws -> Album {
        try Album(
            folder: try StateFolder(path: folder.path("watch-\(number)")),
            keys: try StateFolder(path: folder.path("watch-\(number).keys")), at: .now)
    }

    /// The sealed photos in the folder of a watch.
    func photos(of number: Int = 0) -> [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: surgery.folder.path("watch-\(number)"))
        return (names ?? []).filter { $0.hasSuffix(".sealed") }
    }

    /// Lets virtual time pass until something is so.
    func go(
        _ what: String, sourceLocation: SourceLocation = #_sourceLocation, until isSo: @Sendable () async -> Bool
    ) async {
        do {
            try await poll(what) {
                await pair.advance(by: .milliseconds(20))
                for _ in 0..<50 { await Task.yield() }
                return await isSo()
            }
        } catch {
            Issue.record("\(error); notices: \(notices.items)", sourceLocation: sourceLocation)
        }
    }

    /// Does something on a watch, while virtual time passes.
    func act(_ number: Int = 0, _ work: @escaping @Sendable (Wrist) async -> Void) async {
        let isOver = Awaited(false)
        let wrist = wrists[number]
        Task {
            await work(wrist)
            isOver.change { $0 = true }
        }
        await go("the watch has done it") { isOver.value }
    }
}
