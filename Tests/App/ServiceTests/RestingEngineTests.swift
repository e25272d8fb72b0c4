import Platform
import Primitives
import SyncCore
import SyncStore
import TestSupport
import Testing

@testable import Service

/// An engine with its store, without a link.
@Suite struct RestingEngineTests {
    // MARK: - A small engine

    /// Stores a number and, once it is durable, its half, down to 1; then it answers with the sum.
    private struct Halver: SyncEngine {
        enum Input: EngineInput {
            case add(RequestID, Int)
            case stored(Int)
            case failed(Int)
            case farewell
            case timeReached
        }

        enum Output: Equatable {
            case store(Int)
            case send(Int)
            case answer(RequestID, Answer)
        }

        enum Answer: Equatable {
            case sum(Int)
            case refused
        }

        private(set) var sum = 0
        private var request: RequestID?
        // It wants to store something, and to send it, as soon as it is there.
        private var outputs: [Output] = [.store(1000), .send(1000)]

        var nextDeadline: Instant? { nil }

        mutating func nextOutput() -> Output? { outputs.isEmpty ? nil : outputs.removeFirst() }

        mutating func handle(_ input: Input, at moment: Moment) {
            precondition(outputs.isEmpty, "an input before the outputs were taken")
            switch input {
            case .add(let id, let number):
                request = id
                outputs = [.store(number), .send(number)]
            case .stored(let number):
                sum += number
                if let request, number > 1 {
                    // The answer to another request, which nobody waits for.
                    outputs = [.answer(RequestID(number: request.number + 1), .sum(0)), .store(number / 2)]
                } else {
                    finish(.sum(sum))
                }
            case .failed: finish(.refused)
            case .farewell, .timeReached: break
            }
        }

        private mutating func finish(_ answer: Answer) {
            if let request { outputs = [.answer(request, answer)] }
            request = nil
        }
    }

    /// A store of numbers, which can be full.
    private final class Numbers: Sendable {
        private let numbers = Lock<[Int]>([])
        private let limit: Int

        init(limit: Int = .max) { self.limit = limit }

        var all: [Int] { numbers.withLock(\.self) }

        func engine() -> RestingEngine<Halver> {
            RestingEngine(Halver()) { [self] output in
                guard case .store(let number) = output else { return nil }
                return numbers.withLock { numbers in
                    guard numbers.count < limit else { return .failed(number) }
                    numbers.append(number)
                    return .stored(number)
                }
            }
        }
    }

    private func add(_ number: Int, to engine: RestingEngine<Halver>) -> Halver.Answer {
        engine.perform {
            .add($0, number)
        } answer: { output, request in
            if case .answer(request, let answer) = output { answer } else { nil }
        }
    }

    @Test func `a request is answered when everything that follows from it is stored`() {
        let store = Numbers()
        let engine = store.engine()
        #expect(add(8, to: engine) == .sum(1015))
        #expect(store.all == [1000, 8, 4, 2, 1])
        #expect(engine.read(\.sum) == 1015)
    }

    @Test func `nothing is stored before the first request`() {
        let store = Numbers()
        let engine = store.engine()
        #expect(engine.read(\.sum) == 0)
        #expect(store.all.isEmpty)
    }

    @Test func `what could not be stored is refused, also in the middle of a request`() {
        let store = Numbers(limit: 3)
        let engine = store.engine()
        #expect(add(8, to: engine) == .refused)
        #expect(store.all == [1000, 8, 4])
        #expect(add(1, to: engine) == .refused, "the next request is carried out, too")
        #expect(engine.read(\.sum) == 1012)
    }

    // MARK: - The hub's engine and its store

    private static let lamp = CellKey(kind: "lamp", record: RandomID(high: 1, low: 1), group: "name")

    /// A hub at rest in a folder, for one request.
    private func resting(_ store: HubStore) throws -> RestingEngine<HubEngine> {
        let schema = Schema(versions: 1...1, projected: [.init(kind: "lamp", group: "name")])
        let engine = HubEngine(
            configuration: .init(app: "lamps", schema: schema), state: try store.load(),
            transfers: try store.transfers(), seed: 7, at: .now)
        return RestingEngine(engine) { output in
            guard case .persist(let group) = output else { return nil }
            do {
                try store.commit(group)
                return .persisted(group)
            } catch {
                return .persistFailed(group, reason: "\(error)")
            }
        }
    }

    private func name(_ value: String, _ hub: RestingEngine<HubEngine>, expected: Version) -> HubEngine.Answer {
        hub.perform {
            .transact($0, [CellChange(key: Self.lamp, value: value)], expected: expected)
        } answer: { output, request in
            if case .answer(request, let answer) = output { answer } else { nil }
        }
    }

    @Test func `what a hub at rest has answered is on the disk`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("hub")
        let version = try {
            let hub = try resting(try HubStore(in: try StateFolder(path: path)))
            let before = hub.read(\.version)
            guard case .done(let after) = name("Desk", hub, expected: before) else {
                Issue.record("the change was refused")
                return before
            }
            #expect(name("Shelf", hub, expected: before) == .refused(.versionMoved(after)))
            return after
        }()

        let again = try resting(try HubStore(in: try StateFolder(path: path)))
        #expect(again.read(\.version) == version)
        #expect(again.read { $0.cells[Self.lamp]?.value } == "Desk")
    }
}
