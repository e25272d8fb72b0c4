import Logging
import Platform
import PoolControl
import PoolModel
import PoolStore
import SyncCore
import SyncStore
import SyncTransport
import TestSupport
import Testing

@testable import PoolHub

/// User info from watches: doses are stored once, everything else is refused, and nothing stays in an inbox.
@Suite struct UserInfoConsumerTests {
    private static let garden = Pool(id: PoolID(high: 3, low: 1), name: "Garden", volume: 48)
    private static let noon = Timestamp(milliseconds: 1_780_315_200_000)

    private let place: TemporaryFolder
    private let history: HistoryStore
    private let logged = Recorder<String>()

    init() throws {
        place = try TemporaryFolder()
        history = try HistoryStore(path: place.path("history.sqlite"))
    }

    private static func watch(_ byte: UInt8) throws -> PeerKey {
        try #require(PeerKey(bytes: Array(repeating: byte, count: 32)))
    }

    private static func item(_ number: UInt64, _ payload: [UInt8]) -> TransferEvent {
        .exchange(
            .itemReceived(ReceivedItem(id: RandomID(high: 0, low: number), payload: payload, isUrgent: number == 2)))
    }

    private static func dose(_ number: UInt64, amount: Double = 100, at moment: Timestamp = noon) -> Dose {
        Dose(
            id: DoseID(high: 7, low: number), poolID: garden.id, product: .dichlor, amount: amount, unit: .grams,
            at: moment, author: "somebody else")
    }

    private static func payload(_ json: String, member: PropertyList.Key = "dose") throws -> [UInt8] {
        try PropertyList.dictionary([member: .string(json)]).encoded()
    }

    private static func payload(_ dose: Dose) throws -> [UInt8] {
        try payload(String(decoding: try CanonicalJSON.encode(dose), as: UTF8.self))
    }

    private func receiver(name: String? = "Wrist") throws -> DoseReceiver {
        let configuration = try PoolConfiguration().adding(Self.garden)
        return DoseReceiver(
            log: DoseLog(
                history: history, configuration: { configuration },
                onDose: { [logged] dose, pool in logged.record("\(pool): \(dose.amountText)") },
                onDrop: { [logged] watch in logged.record("dropped of \(watch?.bytes.first ?? 0)") }),
            name: { _ in name }, now: { Self.noon })
    }

    @Test func `a dose is stored with the watch as its author, once`() async throws {
        // V21
        let receiver = try receiver()
        let watch = try Self.watch(1)
        #expect(try await receiver.receive(Self.payload(Self.dose(1)), from: watch) == .stored)
        #expect(try await receiver.receive(Self.payload(Self.dose(1)), from: watch) == .known)

        let doses = try history.doses(limit: 10)
        #expect(doses.map(\.author) == ["watch Wrist"])
        #expect(logged.items == ["Garden: 100 g"])
        let unknown = try self.receiver(name: nil)
        #expect(try await unknown.receive(Self.payload(Self.dose(2)), from: watch) == .stored)
        #expect(try history.doses(limit: 10).map(\.author).sorted() == ["watch 01010101", "watch Wrist"])
    }

    @Test func `a watch whose clock is ahead adds its dose now`() async throws {
        let ahead = Self.dose(1, at: Self.noon.advanced(byMilliseconds: 86_400_000))
        #expect(try await receiver().receive(Self.payload(ahead), from: Self.watch(1)) == .stored)
        #expect(try history.doses(limit: 10).map(\.at) == [Self.noon])
    }

    @Test func `whatever else comes is refused with a reason, and stores nothing`() async throws {
        var foreign = Self.dose(1)
        foreign.poolID = PoolID(high: 9, low: 9)
        var old = Self.dose(1)
        old.at = Timestamp(milliseconds: 0)
        var steering = Self.dose(1)
        steering.note = "\u{1B}[2J"
        let json = String(decoding: try CanonicalJSON.encode(Self.dose(1)), as: UTF8.self)
        var payloads: [[UInt8]] = [
            [], [1, 2, 3], Array(repeating: 0xFF, count: 9000), Array("{\"dose\":1}".utf8),
            try Self.payload(json, member: "doses"), try Self.payload("{}"), try Self.payload("null"),
            try Self.payload(json.replacing("dichlor", with: "gold")),
            try Self.payload(json.replacing("\"amount\":100", with: "\"amount\":1e999")),
            try Self.payload(String(repeating: "[", count: 2000)),
            try PropertyList.dictionary(["dose": .data(Array(json.utf8))]).encoded(),
            try Self.payload(Self.dose(1, amount: -1)), try Self.payload(Self.dose(1, amount: 2_000_000)),
            try Self.payload(foreign), try Self.payload(old), try Self.payload(steering),
        ]
        let whole = try Self.payload(Self.dose(1))
        payloads += stride(from: 0, to: whole.count, by: 7).map { Array(whole.prefix($0)) }
        let receiver = try receiver()
        for payload in payloads {
            guard case .refused(let reason) = try await receiver.receive(payload, from: Self.watch(1)) else {
                Issue.record("\(payload) was taken")
                continue
            }
            #expect(!reason.isEmpty)
        }
        #expect(try history.doses(limit: 10).isEmpty && logged.items.isEmpty)
    }

    @Test func `each item is consumed in order, and each refusal is told`() async throws {
        let (consumed, problems) = (Recorder<RandomID>(), Recorder<String>())
        let consumer = UserInfoConsumer(logger: Logger(label: "test"))
        let watches = [try Self.watch(1), try Self.watch(2)]
        consumer.take(Self.item(1, try Self.payload(Self.dose(1))), from: watches[0])
        consumer.take(Self.item(2, [1]), from: watches[0])
        consumer.take(.exchange(.itemDelivered(RandomID(high: 0, low: 9))), from: watches[0])
        consumer.take(Self.item(3, try Self.payload(Self.dose(2))), from: watches[1])

        let receiver = try receiver()
        let running = Task {
            await consumer.run(
                receiver, consume: { consumed.record($1) }, onProblem: { problems.record("\($0.bytes[0]): \($1)") })
        }
        await consumed.wait { $0.count == 3 }
        running.cancel()
        await running.value

        // In turns between the watches.
        #expect(consumed.items.map(\.low) == [1, 3, 2])
        #expect(problems.items.count == 1 && problems.items[0].hasPrefix("1: "))
        #expect(try history.doses(limit: 10).count == 2)
    }

    @Test func `a dose of a watch does not wait for the many of another one, of which more come later`() async throws {
        let (consumed, waits) = (Recorder<RandomID>(), Recorder<PeerKey>())
        let now = Awaited<Instant>(Instant(nanoseconds: 0))
        let consumer = UserInfoConsumer(logger: Logger(label: "test"), now: { now.value })
        let (greedy, honest) = (try Self.watch(1), try Self.watch(2))
        let count = UserInfoPace.burst + 20
        for number in 1...UInt64(count) {
            consumer.take(Self.item(number, try Self.payload(Self.dose(number))), from: greedy)
        }
        consumer.take(Self.item(5000, try Self.payload(Self.dose(5000))), from: honest)

        let receiver = try receiver()
        let pauses = Recorder<Duration>()
        let running = Task {
            await consumer.run(
                receiver, consume: { consumed.record($1) }, onProblem: { _, _ in }, onWait: { waits.record($0) },
                pause: { time in
                    pauses.record(time)
                    // The first pauses are over at once, and the last one never.
                    guard pauses.items.count <= 5 else { throw CancellationError() }
                    now.change { $0 = $0.advanced(by: time) }
                })
        }
        await pauses.wait { $0.count == 6 }
        running.cancel()
        await running.value

        #expect(consumed.items.prefix(3).contains { $0.low == 5000 })
        // Those that are taken at once, and one for each second.
        #expect(consumed.items.count == 1 + UserInfoPace.burst + 5)
        #expect(pauses.items.allSatisfy { $0 == UserInfoPace.interval })
        #expect(waits.items.contains(greedy) && !waits.items.contains(honest))
    }

    @Test func `that the oldest doses of a watch made room is told, and a dose that is older than all is refused`()
        async throws
    {
        let (receiver, watch) = (try receiver(), try Self.watch(3))
        for number in 1...UInt64(HistoryStore.doseCountMaxOfWatch) {
            try history.add(Self.dose(number, at: Self.noon.advanced(byMilliseconds: -1)), of: watch.hexadecimal)
        }
        #expect(logged.items.isEmpty)
        #expect(try await receiver.receive(Self.payload(Self.dose(5000)), from: watch) == .stored)
        #expect(logged.items == ["Garden: 100 g", "dropped of 3"])
        let old = Self.dose(5001, at: Self.noon.advanced(byMilliseconds: -2))
        guard case .refused(let reason) = try await receiver.receive(Self.payload(old), from: watch) else {
            Issue.record("an older dose was stored")
            return
        }
        #expect(reason == "\(DoseError.tooManyNewer)")
        #expect(try await receiver.receive(Self.payload(old), from: Self.watch(4)) == .stored)
    }

    @Test func `what cannot be stored is tried again, and is not consumed before`() async throws {
        struct Full: Error {}
        let failures = Lock(2)
        let configuration = try PoolConfiguration().adding(Self.garden)
        let receiver = DoseReceiver(
            log: DoseLog(
                history: history,
                configuration: {
                    let isFailing = failures.withLock { count in
                        count -= 1
                        return count >= 0
                    }
                    if isFailing { throw Full() }
                    return configuration
                }, onDose: { _, _ in }, onDrop: { _ in }), name: { _ in "Wrist" }, now: { Self.noon })
        let (steps, consumer) = (Recorder<String>(), UserInfoConsumer(logger: Logger(label: "test")))
        consumer.take(Self.item(1, try Self.payload(Self.dose(1))), from: try Self.watch(1))

        let running = Task {
            await consumer.run(
                receiver, consume: { _, _ in steps.record("consumed") }, onProblem: { _, _ in steps.record("problem") },
                pause: { _ in steps.record("pause") })
        }
        await steps.wait { $0.contains("consumed") }
        running.cancel()
        await running.value

        #expect(steps.items == ["problem", "pause", "problem", "pause", "consumed"])
        #expect(try history.doses(limit: 10).count == 1)
    }

    @Test func `user info of a watch reaches the log, and the hub's store keeps none of it`() async throws {
        // V21
        let hub = TestHub(try TestHubFolder())
        try await hub.start()
        var patch = PoolPatch()
        patch.name = "Garden"
        _ = try await hub.perform(.edit(.addPool(patch)))
        var dose = Self.dose(1, at: .now)
        dose.poolID = try await hub.report().poolID("Garden")
        let watch = try await PlainWatch(hub, name: "Wrist")
        for payload in [[1, 2, 3], try Self.payload(dose), try Self.payload(dose)] as [[UInt8]] {
            let item = Exchange.Transfer(payload: payload)
            _ = try await watch.transport.transfer { .exchange(.transfer($0, item)) }
        }
        try await poll("an inbox in which three items were and none is") {
            guard let inbox = try hub.hub?.folder.store.transfers()[watch.key]?.exchange.inbox else { return false }
            return inbox.recent.count == 3 && inbox.items.isEmpty
        }
        guard case .doses(let doses) = try await hub.perform(.doses(.list(pool: nil, limit: 10))) else {
            throw NotRunning()
        }
        #expect(doses.map(\.id) == [dose.id] && doses.map(\.author) == ["watch Wrist"])
        await hub.events.wait { events in
            events.contains { $0.kind == .notice && $0.words.hasPrefix("watch Wrist: ") }
                && events.contains { $0.kind == .dose }
        }
        try await watch.stop()
        try await hub.stop()
    }
}
