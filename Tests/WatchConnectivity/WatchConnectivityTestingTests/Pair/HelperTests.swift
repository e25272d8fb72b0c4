import Foundation
import Platform
import TestSupport
import Testing
import WatchConnectivity

@testable import WatchConnectivityTesting

/// What helps a test: the report of its failures, the events of a device as a stream, and random programs.
@Suite(.longWork) struct HelperTests {
    /// Counts what comes; starts its session at each launch of its app.
    private final class Counter: NSObject, WCSessionDelegate, Sendable {
        let numbers = Lock<[Int]>([])

        func session(
            _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState,
            error: (any Error)?
        ) {}

        func sessionDidBecomeInactive(_ session: WCSession) {}

        func sessionDidDeactivate(_ session: WCSession) { session.activate() }

        func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any] = [:]) {
            numbers.withLock { $0.append(userInfo["n"] as? Int ?? 0) }
        }
    }

    // MARK: - Reports

    @Test func `a report has the seed, the warnings and the timeline of each pair, once`() throws {
        let log = PairLog()
        let (phone, watch) = (Counter(), Counter())
        let pair = try PairLog.$current.withValue(log) { try TestPair.activated(phone: phone, watch: watch, seed: 7) }
        pair.phone.sendMessage(["tags": [NSNull()]], replyHandler: nil)
        pair.settle()

        let report = log.report()
        #expect(report.contains("seed 7"))
        #expect(report.contains("    phone: sendMessage: the value at tags[0]"))
        #expect(report.hasSuffix(pair.timeline))
        let count = pair.events.count
        pair.phone.transferUserInfo(["n": 1])
        pair.settle()
        let lines = pair.events.dropFirst(count).map(\.line).joined(separator: "\n")
        #expect(log.report().hasSuffix("timeline since the last failure:\n\(lines)"))
    }

    @Test func `a pair that is released is still in the report, and one of another test is not`() throws {
        let log = PairLog()
        _ = try TestPair(seed: 8)
        try PairLog.$current.withValue(log) { _ = try TestPair(seed: 9) }

        let report = log.report()
        #expect(report.contains("seed 9") && report.contains("gets power"))
        #expect(!report.contains("seed 8"))
    }

    @Test(.pairReports) func `the trait gives each test a log of its own`() throws {
        let log = try #require(PairLog.current)
        #expect(log.report().isEmpty)
        _ = try TestPair(seed: 3)
        #expect(log.report().contains("seed 3"))
    }

    // That each warning fails the test is shown by `.ci/follow-page`, which plants one.
    @Test func `a pair without a warning fails no test that expects none`() throws {
        let duo = try Duo()
        duo.pair.phone.transferUserInfo(["n": 1])
        duo.pair.settle()
        duo.pair.expectNoWarnings()
    }

    // MARK: - Events

    @Test func `a session's events are those of its device, from the start on, until the pair is gone`() async throws {
        let (phoneDelegate, watchDelegate) = (Counter(), Counter())
        var pair: TestPair? = try TestPair.activated(phone: phoneDelegate, watch: watchDelegate)
        let (phone, watch) = (try #require(pair?.phone.events), try #require(pair?.watch.events))
        pair?.phone.transferUserInfo(["n": 1])
        await pair?.settle()
        let events = try #require(pair?.events)
        pair = nil

        var seen: [TestPair.Event] = []
        for await event in phone { seen.append(event) }
        #expect(Array(seen.prefix(events.count { $0.place == "phone" })) == events.filter { $0.place == "phone" })
        seen = []
        for await event in watch where event.kind == .call { seen.append(event) }
        #expect(seen == events.filter { $0.place == "watch" && $0.kind == .call })
        #expect(seen.contains { $0.text.hasPrefix("didReceiveUserInfo") })
    }

    @Test func `a session of no pair has no events`() async {
        var count = 0
        for await _ in WCSession().events { count += 1 }
        #expect(count == 0)
    }

    // MARK: - Random programs

    /// Runs a program, and returns how many numbers each side sent, and what arrived.
    private func run(seed: UInt64, watches: Int = 1) throws -> (sent: [Int], arrived: [Int], timeline: String) {
        let pair = try TestPair(watches: watches, seed: seed)
        let (phone, watch) = (Counter(), Counter())
        pair.phoneDevice.onLaunch = { session, _ in
            session.delegate = phone
            session.activate()
        }
        for device in pair.watchDevices {
            device.onLaunch = { session, _ in
                session.delegate = watch
                session.activate()
            }
        }
        for device in [pair.phoneDevice] + pair.watchDevices { device.relaunch() }
        var sent: [Int] = []
        let count = Lock(0)
        func send() {
            let number = count.withLock { count in
                count += 1
                return count
            }
            sent.append(number)
            WCSession.default.transferUserInfo(["n": number])
        }
        #expect(pair.runRandomProgram(phone: { send() }, watch: { send() }))
        return (sent, (phone.numbers.withLock(\.self) + watch.numbers.withLock(\.self)).sorted(), pair.timeline)
    }

    @Test(.pairReports, arguments: 1...8 as ClosedRange<UInt64>)
    func `nothing that an app sends in a random program is lost or comes twice`(seed: UInt64) throws {
        let (sent, arrived, _) = try run(seed: seed, watches: seed % 4 == 0 ? 2 : 1)
        #expect(arrived == sent)
    }

    @Test func `random programs end apps, switch devices off and cut links, and a seed gives the same one again`()
        throws
    {
        let cut = (1...).first { seed in
            SessionProgram(seed: seed).steps.contains { if case .link(_, .cut) = $0 { true } else { false } }
        }
        let seeds = [try #require(cut)] + Array(1...12)
        let runs = try seeds.map { try run(seed: $0) }
        for words in ["the link of watch 1 is cut", "is switched off", "the system starts or wakes", "is suspended"] {
            #expect(runs.contains { $0.timeline.contains(words) }, "\(words)")
        }
        #expect(runs.contains { $0.sent.count > 10 })
        #expect(try run(seed: 5).timeline == runs[5].timeline)
    }
}
