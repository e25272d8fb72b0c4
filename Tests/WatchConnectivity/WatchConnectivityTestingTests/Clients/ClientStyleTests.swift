import Foundation
import Platform
import TestSupport
import Testing
import WatchConnectivity
import WatchConnectivityTesting

/// Clients in the styles of today, as their apps would write them, on both sides of a pair.
@Suite(.timeLimit(.minutes(10))) struct ClientStyleTests {
    /// Settles until something is so; the caller's actor does its work in between.
    private func settle(
        _ pair: TestPair, isolation: isolated (any Actor)? = #isolation, until isSo: () async -> Bool
    ) async throws {
        try await poll("what the test settles for") {
            if await isSo() { return true }
            await pair.settle()
            return false
        }
    }

    // T6, R77, R81: the callbacks of a class of the main actor are nonisolated and hop to it.
    @Test @MainActor func `a model on the main actor shows what the other side's model shows`() async throws {
        let pair = try TestPair()
        let phone = pair.asDefault(.phone) { ScoreModel() }
        let watch = pair.asDefault(.watch) { ScoreModel() }
        let seen = Lock<[Int]>([])
        watch.willChange = { score in seen.withLock { $0.append(score) } }
        try await settle(pair) { phone.isCounterpartReachable && watch.isCounterpartReachable }
        #expect(phone.activation == .activated)
        pair.asDefault(.phone) { phone.addPoint() }
        try await settle(pair) { watch.score == 1 }
        pair.watchDevice.app = .background
        try await settle(pair) { !phone.isCounterpartReachable }
        pair.asDefault(.phone) { phone.addPoint() }
        try await settle(pair) { watch.score == 2 }
        #expect(seen.withLock { $0 } == [1, 2])
    }

    @Test func `an actor keeps the session to itself`() async throws {
        let pair = try TestPair()
        let (phone, watch) = (
            pair.asDefault(.phone) { PulseLink() }, pair.asDefault(.watch) { PulseLink() }
        )
        await phone.start()
        await watch.start()
        await pair.settle()
        for _ in 0..<3 { await watch.send([60, 61]) }
        try await settle(pair) { await phone.total >= 363 }
        #expect(await watch.waitingCount == 0)
        #expect(await phone.total == 363)
    }

    // R40, R53, R57, R119
    @Test func `questions are awaited once each, and what happens comes as a stream`() async throws {
        let pair = try TestPair()
        let (phone, watch) = (pair.asDefault(.phone) { Questions() }, pair.asDefault(.watch) { Questions() })
        await pair.settle()
        func ask(_ question: String) async throws -> String {
            let answer = pair.asDefault(.phone) { Task { try await phone.ask(question) } }
            let isOver = Lock(false)
            let watching = Task {
                _ = await answer.result
                isOver.withLock { $0 = true }
            }
            try await settle(pair) { isOver.withLock { $0 } }
            await watching.value
            return try await answer.value
        }
        #expect(try await ask("abc") == "cba")
        await #expect(throws: Questions.Failure.unanswered) { try await ask("") }
        let file = pair.folder.appendingPathComponent("list.txt")
        try Data("12345".utf8).write(to: file)
        pair.phone.transferFile(file, metadata: nil)
        await pair.settle()
        pair.watchDevice.app = .suspended
        await pair.settle()
        await #expect(throws: Questions.Failure.unreachable) { try await ask("abc") }
        var happenings: [Questions.Happening] = []
        for await happening in watch.happenings {
            happenings.append(happening)
            if case .file = happening { break }
        }
        #expect(
            happenings.filter { $0 != .reachable(true) } == [
                .activated(true), .question("abc"), .question(""), .file("list.txt", byteCount: 5),
            ])
    }

    // R70
    @Test func `commands of a type go live where that can be, else they are queued`() throws {
        let pair = try TestPair()
        let (phone, watch) = (Commands(session: pair.phone), Commands(session: pair.watch))
        pair.settle()
        var ways: [Commands.Way] = []
        let timer = Commands.Command.timer(seconds: 90, name: "eggs")
        phone.send(timer) { ways.append($0) }
        pair.settle()
        pair.watchDevice.app = .background
        pair.settle()
        phone.send(.stop) { ways.append($0) }
        pair.settle()
        let receipt = Commands.Receipt(
            command: timer, isDone: true, at: Date(timeIntervalSinceReferenceDate: 1))
        #expect(ways == [.live(receipt), .queued])
        #expect(watch.done == [timer, .stop])
    }

    // R109–R114
    @Test func `a complication is pushed to while its budget lasts, with the newest only`() throws {
        let pair = try TestPair()
        let (phone, watch) = (WeatherPusher(pair.phone), WeatherPusher(pair.watch))
        pair.settle()
        #expect(phone.push(20) == nil)
        pair.watchDevice.isComplicationEnabled = true
        pair.settle()
        #expect(phone.activeComplication == true)
        pair.link.cut()
        pair.settle()
        // What is cancelled is gone, and its share of the budget with it.
        #expect((21...23).map { phone.push(Double($0)) } == [49, 48, 47])
        #expect(pair.phone.outstandingUserInfoTransfers.map(\.isCurrentComplicationInfo) == [true])
        pair.link.heal()
        pair.settle()
        #expect(watch.arrived == [20, 23])
        for _ in 0..<47 { phone.push(0) }
        #expect(phone.push(1) == nil)
        pair.settle()
        #expect(watch.arrived.last == 1)
        #expect(phone.failures.isEmpty)
    }

    // R95, R96, R125, R131
    @Test func `the progress of each outstanding file is observed, after a relaunch too`() throws {
        let pair = try TestPair()
        let (uploads, receiver) = (Uploads(), RecordingDelegate())
        pair.phone.delegate = uploads
        pair.watch.delegate = receiver
        pair.phone.activate()
        pair.watch.activate()
        pair.settle()
        pair.link.cut()
        for name in ["a", "b", "c"] {
            let file = pair.folder.appendingPathComponent(name)
            try Data(count: 300_000).write(to: file)
            uploads.upload(file, title: name, by: pair.phone)
        }
        pair.settle()
        let again = Uploads()
        pair.phoneDevice.onLaunch = { session, _ in
            session.delegate = again
            session.activate()
        }
        pair.phoneDevice.relaunch()
        pair.settle()
        #expect(pair.phone.outstandingFileTransfers.map(\.file.fileURL.lastPathComponent) == ["a", "b", "c"])
        pair.phone.outstandingFileTransfers.last?.cancel()
        pair.link.heal()
        pair.settle()
        #expect(receiver.files.map(\.name) == ["a", "b"])
        #expect(receiver.files.first?.metadata?["size"] as? Int == 300_000)
        #expect(again.ended == ["a": true, "b": true])
        for name in ["a", "b"] {
            let fractions = again.fractions[name] ?? []
            #expect(fractions.first == 0 && fractions.last == 1 && fractions == fractions.sorted())
        }
        #expect(uploads.fractions["a"] == [0])
        again.cancelAll(of: pair.phone)
    }
}
