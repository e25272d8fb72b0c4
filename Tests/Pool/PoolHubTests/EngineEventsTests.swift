import PoolControl
import PoolModel
import SyncCore
import TestSupport
import Testing

@testable import PoolHub

/// Which of the engine's events become lines for people, at moments that the tests choose.
@Suite struct EngineEventsTests {
    private let words = CurrentEntryFormatter()
    private let shown = Recorder<PoolHub.Event>()
    private let second = Awaited<Int64>(0)
    private let events: EngineEvents

    init() {
        let (shown, second) = (self.shown, self.second)
        events = EngineEvents(
            words: words, observer: HubStateObserver(), changed: AsyncStream<Void>.makeStream().continuation,
            now: {
                Moment(monotonic: Instant(nanoseconds: second.value * 1_000_000_000), wallMilliseconds: 0)
            }, onEvent: { shown.record($0) })
    }

    private func key(_ number: Int) throws -> PeerKey {
        try #require(
            PeerKey(bytes: [UInt8](repeating: 7, count: 30) + [UInt8(number / 256), UInt8(number % 256)]))
    }

    private func declined(_ number: Int, _ code: Refusal.Code = .notPaired, _ text: String = "no") throws {
        events.take(.refused(try key(number), Refusal(code: code, text: text, retryAfterMilliseconds: 1000)))
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
            events.take(.conflictsFull(watch))
            pass(seconds: 2)
        }
        #expect(shown.items.count == 1)
        events.take(.uploadsTaken(watch, highest: 1))
        events.take(.conflictsFull(watch))
        #expect(shown.items.count == 2)

        // Nor as often as a watch can do it.
        events.take(.uploadsTaken(watch, highest: 2))
        events.take(.conflictsFull(watch))
        #expect(shown.items.count == 2)
        pass(seconds: 30)
        events.take(.conflictsFull(watch))
        #expect(shown.items.count == 3)
    }

    @Test func `what happens rarely is told each time`() throws {
        let watch = try key(1)
        for _ in 0..<3 {
            events.take(.linked(watch, name: "Kitchen"))
            events.take(.unlinked(watch, name: "Kitchen", .silent))
        }
        #expect(shown.items.count == 6)
    }

    @Test func `a store that fails is a notice that needs attention, with the name of the watch whose part it is`()
        throws
    {
        let watch = try key(1)
        words.learn(.linked(watch, name: "Kitchen"))
        events.take(.notStored("the disk is full"))
        for _ in 0..<10 {
            events.take(.exchange(.notStored("the disk is full")), from: watch)
            events.take(.files(.notStored("the disk is full")), from: watch)
        }
        #expect(
            shown.items.map(\.words) == [
                "the hub's store failed: the disk is full; what watches send is tried again",
                "the hub's store failed for the watch Kitchen: the disk is full; what watches send is tried again",
            ])
        #expect(shown.items.allSatisfy { $0.kind == .notice && $0.severity == .warning })
    }
}
