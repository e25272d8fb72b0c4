import CommandSupport
import MQTT
import Primitives
import Testing

@testable import poolsensors

@Suite struct ProbeSummaryTests {
    private static let summary = ProbeSummary(
        event: "summary", published: 60, acknowledged: 58, unacknowledged: 2, repeated: 3, refused: 0, silent: 1,
        connections: 2, seconds: 29.04)

    @Test func `the line tells what is not as usual`() {
        #expect(
            Self.summary.line
                == "published 60, acknowledged 58, on the way 2, repeated 3, silent 1, connections 2 in 29 s (2/s)")
        #expect(ProbeSummary.nothing.line == "published 0, acknowledged 0 in 0 s (0/s)")
    }

    @Test func `what is written is read, and nothing else is`() throws {
        #expect(ProbeSummary(line: try JSONText.line(Self.summary)) == Self.summary)
        #expect(ProbeSummary(line: "connecting to 127.0.0.1:1883") == nil)
        #expect(ProbeSummary(line: "{}") == nil)
    }

    @Test func `two lives of a probe add up`() {
        let both = Self.summary.followed(by: Self.summary)

        #expect(both.published == 120)
        #expect(both.acknowledged == 116)
        // The unconfirmed samples of the first run are lost with it.
        #expect(both.unacknowledged == 2)
        #expect(ProbeSummary.nothing.followed(by: Self.summary) == Self.summary)
    }

    @Test func `pauses grow with jitter to ten seconds, and a connection that stood makes them short again`() {
        var reconnect = ProbeRunner.reconnect
        var generator = SplitMix64(seed: 1)
        for failure in 0..<12 {
            let ceiling = min(10, 0.25 * Double(1 << min(failure, 10)))
            let seconds = reconnect.wait(afterConnectionOf: nil, using: &generator).seconds
            #expect((ceiling / 2...ceiling).contains(seconds))
        }
        // A broker that accepts and immediately closes connections is not retried at a high rate.
        #expect(reconnect.wait(afterConnectionOf: .seconds(1), using: &generator).seconds >= 5)
        #expect(reconnect.wait(afterConnectionOf: .seconds(5), using: &generator).seconds <= 0.25)
    }
}
