import Companion
import Foundation
import Platform
import TestSupport
import Testing
import WatchConnectivity
import WatchConnectivityTesting

@Suite(.pairReports) struct CompanionTests {
    @Test func `a command is performed and answered, and every watch gets its own view`() async throws {
        let world = try ToyWorld(watches: 2)
        await world.ready()
        #expect(await world.send(.add(3)) == .done(ToyApp.Reply(sum: 3)))
        await world.go("both watches see it") { world.seen.allSatisfy { $0.withLock { $0.views.last?.sum == 3 } } }
        for number in 0...1 {
            #expect(world.seen[number].withLock { $0.views.allSatisfy { $0.watch == "watch \(number + 1)" } })
        }
    }

    @Test func `a command that comes again is not performed again, also after a power cut`() async throws {
        let world = try ToyWorld()
        await world.ready()
        let id = CommandID()
        #expect(await world.send(.add(3), id) == .done(ToyApp.Reply(sum: 3)))
        #expect(await world.send(.add(3), id) == .done(ToyApp.Reply(sum: 3)))
        try world.cutPhone()
        await world.go("the phone is back") { world.seen[0].withLock(\.isReachable) }
        await world.go("the answer is the same") { world.pair.watch.isReachable }
        #expect(await world.send(.add(3), id) == .done(ToyApp.Reply(sum: 3)))
        #expect(world.phoneDisk.contents.withLock(\.performed) == [id])
    }

    @Test func `a command during which the phone dies is unknown, and stays unperformed afterwards`() async throws {
        let isBegun = Awaited(false)
        // It also ends when the phone's tasks are cancelled.
        let (work, end) = AsyncStream<Void>.makeStream()
        let world = try ToyWorld { command in
            guard command == .add(1) else { return }
            isBegun.change { $0 = true }
            for await _ in work {}
        }
        await world.ready()
        let id = CommandID()
        let outcome = world.begin(.add(1), id)
        await world.go("the command begins") { isBegun.value }
        try world.cutPhone()
        end.finish()
        await world.go("it has an outcome") { outcome.value != nil }
        #expect(outcome.value == .unknown)
        await world.go("the phone is back") { world.pair.watch.isReachable }
        #expect(await world.send(.add(1), id) == .unknown, "it may have been performed")
        #expect(await world.send(.add(2)) == .done(ToyApp.Reply(sum: 2)))
    }

    @Test func `the host refuses a command without its grant, and gives and takes grants`() async throws {
        let world = try ToyWorld(watches: 2)
        await world.ready()
        #expect(await world.send(.reset) == .refused("needs toy.reset"))
        #expect(world.phoneDisk.contents.withLock(\.performed) == [])
        try await world.phoneHost.setGrants(Grants(["toy.add", "toy.reset"]), of: "watch-1")
        await world.go("the watch is shown it") { world.seen[0].withLock { $0.views.last?.isGuest == false } }
        #expect(await world.send(.reset) == .done(ToyApp.Reply(sum: 0)))
        #expect(await world.send(.reset, from: 1) == .refused("needs toy.reset"))
        try world.cutPhone()
        await world.go("the phone is back") { world.pair.watch.isReachable }
        #expect(await world.send(.reset) == .done(ToyApp.Reply(sum: 0)), "the grant survives")
        let names = await world.phoneHost.callers.map { "\($0.watch.name): \($0.grants.names.sorted())" }
        #expect(names == [#"watch 1: ["toy.add", "toy.reset"]"#, #"watch 2: ["toy.add"]"#])
        try await world.phoneHost.setGrants(nil, of: "watch-1")
        #expect(await world.send(.reset) == .refused("needs toy.reset"))
        await #expect(throws: CompanionError.unknownWatch("watch-9", known: ["watch-1", "watch-2"])) {
            try await world.phoneHost.setGrants(nil, of: "watch-9")
        }
    }

    @Test(arguments: [-3_600.0, -20, 0, 20, 3_600])
    func `a late command is expired, whatever the watch's clock is`(skew: Double) async throws {
        let isHeld = Awaited(true)
        let world = try ToyWorld { if $0 == .add(1) { await isHeld.wait { !$0 } } }
        world.skews.withLock { $0.watch = skew }
        await world.ready()
        #expect(await world.send(.add(10)) == .done(ToyApp.Reply(sum: 10)), "the clocks are of no account")
        let first = world.begin(.add(1), within: .seconds(9))
        await world.go("the first is at work") { world.pair.elapsed > .seconds(1) }
        let second = world.begin(.add(2), within: .seconds(1))
        await world.go("no answer to the second comes in time") { second.value != nil }
        #expect(second.value == .unknown)
        isHeld.change { $0 = false }
        await world.go("the first is done") { first.value != nil }
        #expect(first.value == .done(ToyApp.Reply(sum: 11)))
        #expect(await world.send(.add(5)) == .done(ToyApp.Reply(sum: 16)), "the late one was not performed")
    }

    @Test func `an old idea of the phone's clock costs no command`() async throws {
        let world = try ToyWorld()
        await world.ready()
        // Somebody sets the phone's clock.
        world.skews.withLock { $0.phone = 7_200 }
        #expect(await world.send(.add(1)) == .done(ToyApp.Reply(sum: 1)))
        world.skews.withLock { $0.phone = -7_200 }
        #expect(await world.send(.add(1)) == .done(ToyApp.Reply(sum: 2)))
    }

    @Test func `a watch that is back has the present view before it is told that the phone is there`() async throws {
        let world = try ToyWorld(watches: 2)
        await world.ready()
        for round in 1...5 {
            world.pair.watchDevices[0].powerOff()
            #expect(await world.send(.add(1), from: 1) == .done(ToyApp.Reply(sum: round)))
            world.seen[0].withLock { $0.sumWhenReached = nil }
            try world.cutWatch(0)
            await world.go("the watch reaches the phone") { world.seen[0].withLock { $0.sumWhenReached != nil } }
            #expect(world.seen[0].withLock { $0.sumWhenReached } == round)
        }
    }

    @Test func `without a link a command is unreachable and is never performed`() async throws {
        let world = try ToyWorld()
        await world.ready()
        world.pair.link.cut()
        await world.go("the watch knows") { !world.pair.watch.isReachable }
        #expect(await world.send(.add(1)) == .unreachable)
        world.pair.link.heal()
        await world.go("the link is back") { world.pair.watch.isReachable }
        #expect(await world.send(.add(2)) == .done(ToyApp.Reply(sum: 2)))
    }

    @Test func `eight commands of a watch wait, the next one is refused, and four watches are served at a time`()
        async throws
    {
        let isHeld = Awaited(true)
        let world = try ToyWorld(watches: 6) { _ in await isHeld.wait { !$0 } }
        await world.ready()
        let outcomes = Recorder<CommandOutcome<ToyApp.Reply>>()
        let first = world.watchHost(0)
        for number in 1...10 { Task { outcomes.record(await first.send(.add(number), within: .seconds(9))) } }
        await world.go("the tenth is refused") { !outcomes.items.isEmpty }
        #expect(outcomes.items == [.refused("busy")])
        for number in 1..<6 {
            let host = world.watchHost(number)
            Task { outcomes.record(await host.send(.add(100), within: .seconds(9))) }
        }
        await world.go("time passes") { world.pair.elapsed > .seconds(2) }
        isHeld.change { $0 = false }
        await world.go("all have an outcome") { outcomes.items.count == 15 }
        #expect(await world.phoneApp.mostAtWork == 4)
        #expect(outcomes.items.count { if case .done = $0 { true } else { false } } == 14)
    }

    @Test func `a value above its limit is refused before it is sent, with both numbers`() async throws {
        let world = try ToyWorld()
        await world.ready()
        let text = String(repeating: "x", count: 70_000)
        #expect(await world.send(.say(text)) == .refused("the command: 70,017 bytes, at most 65,024"))
        let most = String(repeating: "x", count: 65_024 - 17)
        #expect(await world.send(.say(most)) != .refused(""))
    }

    @Test func `events arrive once and in order on both sides, secret ones only where they may`() async throws {
        let world = try ToyWorld(watches: 2)
        await world.ready()
        try await world.phoneHost.setGrants(Grants(["toy.secrets"]), of: "watch-2")
        for number in 1...5 { try await world.watchHost(0).send(ToyApp.Event(number: number)) }
        for number in 1...5 {
            try await world.phoneHost.send(ToyApp.Event(number: number, isSecret: number == 3))
        }
        try await world.phoneHost.send(ToyApp.Event(number: 9), to: "watch-1")
        await world.go("all arrive") {
            world.seen[0].withLock { $0.events.count == 5 } && world.seen[1].withLock { $0.events.count == 5 }
                && world.phoneDisk.contents.withLock { $0.events["watch 1"]?.count == 5 }
        }
        #expect(world.seen[0].withLock(\.events) == [1, 2, 4, 5, 9])
        #expect(world.seen[1].withLock(\.events) == [1, 2, 3, 4, 5])
        #expect(world.phoneDisk.contents.withLock(\.events) == ["watch 1": [1, 2, 3, 4, 5]])
    }

    @Test func `an event that the app could not take comes at the next start, before the later ones`() async throws {
        let world = try ToyWorld()
        await world.ready()
        await world.phoneApp.refuseEvents(true)
        try await world.watchHost().send(ToyApp.Event(number: 1))
        await world.go("it is held") { world.notices.items.contains { $0.contains("waits for the next start") } }
        await world.phoneApp.refuseEvents(false)
        try await world.watchHost().send(ToyApp.Event(number: 2))
        await world.go("time passes") { world.pair.elapsed > .seconds(2) }
        #expect(world.phoneDisk.contents.withLock(\.events) == [:])
        try world.cutPhone()
        await world.go("both come") { world.phoneDisk.contents.withLock { $0.events["watch 1"] == [1, 2] } }
    }

    @Test func `files arrive whole with what is known of them, and transfers can be ended`() async throws {
        let world = try ToyWorld()
        await world.ready()
        let bytes = (0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let file = world.pair.folder.appending(path: "picture")
        try Data(bytes).write(to: file)
        _ = try await world.watchHost().send(file, ToyApp.FileInfo(sum: 1))
        _ = try await world.phoneHost.send(file, ToyApp.FileInfo(sum: 1), to: "watch-1")
        await world.go("both arrive") {
            world.seen[0].withLock { $0.files == [bytes] }
                && world.phoneDisk.contents.withLock { $0.files == ["watch 1": [bytes]] }
        }
        world.pair.link.cut()
        await world.pair.settle()
        let transfer = try await world.phoneHost.send(file, ToyApp.FileInfo(sum: 2), to: "watch-1")
        try world.cutPhone()
        await world.go("the phone is back") { world.pair.phone.activationState == .activated }
        #expect(world.pair.phone.outstandingFileTransfers.count == 1)
        await world.phoneHost.cancel(transfer)
        await world.pair.settle()
        #expect(world.pair.phone.outstandingFileTransfers.isEmpty, "also one of an earlier run")
        await #expect(throws: CompanionError.noFile(path: "/nowhere")) {
            try await world.phoneHost.send(URL(filePath: "/nowhere"), ToyApp.FileInfo(sum: 0), to: "watch-1")
        }
    }

    @Test func `a watch that is gone leaves nothing behind for the next one with its id`() async throws {
        let world = try ToyWorld()
        await world.ready()
        let storage = MemoryStorage()
        let store = try CompanionStore(storage)
        let watch = SessionWatch(id: "1", name: "anna")
        try store.setGrants(Grants(["toy.reset"]), of: watch)
        #expect(store.grants(of: watch)?.names == ["toy.reset"])
        #expect(store.grants(of: SessionWatch(id: "1", name: "ben")) == nil)
        #expect(try CompanionStore(storage).grants(of: watch)?.names == ["toy.reset"])
    }

    @Test func `a watch of an earlier version says that it needs an update`() async throws {
        let pair = try TestPair(watch: SessionBehaviour().forCompanions)
        let disk = ToyDisk()
        let phone = PhoneHost(
            NewToyPhone(), store: try CompanionStore(MemoryStorage()), inbox: pair.folder.appending(path: "a"))
        let watch = WatchHost(
            ToyApp.self, store: try CompanionStore(disk.start()), inbox: pair.folder.appending(path: "b"))
        let running = [
            pair.asDefault(.phone) { Task { _ = try? await phone.run() } },
            pair.asDefault(.watch) { Task { _ = try? await watch.run() } },
        ]
        let advice = Recorder<String>()
        let reading = Task { for await event in watch.events { event.advice.map(advice.record) } }
        await pair.settle { !advice.items.isEmpty }
        #expect(
            advice.items.first == "toy on this watch is too old (version 2, the phone has 3): update this watch")
        for task in running + [reading] { task.cancel() }
    }

    @Test func `a phone of an earlier version says which side needs an update`() async throws {
        let pair = try TestPair(watch: SessionBehaviour().forCompanions)
        let phone = PhoneHost(
            ToyPhone(ToyDisk().start()), store: try CompanionStore(MemoryStorage()),
            inbox: pair.folder.appending(path: "a"))
        let watch = WatchHost(
            OtherToyApp.self, store: try CompanionStore(MemoryStorage()), inbox: pair.folder.appending(path: "b"))
        let running = [
            pair.asDefault(.phone) { Task { _ = try? await phone.run() } },
            pair.asDefault(.watch) { Task { _ = try? await watch.run() } },
        ]
        let advice = Recorder<String>()
        let reading = Task { for await event in watch.events { event.advice.map(advice.record) } }
        await pair.settle { !advice.items.isEmpty }
        #expect(advice.items.first == "toy on the phone is too old (version 2, this watch has 3): update the phone")
        for task in running + [reading] { task.cancel() }
    }
}

private actor NewToyPhone: CompanionPhone {
    typealias App = OtherToyApp

    func view(for caller: Caller) -> OtherToyApp.View { OtherToyApp.View(total: 1) }
    func perform(_ command: ToyApp.Command, _ id: CommandID, by caller: Caller) -> ToyApp.Reply { ToyApp.Reply(sum: 1) }
    func received(_ event: ToyApp.Event, from caller: Caller) {}
    func received(_ file: IncomingFile<ToyApp.FileInfo>, from caller: Caller) {}
}
