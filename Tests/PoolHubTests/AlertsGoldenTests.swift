import Foundation
import PoolModel
import SyncCore
import Testing

@testable import PoolHub

/// Which notices people get in a story of readings, with their ids, times and order.
///
/// `Fixtures/alerts/notices.txt` has them step by step: each notice as machines get it, the channels that it was brought to
/// (with `!` where that failed, with the name of its item where a watch gets it), and what is open afterwards. BLESS=1 in
/// the environment writes the file anew.
@Suite(.timeLimit(.minutes(20))) struct AlertsGoldenTests {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Fixtures/alerts/notices.txt").standardizedFileURL

    // MARK: - The story

    /// A message of the probe; `minute` is its own time after noon, if it tells one.
    private static func pool(
        ph: Double = 7.2, chlorine: Double = 1.5, orp: Double = 700, minute: Int64? = nil
    ) -> String {
        let time = minute.map { ",\"timestamp\":\(IngestBench.noon.milliseconds + $0 * 60_000)" } ?? ""
        return "{\"temperature\":26,\"ph\":\(ph),\"chlorine\":\(chlorine),\"orp\":\(orp)\(time)}"
    }

    /// What the broker kept for an hour: chlorine that came and went, pH that did so, ORP that stays wrong.
    private static let backlog: [String] = (0..<12).map { (number: Int) -> String in
        let ph: Double = (1...3).contains(number) ? 7.9 : 7.2
        let chlorine: Double = (4...6).contains(number) ? 0.4 : 1.5
        let orp: Double = number < 9 ? 650 : 480 - Double(number)
        return pool(ph: ph, chlorine: chlorine, orp: orp, minute: 40 + Int64(number) * 5)
    }

    private static let steps: [AlertStep] = values + faults + absences

    private static let values: [AlertStep] = [
        AlertStep(seconds: 0, words: "the water is well", deed: .messages([pool()])),
        AlertStep(seconds: 60, words: "pH too high once", deed: .messages([pool(ph: 7.8)])),
        AlertStep(seconds: 60, words: "pH too high twice", deed: .messages([pool(ph: 7.85)])),
        AlertStep(seconds: 60, words: "pH critical", deed: .messages([pool(ph: 8.1)])),
        AlertStep(seconds: 0, words: "the web address is down", deed: .webhookAnswers(false)),
        AlertStep(seconds: 60, words: "ORP too low once", deed: .messages([pool(ph: 8.1, orp: 560)])),
        AlertStep(seconds: 60, words: "ORP too low twice", deed: .messages([pool(ph: 8.1, orp: 540)])),
        AlertStep(seconds: 5, words: "the web address is tried again, and is up now", deed: .webhookAnswers(true)),
        AlertStep(seconds: 10, words: "it is tried again"),
        AlertStep(seconds: 300, words: "the cooldown is over", deed: .messages([pool(ph: 8.1, orp: 540)])),
        AlertStep(seconds: 5, words: "somebody has seen the pH", deed: .acknowledge(.ph)),
        AlertStep(seconds: 600, words: "twice the cooldown is over", deed: .messages([pool(ph: 8.1, orp: 540)])),
        AlertStep(seconds: 60, words: "the water is well once", deed: .messages([pool()])),
        AlertStep(seconds: 60, words: "the water is well twice", deed: .messages([pool()])),
    ]

    private static let faults: [AlertStep] =
        [
            AlertStep(seconds: 60, words: "nobody can read what comes", deed: .messages((1...8).map { "?\($0)" }))
        ]
        + (1...14).map { AlertStep(seconds: 30, words: "good message \($0)", deed: .messages([pool()])) }

    private static let absences: [AlertStep] = [
        AlertStep(seconds: 30, words: "the connection is lost", deed: .connectionStands(false)),
        AlertStep(seconds: 60, words: "it is not back after a minute"),
        AlertStep(seconds: 30, words: "it is back", deed: .connectionStands(true)),
        AlertStep(seconds: 30, words: "a message", deed: .messages([pool()])),
        AlertStep(seconds: 0, words: "the hub ends", deed: .hubRuns(false)),
        AlertStep(seconds: 6000, words: "it starts", deed: .hubRuns(true)),
        AlertStep(seconds: 1, words: "the broker delivers what it kept", deed: .backlog(backlog)),
        AlertStep(seconds: 5, words: "nothing older follows"),
        AlertStep(seconds: 60, words: "ORP is critical indeed", deed: .messages([pool(orp: 480)])),
        AlertStep(seconds: 60, words: "ORP is well once", deed: .messages([pool()])),
        AlertStep(seconds: 60, words: "ORP is well twice", deed: .messages([pool()])),
        AlertStep(seconds: 1800, words: "nothing came for three intervals"),
        AlertStep(seconds: 120, words: "and it still does not"),
        AlertStep(seconds: 1800, words: "nor now"),
        AlertStep(seconds: 120, words: "nor now"),
        AlertStep(seconds: 60, words: "it is there again", deed: .messages([pool()])),
        AlertStep(seconds: 60, words: "it stays", deed: .messages([pool()])),
    ]

    // MARK: - What came

    /// The story as it stands in the file.
    private static func text(_ story: AlertStory) -> String {
        var lines: [String] = []
        var seconds: Int64 = 0
        for (number, step) in steps.enumerated() {
            seconds += step.seconds
            let time = IngestBench.noon.advanced(byMilliseconds: seconds * 1000).iso8601
            lines.append("\(time) \(step.words)")
            var notices: [AlertNotice] = []
            let deliveries = story.deliveries.filter { $0.step == number }.sorted { $0.channel < $1.channel }
            for delivery in deliveries where !notices.contains(delivery.notice) { notices.append(delivery.notice) }
            for notice in notices {
                let channels = deliveries.filter { $0.notice == notice }.map(Self.words)
                lines.append("  \(channels.joined(separator: " "))")
                lines.append("    \(String(decoding: notice.body, as: UTF8.self))")
            }
            for alert in story.open[number] ?? [] {
                lines.append("  open \(alert.key.text) \(alert.severity)\(alert.isAcknowledged ? ", seen" : "")")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func words(_ delivery: AlertStory.Delivery) -> String {
        let word = delivery.channel.rawValue + (delivery.hasArrived ? "" : "!")
        switch delivery.channel {
        case .terminal, .desktop, .mqtt, .webhook: return word
        case .watchUserInfo, .watchComplication:
            let name = AlertItem.name(of: delivery.notice, isUrgent: delivery.channel == .watchComplication)
            return "\(word)=\(String(name.high, radix: 16)).\(String(name.low, radix: 16))"
        }
    }

    @Test func `a story of readings gives the notices that it gave, with their ids`() throws {
        let folder = try TemporaryFolder()
        let story = try AlertStory(folder.path)
        try story.play(Self.steps)
        story.stop()
        let found = Self.text(story)
        if ProcessInfo.processInfo.environment["BLESS"] == "1" {
            try FileManager.default.createDirectory(
                at: Self.file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try found.write(to: Self.file, atomically: true, encoding: .utf8)
        }
        let kept = try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n")
        let lines = found.split(separator: "\n")
        for (number, pair) in zip(kept, lines).enumerated() where pair.0 != pair.1 {
            Issue.record("line \(number + 1) was\n\(pair.0)\nand is now\n\(pair.1)\nBLESS=1 accepts it")
            return
        }
        #expect(kept.count == lines.count)
    }
}
