import Foundation
import Platform
import Testing

@testable import WatchConnectivity
@testable import WatchConnectivityTesting

/// P3: what `WCSession.default` is for code of a test that goes on elsewhere; one pair at a time can stand in for the
/// process.
@Suite(.serialized) struct SingletonTests {
    /// Ways to go on in which code stays the side's.
    enum Kept: CaseIterable {
        case task, childTask, mainActor, queueThatWaits, notification, handler
    }

    /// Ways to go on in which code is no side's any more.
    enum Lost: CaseIterable {
        case queue, operation, thread, timer, notificationOnQueue, detachedTask
    }

    private static let queue = OperationQueue()

    private static func session() -> ObjectIdentifier { ObjectIdentifier(WCSession.default) }

    @Test(arguments: Kept.allCases) func `code that goes on in one of these ways finds its side`(way: Kept) async throws
    {
        // P3
        let pair = try await TestPair(singleton: .watch)
        let phone = ObjectIdentifier(pair.phone)
        let found = await pair.asDefault(.phone) { await Self.found(after: way, pair) }
        #expect(found == phone)
    }

    private static func found(after way: Kept, _ pair: TestPair) async -> ObjectIdentifier? {
        switch way {
        case .task: return await Task { session() }.value
        case .childTask:
            async let found = session()
            return await found
        case .mainActor: return await MainActor.run { session() }
        case .queueThatWaits: return DispatchQueue(label: "waits").sync { session() }
        case .notification:
            let center = NotificationCenter()
            let found = Lock<ObjectIdentifier?>(nil)
            let token = center.addObserver(forName: .init("lap"), object: nil, queue: nil) { _ in
                let now = session()
                found.withLock { $0 = now }
            }
            center.post(name: .init("lap"), object: nil)
            center.removeObserver(token)
            return found.withLock(\.self)
        case .handler:
            let found = Lock<ObjectIdentifier?>(nil)
            let delegate = RecordingDelegate()
            WCSession.default.delegate = delegate
            WCSession.default.activate()
            await pair.settle()
            WCSession.default.sendMessage([:], replyHandler: nil) { _ in
                let now = session()
                found.withLock { $0 = now }
            }
            await pair.settle()
            return found.withLock(\.self)
        }
    }

    @Test(arguments: Lost.allCases)
    func `code that goes on in one of the other ways finds the side that stands in for the process`(
        way: Lost
    ) async throws {
        // P3
        let pair = try await TestPair(singleton: .watch)
        let watch = ObjectIdentifier(pair.watch)
        let found = await pair.asDefault(.phone) { await Self.found(after: way, pair) }
        #expect(found == watch)
    }

    private static func found(after way: Lost, _ pair: TestPair) async -> ObjectIdentifier {
        await withCheckedContinuation { continuation in
            @Sendable func goOn() { continuation.resume(returning: session()) }
            switch way {
            case .queue: DispatchQueue.global().async { goOn() }
            case .operation: OperationQueue().addOperation { goOn() }
            case .thread: Thread.detachNewThread { goOn() }
            case .timer:
                // It is made by the side's code, and goes off when that has returned.
                Thread.detachNewThread {
                    pair.asDefault(.phone) {
                        let timer = Timer(timeInterval: 0.001, repeats: false) { _ in goOn() }
                        RunLoop.current.add(timer, forMode: .default)
                    }
                    RunLoop.current.run(until: Date(timeIntervalSinceNow: 1))
                }
            case .notificationOnQueue:
                let center = NotificationCenter()
                _ = center.addObserver(forName: .init("lap"), object: nil, queue: Self.queue) { _ in goOn() }
                center.post(name: .init("lap"), object: nil)
            case .detachedTask: Task.detached { goOn() }
            }
        }
    }

    @Test func `the side stands in for the process until the pair ends, also after its device was switched off`()
        async throws
    {
        var pair: TestPair? = try await TestPair.activated(
            phone: RecordingDelegate(), watch: RecordingDelegate(), singleton: .watch)
        pair?.watchDevice.powerOff()
        pair?.watchDevice.powerOn()
        let session = try #require(pair?.watch)
        #expect(WCSession.default === session)
        let found = try await Self.found(after: .detachedTask, #require(pair))
        #expect(found == ObjectIdentifier(session))
        // The other side is still itself in its own code.
        #expect(pair?.asDefault(.phone) { WCSession.default } === pair?.phone)
        pair = nil
        let after = SessionRegistry.current
        #expect(after === SessionRegistry.process)
    }

    @Test func `a side stands in only for code that may be of its own test`() {
        let registry = SessionRegistry(role: .watch)
        registry.standIn { false }
        #expect(SessionRegistry.current === SessionRegistry.process)
        registry.standIn { true }
        #expect(SessionRegistry.current === registry)
        registry.standDown()
        #expect(SessionRegistry.current === SessionRegistry.process)
    }

    // MARK: - Turns

    @Test func `a pair waits until an earlier one that stands in for the process is gone`() async throws {
        let order = Lock<[String]>([])
        var first: TestPair? = try await TestPair(singleton: .watch)
        let second = Task {
            let pair = try await TestPair(singleton: .phone)
            order.withLock { $0.append("second") }
            #expect(throws: SingletonInUse.self) { try SingletonTurn.take() }
            return WCSession.default === pair.phone
        }
        let isWaiting = await first?.settle { SingletonTurn.waitingCount == 1 }
        #expect(isWaiting == true)
        order.withLock { $0.append("first ends") }
        first = nil
        #expect(try await second.value)
        #expect(order.withLock(\.self) == ["first ends", "second"])
    }

    @Test func `a test that cannot wait gets an error, and one that is cancelled waits no longer`() async throws {
        let pair = try await TestPair(singleton: .watch)
        func withoutWaiting() throws -> TestPair { try TestPair(singleton: .phone) }
        #expect(throws: SingletonInUse.self) { try withoutWaiting() }
        let waiting = Task { try await TestPair(singleton: .phone) }
        #expect(await pair.settle { SingletonTurn.waitingCount == 1 })
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(SingletonTurn.waitingCount == 0)
    }

    // MARK: - The process's own session

    /// Collects the failures of code that would fail its test.
    final class Failures: Sendable {
        private let texts = Lock<[String]>([])

        func add(_ text: String) { texts.withLock { $0.append(text) } }

        var count: Int { texts.withLock(\.count) }
        /// Whether all name the ways out.
        var areHelpful: Bool {
            texts.withLock {
                $0.allSatisfy { $0.contains("pair.asDefault") && $0.contains("TestPair(singleton: .phone)") }
            }
        }
    }

    @Test func `a test with a pair fails where it uses the process's own session, once`() throws {
        let pair = try TestPair()
        let failures = Failures()
        RunningTest.$failures.withValue({ failures.add($0) }) {
            _ = WCSession.default
            #expect(failures.count == 1)
            _ = WCSession.default
            pair.settle()
        }
        #expect(failures.count == 1 && failures.areHelpful)
        #expect(pair.warnings.count == 1)
    }

    @Test func `a test without a pair may use the process's own session`() {
        let failures = Failures()
        RunningTest.$failures.withValue({ failures.add($0) }) {
            #expect(WCSession.default === SessionRegistry.process.defaultSession)
        }
        #expect(failures.count == 0)
    }

    @Test func `code on another queue fails the test when it runs its pair`() async {
        // In this process the pairs of other tests would be suspected, too.
        await #expect(processExitsWith: .success) {
            let pair = try TestPair()
            let failures = Failures()
            // That is said once.
            for _ in 1...2 {
                await Task.detached { _ = WCSession.default }.value
                await RunningTest.$failures.withValue({ failures.add($0) }) { _ = await pair.settle() }
                #expect(failures.count == 1)
            }
            #expect(failures.areHelpful && pair.warnings.count == 1)
        }
    }

    @Test func `code on another queue fails the test at the end if that does not run its pair`() async {
        await #expect(processExitsWith: .success) {
            let pair = Lock<TestPair?>(try TestPair())
            let failures = Failures()
            await Task.detached { _ = WCSession.default }.value
            #expect(failures.count == 0)
            RunningTest.$failures.withValue({ failures.add($0) }) { pair.withLock { $0 = nil } }
            #expect(failures.count == 1)
        }
    }
}

/// Whose mistake it is that code used the process's own session, among tests that run at the same time.
@Suite struct LivePairsTests {
    private typealias Suspects = LivePairs.Suspects

    private func test(_ name: String) -> RunningTest? { RunningTest(name: name, key: name) }

    @Test func `code in the task of a test is that test's`() {
        var suspects = Suspects<Int>()
        suspects.add(1, of: test("a"))
        suspects.add(2, of: test("b"))
        #expect(suspects.find(test("b")) == .running([2]))
        // It is said once, and the other test has nothing to do with it.
        #expect(suspects.find(test("b")) == nil)
        #expect(suspects.find(test("a")) == .running([1]))
    }

    @Test func `code in the task of a test without pairs is nobody's mistake`() {
        var suspects = Suspects<Int>()
        suspects.add(1, of: test("a"))
        #expect(suspects.find(test("c")) == nil)
        #expect(suspects.find(nil) == .owner(1))
    }

    @Test func `a test may use a pair that was made outside of any test`() {
        var suspects = Suspects<Int>()
        suspects.add(1, of: test("a"))
        suspects.add(2, of: nil)
        #expect(suspects.find(test("c")) == .running([2]))
    }

    @Test func `code of no task is that of the only test, or of one of several, which are named`() {
        var suspects = Suspects<Int>()
        suspects.add(1, of: test("a"))
        suspects.add(2, of: test("a"))
        #expect(suspects.find(nil) == .owner(2))
        suspects.add(3, of: test("b"))
        #expect(suspects.find(nil) == .oneOf(["a", "b"]))
        #expect(suspects.find(nil) == nil)
    }
}
