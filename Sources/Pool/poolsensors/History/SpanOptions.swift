import ArgumentParser
import CommandSupport
import Foundation
import Platform
import PoolControl
import PoolHub
import PoolModel

/// A span of sample times.
struct SpanOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The first moment, such as 2026-06-01, in local time unless it names a zone.", valueName: "moment"))
    var from: String?

    @Option(help: ArgumentHelp("The last moment.", valueName: "moment"))
    var to: String?

    @Option(help: ArgumentHelp("The last part until now, such as 24h, 7d or 1y.", valueName: "duration"))
    var last: String?

    func validate() throws {
        if last != nil, from != nil || to != nil { throw ValidationError("--last goes without --from and --to") }
        _ = try bounds(at: .now)
    }

    /// Whether no flag was given.
    var isEmpty: Bool { from == nil && to == nil && last == nil }

    /// The first and the last moment; nil for those that were not given.
    ///
    /// - Throws: `ValidationError`.
    func bounds(at now: Timestamp) throws -> (first: Timestamp?, last: Timestamp?) {
        if let last {
            guard let length = HistoryTime.milliseconds(last) else {
                throw ValidationError("--last is \"\(last)\", expected a duration such as 24h, 7d or 1y")
            }
            return (now.advanced(byMilliseconds: -length), now)
        }
        let bounds = (first: try moment(from, "--from"), last: try moment(to, "--to"))
        if let first = bounds.first, let last = bounds.last, first > last {
            throw ValidationError("--to is \(MomentText.of(last)), before --from")
        }
        return bounds
    }

    private func moment(_ text: String?, _ flag: String) throws -> Timestamp? {
        guard let text else { return nil }
        guard let moment = MomentText.moment(text) else {
            throw ValidationError("\(flag) is \"\(text)\", expected \(MomentText.expected)")
        }
        return moment
    }
}

/// Reads and formats spans of time for people.
enum HistoryTime {
    /// Reads a duration, also in weeks (`2w`) and years of 365 days (`1y`); nil if it is invalid or not above zero.
    static func milliseconds(_ text: String) -> Int64? {
        let days: [Character: Int64] = ["w": 7, "y": 365]
        if let factor = text.last.flatMap({ days[$0] }), let count = Int64(text.dropLast()), (1...520).contains(count) {
            return count * factor * 86_400_000
        }
        guard let duration = DurationText.duration(text), duration >= .seconds(1) else { return nil }
        return Int64(duration.seconds * 1000)
    }

    /// How long ago a moment is, in its largest unit.
    static func ago(_ moment: Timestamp, at now: Timestamp) -> String {
        let seconds = now.milliseconds(since: moment) / 1000
        switch seconds {
        case ..<0: return "in the future"
        case ..<60: return "\(seconds) s ago"
        case ..<3600: return "\(seconds / 60) min ago"
        case ..<172_800: return "\(seconds / 3600) h ago"
        default: return "\(seconds / 86_400) days ago"
        }
    }
}

extension CommandContext {
    /// The device whose readings a person asks for; nil if none is given.
    func deviceWithReadings(_ text: String?) async throws -> DeviceID? {
        guard let text else { return nil }
        return try await names().deviceWithReadings(named: text)
    }
}
