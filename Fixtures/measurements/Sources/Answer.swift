/// The answer that the results of both devices give to a measurement.
public struct Answer: Hashable, Sendable {
    /// The rule.
    public var rule: Int
    /// What was found, in few words; nil if the measurement was not done.
    public var finding: String?

    /// The answers to all measurements.
    public static func all(phone: Results, watch: Results) -> [Answer] {
        RuleMeasurement.all.map { measurement in
            let found = Found(
                phone: phone.events.filter { $0.rule == measurement.rule },
                watch: watch.events.filter { $0.rule == measurement.rule }, secondsFromUTC: phone.secondsFromUTC)
            return Answer(rule: measurement.rule, finding: found.isDone ? found.finding(of: measurement.rule) : nil)
        }
    }
}

/// The events of one measurement.
private struct Found {
    var phone: [Results.Event]
    var watch: [Results.Event]
    var secondsFromUTC: Int

    var isDone: Bool { !phone.isEmpty || !watch.isEmpty }

    func finding(of rule: Int) -> String? {
        switch rule {
        case 15: phone.contains { $0.event == .activated } ? "called again" : "not called again"
        case 24: codes(phone.filter { $0.event == .failed })
        case 54: mostFailures
        case 62: replyTimeout
        case 65: list(phone.filter { $0.event == .replied || $0.event == .failed }.map { $0.detail ?? "failed" })
        case 79: launchContext
        case 81: "\(watch.count { $0.event == .received }) of 2 delivered"
        case 86: list(watch.filter { $0.event == .received }.map { "\($0.number ?? 0)" })
        case 98, 131: cancelled
        case 106: start
        case 113: withoutComplication
        case 115: refill
        case 124, 128: fileName
        case 140: list(watch.filter { $0.event == .received }.compactMap(\.content))
        case 148: limits
        // Each measurement has its finding.
        default: nil
        }
    }

    private func list(_ words: [String]) -> String { words.isEmpty ? "nothing" : words.joined(separator: ", ") }

    private func codes(_ events: [Results.Event]) -> String {
        list(events.map { event in event.code.map { "\($0)" } ?? "no error" })
    }

    private var mostFailures: String {
        let numbers = Set(phone.compactMap(\.number))
        return "\(numbers.map { number in phone.count { $0.event == .failed && $0.number == number } }.max() ?? 0)"
    }

    private var replyTimeout: String {
        guard let sent = phone.first(where: { $0.event == .sent }),
            let end = phone.first(where: { $0.event == .failed || $0.event == .replied })
        else { return "none" }
        return "\(end.code.map { "\($0)" } ?? "reply") after \((end.time - sent.time).rounded()) s"
    }

    private var launchContext: String {
        let isInProperty = watch.contains { $0.event == .activated && $0.number == 1 }
        return "\(isInProperty ? "in" : "not in") the property, \(watch.count { $0.event == .received }) calls"
    }

    private var cancelled: String {
        let arrivals = watch.contains { $0.event == .received } ? "arrives" : "does not arrive"
        let ends = phone.filter { $0.event == .finished }
        return "\(arrivals), \(ends.isEmpty ? "not told of" : "told of with \(codes(ends))")"
    }

    private var start: String {
        guard let arrival = phone.first(where: { $0.event == .received }), let done = watch.first(where: { $0.event == .done })
        else { return "does not arrive" }
        return arrival.time < done.time ? "starts it" : "waits for it"
    }

    private var withoutComplication: String {
        let budget = phone.first { $0.event == .budget }?.number.map { "\($0)" } ?? "?"
        let kind = phone.first { $0.event == .sent }?.detail ?? "?"
        let ends = codes(phone.filter { $0.event == .finished })
        return "\(budget) left, \(kind), finishes with \(ends)"
    }

    /// The local time at which the budget was seen to be larger than before.
    private var refill: String {
        let budgets = phone.filter { $0.event == .budget }
        for (before, after) in zip(budgets, budgets.dropFirst()) where (after.number ?? 0) > (before.number ?? 0) {
            return "between \(clock(before.time)) and \(clock(after.time))"
        }
        return "not within \(budgets.count) looks"
    }

    private func clock(_ time: Double) -> String {
        let seconds = (Int(time) + secondsFromUTC) % 86_400
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        return "\(hours < 10 ? "0" : "")\(hours):\(minutes < 10 ? "0" : "")\(minutes)"
    }

    private var fileName: String {
        if let name = watch.first(where: { $0.event == .received })?.detail { return name }
        return "does not arrive: \(codes(phone.filter { $0.event == .finished }))"
    }

    /// The largest size that was accepted, and the smallest that was refused as too large, for each content.
    private var limits: String {
        list(
            ["zeros", "random"].map { content in
                let ends = phone.filter { $0.detail == content && ($0.event == .replied || $0.event == .failed) }
                let refused = ends.filter { $0.code == 7009 }.compactMap(\.number)
                let accepted = ends.filter { $0.event == .replied }.compactMap(\.number)
                return "\(content): \(accepted.max() ?? 0) accepted and \(refused.min() ?? 0) refused"
            })
    }
}
