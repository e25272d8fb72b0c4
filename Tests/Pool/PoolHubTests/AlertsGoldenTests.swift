import Foundation
import PoolModel
import PowerCut
import SyncCore
import TestSupport
import Testing

@testable import PoolHub

/// The notices of a scripted story of readings, with their ids, times and order.
///
/// `Fixtures/alerts/notices.txt` contains them step by step: each notice in its JSON form, the channels to which it was
/// delivered (with `!` for a failure, with the item's name for a watch), and the open alerts afterwards. BLESS=1 in the
/// environment rewrites the file.
@Suite(.timeLimit(.minutes(20))) struct AlertsGoldenTests {
    private static let file = Repository.url("Fixtures/alerts/notices.txt")

    // MARK: - The story

    /// A message of the probe; `minute` is its sample time in minutes after noon, nil for none.
    private static func pool(
        ph: Double = 7.2, chlorine: Double = 1.5, orp: Double = 700, minute: Int64? = nil
    ) -> String {
        let time = minute.map { ",\"timestamp\":\(IngestBench.noon.milliseconds + $0 * 60_000)" } ?? ""
        return "{\"temperature\":26,\"ph\":\(ph),\"chlorine\":\(chlorine),\"orp\":\(orp)\(time)}"
    }

    /// The messages that the broker kept for an hour: alerts of chlorine and pH that begin and end, and one of ORP that
    /// lasts.
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

    // MARK: - The result

    /// The story in the format of the file.
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
        case .terminal, .desktop, .mqtt, .webhook, .ntfy, .pushover, .telegram: return word
        case .watchUserInfo, .watchComplication:
            let name = AlertItem.name(of: delivery.notice, isUrgent: delivery.channel == .watchComplication)
            return "\(word)=\(String(name.high, radix: 16)).\(String(name.low, radix: 16))"
        }
    }

    /// The parts of a notice that must be equal in two stories, one of which was interrupted.
    ///
    /// The silence of a device is measured from the hub's start, so a missing device is notified later after a restart.
    /// The payload during which the hub was killed may or may not count for a fault, or for a backlog, because only the
    /// newest reading is evaluated again. Alerts that began and ended in the backlog before the kill are notified
    /// before those in the rest of it.
    private static func words(_ notice: AlertNotice, afterBacklogCut isCut: Bool) -> String {
        if [.missing, .fault].contains(notice.key.condition) { return "\(notice.key.text) \(notice.kind)" }
        guard isCut, notice.since > offAt else { return String(decoding: notice.body, as: UTF8.self) }
        let kind = notice.kind == .late && notice.until == nil ? AlertNotice.Kind.raised : notice.kind
        return "\(notice.key.text) \(kind) \(notice.severity)\(notice.until == nil ? "" : ", over")"
    }

    /// When the hub was stopped, before the broker's backlog.
    private static let offAt = IngestBench.noon.advanced(byMilliseconds: 1_800_000)

    /// The notices of each channel, each once, by episode.
    private static func arrived(
        _ deliveries: [AlertStory.Delivery], afterBacklogCut isCut: Bool = false,
        where isWanted: (AlertNotice) -> Bool = { _ in true }
    ) -> [String] {
        var seen: Set<String> = []
        let arrived = deliveries.sorted { $0.channel < $1.channel }.filter { delivery in
            let notice = delivery.notice
            guard delivery.hasArrived, isWanted(notice) else { return false }
            if notice.key.condition == .missing, notice.kind == .repeated { return false }
            return seen.insert("\(delivery.channel) \(notice.id)").inserted
        }
        // Notices about several alerts with the same time have no order.
        let sorted = arrived.sorted { ($0.channel, $0.notice.key) < ($1.channel, $1.notice.key) }
        return sorted.map { "\($0.channel) \(Self.words($0.notice, afterBacklogCut: isCut))" }
    }

    private static func log(_ notices: [AlertNotice], afterBacklogCut isCut: Bool = false) -> [String] {
        notices.filter { $0.key.condition != .missing || $0.kind != .repeated }.sorted { $0.key < $1.key }
            .map { Self.words($0, afterBacklogCut: isCut) }
    }

    @Test func `a story of readings gives the notices that it gave, with their ids`() throws {
        let folder = try TestHubFolder()
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

    // MARK: - Killed processes

    @Test(arguments: 0..<4 as Range<Int>)
    func `whenever the hub is killed, each notice arrives under its id, and none that was noted as delivered again`(
        part: Int
    ) throws {
        // At each sync of a file and at each delivery, with more or less of the unsynced data lost.
        let disk = try ForgetfulDisk(seed: UInt64(part), cutCount: 10_000, chance: 1)
        let whole = try AlertStory(disk.path + "/hub") { disk.acknowledge($0.number) }
        try whole.play(Self.steps)
        let log = try whole.logged()
        whole.stop()
        let cuts = disk.cuts
        #expect(cuts.count > 200)
        for number in stride(from: 2 * part, to: cuts.count, by: 8) {
            let place = AlertStory.Progress(cuts[number].acknowledged)
            let words = "cut \(number) in step \(place.step) with \(cuts[number].words) kept"
            // The data of this disk need not reach a real disk.
            let other = try ForgetfulDisk(seed: 0, cutCount: 0)
            let home = other.path + "/remains"
            try cuts[number].lay(in: home)
            let rest = try AlertStory(home + "/hub", in: whole.surroundings[place.step])
            try rest.play(Self.steps, from: place)
            let before = Array(whole.deliveries.prefix(place.delivered))
            // After its start the hub waits for older readings again.
            let isCut = Self.steps[max(0, place.step - 1)...place.step].contains(where: \.isBacklog)
            let found = Self.arrived(before + rest.deliveries, afterBacklogCut: isCut)
            #expect(found == Self.arrived(whole.deliveries, afterBacklogCut: isCut), "\(words)")
            let logged = Self.log(try rest.logged(), afterBacklogCut: isCut)
            #expect(logged == Self.log(log, afterBacklogCut: isCut), "\(words)")
            let done = Set(
                before.filter { $0.step < place.step && $0.hasArrived }.map { "\($0.channel) \($0.notice.id)" })
            let again = rest.deliveries.map { "\($0.channel) \($0.notice.id)" }.filter(done.contains)
            #expect(again == [], "\(words)")
            rest.stop()
        }
    }

    // MARK: - A full disk

    @Test func `from whichever step on the disk is full for a while, each notice arrives under its id`() async throws {
        // In a separate process, whose disk can be full.
        await #expect(processExitsWith: .success) {
            let disk = try ForgetfulDisk(seed: 0, cutCount: 0)
            let whole = try AlertStory(disk.path + "/hub")
            try whole.play(Self.steps)
            whole.stop()
            // A hub that cannot write does not start.
            let starts = Self.steps.firstIndex { $0.words == "it starts" } ?? 0
            for start in 1..<Self.steps.count - 3 where !(starts - 1...starts).contains(start) {
                let disk = try ForgetfulDisk(seed: 0, cutCount: 0)
                let story = try AlertStory(disk.path + "/hub")
                try story.play(Self.steps) { step in
                    if step == start { limitFileSize(to: 4096) }
                    guard step == start + 2 else { return }
                    limitFileSize(to: .max)
                    try story.deliverAgain()
                }
                story.stop()
                // While the hub cannot store, lost connections are not notified.
                let isWanted = { (notice: AlertNotice) in ![.hub, .connection].contains(notice.key.condition) }
                let isCut = Self.steps[start...start + 1].contains(where: \.isBacklog)
                let found = Self.arrived(story.deliveries, afterBacklogCut: isCut, where: isWanted)
                let expected = Self.arrived(whole.deliveries, afterBacklogCut: isCut, where: isWanted)
                #expect(found == expected, "full from step \(start) on")
            }
        }
    }
}
