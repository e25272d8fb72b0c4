import PoolSamples
import TestSupport
import Testing

@testable import PoolAlerts
@testable import PoolModel

/// Long random runs: invariants that always hold, checked from the inputs and the notices alone.
@Suite(.longWork) struct AlertRandomTests {
    /// An event, which is passed to every engine in the same way.
    private enum Event {
        case value(UInt64, Quantity, Double, AlertSample.Standing)
        case input(AlertInput)
        case limits(UInt64, Quantity, Limits)
        case wait(Int64)
        case jump(Int64)
        case answer(AlertBench.Answer)
        case acknowledge
        case snooze
    }

    private static func days(seed: UInt64, count: Int, hasOldValues: Bool) -> [Event] {
        var random = SplitMix64(seed: seed)
        var walk: [String: Double] = [:]
        return (0..<count).map { _ in
            let device = UInt64.random(in: 1...2, using: &random)
            let quantity: Quantity = random.unit() < 0.8 ? .ph : .orp
            switch Int.random(in: 0..<40, using: &random) {
            case 0..<20:
                let limits = quantity.facts.limits
                let scale = limits.high - limits.low
                let key = "\(device)\(quantity)"
                var value = walk[key] ?? (limits.high + limits.low) / 2
                value += scale * (random.unit() - 0.5) * (random.unit() < 0.1 ? 4 : 0.8)
                value = min(max(value, limits.criticalLow - scale / 3), limits.criticalHigh + scale / 3)
                walk[key] = value
                let standings: [AlertSample.Standing] = [.late, .retained, .outOfOrder, .quarantined]
                let isOdd = random.unit() < 0.1
                let standing = isOdd ? standings.randomElement(using: &random) ?? .live : .live
                return .value(device, quantity, value, !hasOldValues && standing == .late ? .live : standing)
            case 20..<30: return .wait(Int64.random(in: 0...400_000, using: &random))
            case 30: return .input(.unreadable(deviceID(device), quantity, name: "Lagoon"))
            case 31:
                return .input(
                    .missing(deviceID(device), nil, name: "Lagoon", server: home.id, reason: .silent))
            case 32: return .input(.connectionLost(home.id, name: "Home"))
            case 33: return .input(.connectionRestored(home.id))
            case 34: return .jump(Int64.random(in: -100_000_000...100_000_000, using: &random))
            case 35: return .acknowledge
            case 36: return .snooze
            case 37: return .answer([.delivered, .delivered, .failed, .denied].randomElement(using: &random) ?? .none)
            case 38:
                let channels = AlertChannel.allCases.filter { $0.phoneService == nil }
                let channel = channels.randomElement(using: &random) ?? .terminal
                return .input(.authorization(channel, random.unit() < 0.8 ? .granted : .denied))
            default:
                var limits = quantity.facts.limits
                if random.unit() < 0.3 { limits.high = (limits.high + limits.low) / 2 }
                return .limits(device, quantity, limits)
            }
        }
    }

    private static func live(_ event: Event, in bench: inout AlertBench) {
        switch event {
        case .value(let device, let quantity, let value, let standing):
            bench.value(value, quantity, standing: standing, device: device)
        case .input(let input): bench.put(input)
        case .limits(let device, let quantity, let limits): bench.change(limits, quantity, device: device)
        case .wait(let milliseconds): bench.wait(milliseconds)
        case .jump(let milliseconds):
            bench.moment.wall = bench.moment.wall.advanced(byMilliseconds: milliseconds)
            bench.put(.timePassed)
        case .answer(let answer): bench.answer = answer
        case .acknowledge:
            if let alert = bench.engine.state.alerts.first { bench.put(.acknowledge(alert.episodeID)) }
        case .snooze:
            if let alert = bench.engine.state.alerts.last { bench.put(.snooze(alert.episodeID, seconds: 1800)) }
        }
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `a process that restarts between any two events sends the same notices`(seed: UInt64) throws {
        var settings = AlertSettings()
        if seed % 2 == 1 { settings.quietHours = QuietHours(startMinute: 1200, endMinute: 400) }
        var steady = AlertBench(settings)
        var restarted = AlertBench(settings)
        var random = SplitMix64(seed: seed &+ 1000)
        for (number, event) in Self.days(seed: seed, count: 600, hasOldValues: false).enumerated() {
            // Attempts are counted from zero after a restart, so a failing channel may be tried more often.
            if case .answer(.failed) = event { continue }
            Self.live(event, in: &steady)
            Self.live(event, in: &restarted)
            if random.unit() < 0.5 { try restarted.restart() }
            let (expected, found) = (steady.notices, restarted.notices)
            try #require(expected.count == found.count, "seed \(seed), event \(number): \(event)")
            try #require(expected.last == found.last, "seed \(seed), event \(number): \(event)")
        }
        #expect(steady.notices == restarted.notices)
        #expect(steady.notices.count > 20)
    }

    @Test(arguments: 100..<104 as Range<UInt64>)
    func `whatever happens, nobody is told twice, too soon, or without permission`(seed: UInt64) throws {
        var bench = AlertBench()
        var over: Set<AlertEpisodeID> = []
        var told: Set<AlertEpisodeID> = []
        var seen: Set<String> = []
        for event in Self.days(seed: seed, count: 1200, hasOldValues: true) {
            let before = bench.sent.count
            let allowed = Set(
                AlertChannel.allCases.filter {
                    (bench.engine.authorizations[$0] ?? $0.initialAuthorization) == .granted
                })
            Self.live(event, in: &bench)
            let alerts = bench.engine.state.alerts
            try #require(Set(alerts.map(\.key)).count == alerts.count)
            for (notice, channels) in bench.sent.dropFirst(before) {
                if case .input(.authorization) = event {} else { try #require(allowed.isSuperset(of: channels)) }
                guard seen.insert(notice.id).inserted else { continue }
                let episode = notice.episodeID
                try #require(!over.contains(episode), "\(notice) after its recovery")
                switch notice.kind {
                case .raised, .late: break
                case .recovered:
                    over.insert(episode)
                    try #require(told.contains(episode))
                case .repeated: try #require(told.contains(episode))
                case .escalated: try #require(notice.severity == .critical && told.contains(episode))
                case .test: Issue.record("nobody asked for a test")
                }
                told.insert(episode)
            }
        }
        #expect(seen.count > 40)
        var lastDeliveredAt: [AlertEpisodeID: Int64] = [:]
        for (notice, uptime) in bench.lastDelivered {
            let last = lastDeliveredAt.updateValue(uptime, forKey: notice.episodeID)
            if notice.kind == .repeated, let last { try #require(uptime - last >= 300_000) }
        }
    }

    @Test(arguments: 200..<204 as Range<UInt64>)
    func `no escalation and no first alert after a recovery is ever swallowed`(seed: UInt64) throws {
        var bench = AlertBench()
        var previous: [String: (value: Double, at: Timestamp)] = [:]
        for (number, event) in Self.days(seed: seed, count: 1200, hasOldValues: false).enumerated() {
            switch event {
            case .answer, .limits, .input(.authorization), .snooze, .jump: continue
            default:
                // Two equal values with the same time would count as one sample.
                bench.wait(1)
                Self.live(event, in: &bench)
            }
            guard case .value(let device, let quantity, let value, .live) = event else { continue }
            let key = "\(device)\(quantity)"
            let old = previous.updateValue((value, bench.moment.wall), forKey: key)
            let limits = quantity.facts.limits
            guard value < limits.criticalLow || value > limits.criticalHigh, let old else { continue }
            guard abs(value - old.value) <= quantity.facts.plausibleJump else { continue }
            // The water is critical and the value is plausible, so the last notice must report it.
            let side: Limits.Deviation = value < limits.low ? .low : .high
            let word = bench.notices.last { $0.key == .value(deviceID(device), quantity, side) }
            try #require(word?.severity == .critical, "seed \(seed), event \(number)")
            try #require(word?.kind != .recovered, "seed \(seed), event \(number)")
        }
        #expect(bench.kinds.contains(.escalated))
    }

    // The hub lists the open alerts only when the number says so.
    @Test(arguments: 300..<304 as Range<UInt64>)
    func `open alerts look the same until their number increases or one of their values gets old`(seed: UInt64) throws {
        var bench = AlertBench()
        var known = (number: bench.engine.openChangeCount, open: Self.listed(bench.engine), outdates: Int64.max)
        var sameCount = 0
        for (number, event) in Self.days(seed: seed, count: 1200, hasOldValues: true).enumerated() {
            Self.live(event, in: &bench)
            // The engine knows the time of its last input.
            if case .wait = event { bench.put(.timePassed) }
            let (engine, now) = (bench.engine, bench.moment.uptimeMilliseconds)
            if engine.openChangeCount == known.number, known.outdates > now {
                try #require(Self.listed(engine) == known.open, "seed \(seed), event \(number): \(event)")
                sameCount += known.open.isEmpty ? 0 : 1
            }
            known = (engine.openChangeCount, Self.listed(engine), engine.nextOutdating ?? .max)
        }
        #expect(sameCount > 20)
    }

    /// The open alerts without the ends of their snoozes, which are computed from the clock.
    private static func listed(_ engine: AlertEngine) -> [AlertState.Alert] {
        engine.open.map { alert in
            var alert = alert
            alert.snoozedUntil = nil
            return alert
        }
    }
}

extension SplitMix64 {
    /// The next number in 0..<1.
    fileprivate mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }
}
