import Logging
import Platform
import PoolControl
import PoolModel
import TestSupport
import Testing

@testable import PoolHub
@testable import SyncCore

/// The hub's replies to queries of watches, and the queries that it declines.
@Suite(.timeLimit(.minutes(20))) struct QuestionTests {
    private static let server = Server(id: ServerID(high: 1, low: 1), name: "Home", host: "secret.example")
    private static let device = Device(
        id: DeviceID(high: 2, low: 1), name: "Lagoon", serverID: server.id, topic: "secret/topic")
    private static let now = Timestamp(milliseconds: 1_780_308_540_000)

    /// The calls to the parts of a hub.
    private final class Book: Sendable {
        let points = Lock<[Int]>([])
        let results = Recorder<QueryService.Result>()
    }

    /// The parts of a hub with one server and one device.
    private struct Environment: QueryEnvironment {
        let book: Book
        /// The number of points that the history returns for a number of requested ones.
        var pointCount: @Sendable (Int) async throws -> Int = { $0 }
        /// What happens before a result counts as sent.
        var beforeSending: @Sendable () async -> Void = {}

        var now: Timestamp { QuestionTests.now }

        func configuration() throws -> (configuration: PoolConfiguration, revision: UInt64) {
            (try PoolConfiguration().adding(server).adding(device), 7)
        }

        func readings(of device: DeviceID) -> DeviceReadings? { nil }

        func alertsOrder() -> UInt64 { 12 }

        func order(of pool: PoolID) -> UInt64? { nil }

        func connection(to server: ServerID) -> BrokerState? {
            BrokerState(
                phase: .connecting, since: now, refusals: [.init(filter: "secret/topic", reason: "not authorized")])
        }

        func perform(_ command: HubCommand) async throws -> HubReply {
            if case .alerts(.change) = command { return .done("") }
            guard case .history(.series(_, let quantity, let first, let last, let points)) = command else {
                return .refused("?")
            }
            book.points.withLock { $0.append(points) }
            let count = try await pointCount(points)
            let point = TimeSeries.Point(
                start: last, least: 7.123456, greatest: 7.223456, mean: 7.2, rawMean: 7.1, count: 3,
                isAfterGap: false, isExact: true)
            return .history(
                .series(
                    device: "Lagoon",
                    TimeSeries(
                        quantity: quantity, first: first, last: last, bucketMilliseconds: 1,
                        points: Array(repeating: point, count: count))))
        }

        func send(_ result: QueryService.Result, to watch: PeerKey) async {
            await beforeSending()
            book.results.record(result)
        }
    }

    private func series(_ device: DeviceID = device.id, days: Int64 = 1, points: Int) -> WatchQuery {
        .series(
            device: device, quantity: .ph, from: Self.now.advanced(byMilliseconds: 0 - days * 86_400_000),
            through: Self.now, points: points)
    }

    private func refusal(_ question: WatchQuery) async throws -> String? {
        guard
            case .refused(let reason) = try await QueryResponder(environment: Environment(book: Book())).reply(
                to: question)
        else {
            return nil
        }
        return reason
    }

    @Test func `P99 a removed device, too many points and too long a span are declined in words`() async throws {
        let gone = DeviceID(high: 2, low: 9)
        #expect(try await refusal(.newest(device: gone)) == "the hub has no such device any more")
        #expect(try await refusal(series(gone, points: 10)) == "the hub has no such device any more")
        #expect(try await refusal(series(points: 1001))?.contains("ask for 2 to 1000") == true)
        #expect(try await refusal(series(points: 1)) != nil)
        #expect(try await refusal(series(days: 4000, points: 10))?.contains("ten years") == true)
        #expect(try await refusal(series(days: -1, points: 10)) != nil)
        #expect(try await refusal(series(points: 10)) == nil)
    }

    @Test func `P99 what is newest holds no host and no topic`() async throws {
        let reply = try await QueryResponder(environment: Environment(book: Book())).reply(
            to: .newest(device: Self.device.id))
        let text = String(decoding: try CanonicalJSON.encode(reply), as: UTF8.self)
        #expect(text.contains(#""alertsOrder":12"#))
        #expect(text.contains(#""server":"Home""#) && text.contains(#""isConnected":false"#))
        #expect(!text.contains("secret"))
    }

    @Test func `a series that would be too long comes in fewer points`() async throws {
        let book = Book()
        // A history that returns four times as many points as requested.
        let reply = try await QueryResponder(environment: Environment(book: book) { $0 * 4 }).reply(
            to: series(points: 1000))
        let bytes = try CanonicalJSON.encode(reply).count
        #expect(bytes <= QueryReply.byteCountMax)
        #expect(book.points.withLock { $0.count } >= 2)
        guard case .series(_, let found) = reply else { return }
        #expect(found.points.count > 500)
    }

    @Test func `of one watch so many questions wait, the next is declined; another watch is answered`() async throws {
        let book = Book()
        let isOpen = Flag()
        let service = QueryService(logger: Logger(label: "test"))
        let payload = try Self.payload(series(points: 10))
        let watches = [try Self.peer(1), try Self.peer(2)]
        for number in 1...UInt64(QueryService.waitingMax + 1) {
            service.take(Self.message(number, payload), from: watches[0])
        }
        service.take(Self.message(1, payload), from: watches[1])
        let environment = Environment(book: book) { count in
            try await poll("the questions are sent") { isOpen.value.withLock(\.self) }
            return count
        }
        let running = Task { await service.run(environment) }
        isOpen.value.withLock { $0 = true }
        try await poll("\(QueryService.waitingMax + 2) results") {
            book.results.items.count >= QueryService.waitingMax + 2
        }
        running.cancel()
        let declined = book.results.items.filter {
            if case .decline(_, .busy, _) = $0 { true } else { false }
        }
        #expect(declined.count == 1)
    }

    @Test func `what is no question is declined`() async throws {
        let book = Book()
        let service = QueryService(logger: Logger(label: "test"))
        service.take(Self.message(1, [1, 2, 3]), from: try Self.peer(1))
        service.take(
            .exchange(
                .messageReceived(
                    ReceivedMessage(
                        id: MessageID(session: 1, number: 2), wantsReply: false,
                        payload: try Self.payload(series(points: 10))))), from: try Self.peer(1))
        service.take(
            Self.message(3, try Self.payload(series(points: 10)) + Array(repeating: 0, count: 5000)),
            from: try Self.peer(1))
        let environment = Environment(book: book)
        let running = Task { await service.run(environment) }
        try await poll("three results") { book.results.items.count >= 3 }
        running.cancel()
        let all = book.results.items.allSatisfy {
            if case .decline(_, .noHandler, _) = $0 { true } else { false }
        }
        #expect(all)
    }

    @Test func `what is no question is declined while questions are worked on`() async throws {
        let book = Book()
        let isOpen = Awaited(false)
        let service = QueryService(logger: Logger(label: "test"))
        let payload = try Self.payload(series(points: 10))
        for number in 1...UInt64(QueryService.waitingMax) {
            service.take(Self.message(number, payload), from: try Self.peer(1))
        }
        service.take(Self.message(99, [1, 2, 3]), from: try Self.peer(1))
        let environment = Environment(book: book) { count in
            await isOpen.wait { $0 }
            return count
        }
        let running = Task { await service.run(environment) }
        try await poll("a result") { !book.results.items.isEmpty }
        guard case .decline(let message, .noHandler, _)? = book.results.items.first else {
            Issue.record("answered a question that is worked on")
            return
        }
        #expect(message.number == 99)
        isOpen.change { $0 = true }
        running.cancel()
    }

    @Test func `of a watch whose messages are not worked off so many are kept, and no more`() async throws {
        let (book, isOpen) = (Book(), Awaited(false))
        let service = QueryService(logger: Logger(label: "test"))
        let watch = try Self.peer(1)
        let environment = Environment(
            book: book,
            pointCount: { count in
                await isOpen.wait { $0 }
                return count
            },
            beforeSending: { await isOpen.wait { $0 } })
        let running = Task { await service.run(environment) }
        let payload = try Self.payload(series(points: 10))
        for number in 1...2000 as ClosedRange<UInt64> { service.take(Self.message(number, payload), from: watch) }
        let bound = QueryService.waitingMax + DeclineQueue.waitingMax
        #expect(service.count(of: watch) <= bound)

        isOpen.change { $0 = true }
        try await poll("an empty queue") { service.count(of: watch) == 0 }
        // It comes after all queued queries.
        service.take(Self.message(2001, payload), from: watch)
        await book.results.wait { $0.contains { Self.number(of: $0) == 2001 } }
        // One more was already on its way, and the last one is included.
        #expect(book.results.items.count <= bound + 2)
        #expect(Set(book.results.items.map { Self.number(of: $0) }).isSuperset(of: 1...UInt64(QueryService.waitingMax)))
        running.cancel()
    }

    private static func number(of result: QueryService.Result) -> UInt64 {
        switch result {
        case .reply(let message, _): message.number
        case .decline(let message, _, _): message.number
        }
    }

    private final class Flag: Sendable {
        let value = Lock(false)
    }

    private static func peer(_ byte: UInt8) throws -> PeerKey {
        try #require(PeerKey(bytes: Array(repeating: byte, count: 32)))
    }

    private static func payload(_ question: WatchQuery) throws -> [UInt8] {
        let json = String(decoding: try CanonicalJSON.encode(question), as: UTF8.self)
        return try PropertyList.dictionary(["question": .string(json)]).encoded()
    }

    private static func message(_ number: UInt64, _ payload: [UInt8]) -> TransferEvent {
        .exchange(
            .messageReceived(
                ReceivedMessage(id: MessageID(session: 1, number: number), wantsReply: true, payload: payload)))
    }
}
