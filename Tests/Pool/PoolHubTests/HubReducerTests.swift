import Logging
import PoolControl
import PoolModel
import SyncCore
import TestSupport
import Testing

@testable import PoolHub

/// What the reducer passes on of the engine's events, at moments that the tests choose.
@Suite struct HubReducerTests {
    private let shown = Recorder<PoolHub.Event>()
    private let second = Awaited<Int64>(0)
    private let place: TestHubFolder
    private let reducer: HubReducer

    init() throws {
        let (shown, second) = (self.shown, self.second)
        place = try TestHubFolder()
        let logger = Logger(label: "test")
        reducer = HubReducer(
            alerts: AlertQueue(), publishing: PublisherQueue(), queries: QueryService(logger: logger),
            files: try FileSharing(try HubFolder(path: place.path), queues: [:], logger: logger),
            userInfo: UserInfoConsumer(logger: logger),
            now: {
                Moment(monotonic: Instant(nanoseconds: second.value * 1_000_000_000), wallMilliseconds: 0)
            }, onEvent: { shown.record($0) })
    }

    private func take(_ event: HubEngine.Event) { #expect(reducer.handle(.engine(event)) == nil) }

    private func take(_ event: TransferEvent, from watch: PeerKey) {
        #expect(reducer.handle(.transfer(event, from: watch)) == nil)
    }

    private func key(_ number: Int) throws -> PeerKey {
        try #require(
            PeerKey(bytes: [UInt8](repeating: 7, count: 30) + [UInt8(number / 256), UInt8(number % 256)]))
    }

    private func declined(_ number: Int, _ code: Refusal.Code = .notPaired, _ text: String = "no") throws {
        take(.refused(try key(number), Refusal(code: code, text: text, retryAfterMilliseconds: 1000)))
    }

    private func pass(seconds: Int64) {
        second.change { $0 += seconds }
    }

    @Test func `what a stranger repeats is a line in half a minute for each reason, whatever it makes the words be`()
        throws
    {
        for number in 0..<600 {
            try declined(1, .upgradeHub, "the watch reads \(number)")
            if number % 10 == 9 { pass(seconds: 1) }
        }
        #expect(shown.items.map(\.kind) == [.declined, .declined])

        try declined(1, .invitationVoid)
        try declined(2)
        #expect(shown.items.count == 4)
    }

    @Test func `many strangers together get so many lines in half a minute, and no more`() throws {
        for number in 0..<1000 { try declined(number) }
        #expect(shown.items.count == LogRateLimit.countMax)
        pass(seconds: 30)
        try declined(999)
        #expect(shown.items.count == LogRateLimit.countMax + 1)
    }

    @Test func `that edits wait for room among the conflicts is told again when some were taken meanwhile`() throws {
        let watch = try key(1)
        for _ in 0..<100 {
            take(.conflictsFull(watch))
            pass(seconds: 2)
        }
        #expect(shown.items.count == 1)
        take(.uploadsTaken(watch, highest: 1))
        take(.conflictsFull(watch))
        #expect(shown.items.count == 2)

        // Nor as often as a watch can do it.
        take(.uploadsTaken(watch, highest: 2))
        take(.conflictsFull(watch))
        #expect(shown.items.count == 2)
        pass(seconds: 30)
        take(.conflictsFull(watch))
        #expect(shown.items.count == 3)
    }

    @Test func `what happens rarely is told each time`() throws {
        let watch = try key(1)
        for _ in 0..<3 {
            take(.linked(watch, name: "Kitchen"))
            take(.unlinked(watch, name: "Kitchen", .silent))
        }
        #expect(shown.items.count == 6)
    }

    @Test func `a store that fails is a notice that needs attention, with the name of the watch whose part it is`()
        throws
    {
        let watch = try key(1)
        take(.linked(watch, name: "Kitchen"))
        take(.notStored("the disk is full"))
        for _ in 0..<10 {
            take(.exchange(.notStored("the disk is full")), from: watch)
            take(.files(.notStored("the disk is full")), from: watch)
        }
        // The first one is the link.
        let failures = shown.items.dropFirst()
        #expect(
            failures.map(\.words) == [
                "the hub's store failed: the disk is full; what watches send is tried again",
                "the hub's store failed for the watch Kitchen: the disk is full; what watches send is tried again",
            ])
        #expect(failures.allSatisfy { $0.kind == .notice && $0.severity == .warning })
    }
}
