import CommandSupport
import Foundation
import MQTT
import Platform
import PoolControl
import PoolModel
import PoolStore
import TerminalUI
import TestSupport
import Testing

@testable import poolsensors

@Suite struct DemoTourTests {
    /// A hub in which happens what the tour says, at a person who presses keys or does not.
    private final class FakeHub: Sendable {
        struct State {
            var sentences: [String] = []
            var cuts: [String] = []
            var edits: [String] = []
            var seconds = 0.0
            var hub: HubState? = Samples.report(devices: [], watches: [Samples.watch("Kitchen", isLinked: true)])
        }

        let state = Lock(State())
        let acknowledges: Bool
        let page: String?

        init(acknowledges: Bool = true, page: String? = nil) {
            self.acknowledges = acknowledges
            self.page = page
        }

        var tour: DemoTour {
            DemoTour(
                alertsKey: "6", page: { [page] in page },
                show: { [self] in show($0) }, hub: { [self] in state.withLock(\.hub) },
                cut: { [self] watches, seconds in
                    state.withLock { state in
                        state.cuts.append("\(watches.map(\.name).joined(separator: "+")) \(seconds)")
                        guard seconds == 0, watches.count == 2 else { return }
                        state.hub?.conflicts = [
                            ConflictSummary(
                                id: ConflictID(high: 0, low: 1), subject: "", base: nil,
                                loser: .init(value: "", author: "", at: .now),
                                winner: nil, rule: "newest", obstacle: nil)
                        ]
                    }
                },
                edit: { [self] watch, limit in state.withLock { $0.edits.append("\(watch.name) \(limit)") } },
                sleep: { [self] pause in state.withLock { $0.seconds += pause / .seconds(1) } })
        }

        private func show(_ sentence: String) {
            state.withLock { state in
                state.sentences.append(sentence)
                let isAlert = sentence.hasPrefix("ALERT")
                guard sentence.contains("pH rises") || isAlert && acknowledges else { return }
                var alert = AlertState.Alert(
                    episodeID: AlertEpisodeID(high: 1, low: 1), key: .value(Samples.deviceID, .ph, .high),
                    name: "Lagoon", severity: .warning, since: .now, value: 7.7, limit: 7.6, isAcknowledged: isAlert)
                alert.isAcknowledged = isAlert
                state.hub?.alerts.state = AlertState([alert])
            }
        }
    }

    @Test func `an alert, a cut and a conflict are announced in this order, each with its key`() async throws {
        let fake = FakeHub()
        try await fake.tour.run()
        let state = fake.state.withLock(\.self)

        let beginnings = [
            "Two simulated pools", "Lagoon: the acid doser", "ALERT: the pH of Lagoon is too high. Press a to",
            "Acknowledged", "The link of the watch Kitchen is cut", "The link is healed", "Kitchen and Terrace",
            "CONFLICT: press 6, then u for the other value or K for the shown one", "That was the tour",
        ]
        #expect(state.sentences.count == beginnings.count)
        for (sentence, beginning) in zip(state.sentences, beginnings) { #expect(sentence.hasPrefix(beginning)) }
        #expect(state.cuts == ["Kitchen 20", "Kitchen 0", "Kitchen+Terrace 200", "Kitchen+Terrace 0"])
        #expect(state.edits.sorted() == ["Kitchen 7.5", "Terrace 7.8"])
    }

    @Test func `the address of the page is the second sentence and the last one`() async throws {
        let page = "In a browser: http://127.0.0.1:65535/ with the code ABCD2345"
        let fake = FakeHub(page: page)
        try await fake.tour.run()
        let sentences = fake.state.withLock(\.sentences)
        #expect(sentences.indices.filter { sentences[$0] == page } == [1, sentences.count - 1])
        #expect(page.displayWidth <= 78)
    }

    @Test func `a sentence fits beside the line's edge of an ordinary terminal`() async throws {
        let fake = FakeHub()
        try await fake.tour.run()
        for sentence in fake.state.withLock(\.sentences) { #expect(sentence.displayWidth <= 78, "\(sentence)") }
    }

    @Test func `the alert can be acknowledged within a minute, and nobody has to`() async throws {
        let fake = FakeHub(acknowledges: false)
        let tour = fake.tour
        try await tour.run()
        let sentences = fake.state.withLock(\.sentences)
        #expect(!sentences.contains { $0.hasPrefix("Acknowledged") })
        #expect(sentences.last?.hasPrefix("That was the tour") == true)
    }

    @Test func `a hub that does not answer does not hold it up`() async throws {
        let fake = FakeHub()
        fake.state.withLock { $0.hub = nil }
        try await fake.tour.run()
        #expect(fake.state.withLock { $0.seconds < 300 && $0.sentences.last?.hasPrefix("That was") == true })
    }

    @Test func `the history of a demo is a day, and the probe goes on where it ends`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("history.sqlite")
        let (lagoon, spa) = (DeviceID(high: 1, low: 1), DeviceID(high: 1, low: 2))
        let now = Timestamp(milliseconds: 1_780_000_000_000)
        let counts = try DemoHistory.record([lagoon, spa], seed: 7, until: now, path: path)

        let history = try HistoryStore(path: path)
        for device in [lagoon, spa] {
            let readings = try history.readings(
                of: device, from: Timestamp(milliseconds: 0), through: now, limit: 10_000)
            #expect(readings.count == counts[device] && readings.count > 600)
            let first = try #require(readings.first?.sampledAt)
            let last = try #require(readings.last)
            #expect(now.milliseconds(since: first) > 86_000_000)
            #expect((60_000..<600_000).contains(now.milliseconds(since: last.sampledAt)))
            var source = ProbeSource(
                try ProbePlanTests.plan(devices: 2, seed: 7, start: now))
            let sample = try #require(
                (0..<20).lazy.compactMap { source.take(elapsed: .seconds($0)) }.first {
                    $0.topic.text.hasSuffix(device == lagoon ? "1" : "2")
                })
            let text = String(decoding: sample.payload, as: UTF8.self)
            let celsius = try #require(last.values[.temperature])
            #expect((-1...1).contains { text.contains("\(Int(celsius) + $0).") }, "\(text) after \(celsius)")
        }
        try history.close()
    }
}
