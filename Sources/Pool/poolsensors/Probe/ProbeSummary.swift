import CommandSupport
import Foundation
import PoolModel

/// What a probe has done so far, or in total.
struct ProbeSummary: Codable, Equatable, Sendable {
    /// `progress` while it runs, `summary` at its end.
    var event: String
    /// The samples that were sent to the broker, each counted once.
    var published: Int
    /// The samples that the broker confirmed.
    var acknowledged: Int
    /// The samples that the broker has not confirmed yet.
    var unacknowledged: Int
    /// How often a sample was published again because a connection ended before its confirmation.
    var repeated: Int
    /// The samples that the broker refused.
    var refused: Int
    /// The samples that were left out because a pool's probe was silent.
    var silent: Int
    /// The number of successful connections.
    var connections: Int
    /// The seconds since the start.
    var seconds: Double

    /// The summary for a person.
    var line: String {
        var text = "published \(published), acknowledged \(acknowledged)"
        if unacknowledged > 0 { text += ", on the way \(unacknowledged)" }
        if repeated > 0 { text += ", repeated \(repeated)" }
        if refused > 0 { text += ", refused \(refused)" }
        if silent > 0 { text += ", silent \(silent)" }
        if connections > 1 { text += ", connections \(connections)" }
        let perSecond = seconds > 0 ? Double(acknowledged) / seconds : 0
        return text + " in \(Self.rounded(seconds)) s (\(Self.rounded(perSecond))/s)"
    }

    private static func rounded(_ number: Double) -> String { NumberFormat.shortest((number * 10).rounded() / 10) }
}

extension ProbeSummary {
    /// The summary of a probe that did nothing.
    static let nothing = ProbeSummary(
        event: "summary", published: 0, acknowledged: 0, unacknowledged: 0, repeated: 0, refused: 0, silent: 0,
        connections: 0, seconds: 0)

    /// The sum of this summary and that of a later run.
    func followed(by next: ProbeSummary) -> ProbeSummary {
        ProbeSummary(
            event: next.event, published: published + next.published, acknowledged: acknowledged + next.acknowledged,
            unacknowledged: next.unacknowledged, repeated: repeated + next.repeated, refused: refused + next.refused,
            silent: silent + next.silent, connections: connections + next.connections, seconds: seconds + next.seconds)
    }

    /// Reads a line of `--json`; nil for any other line.
    init?(line: String) {
        // A line that is no summary is for a person.
        guard let summary = try? JSONDecoder().decode(ProbeSummary.self, from: Data(line.utf8)) else { return nil }
        self = summary
    }
}
