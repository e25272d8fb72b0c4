import PoolModel

/// Finds the times for the values of an unknown device: next to them in their payloads, or on separate topics.
struct SideTimes {
    /// A topic whose name is that of a time, with the levels above it.
    private struct Stamp {
        var topic: String
        var above: [Substring]
        var found: Found
    }

    private let payloads: [String: ReadPayload]
    private let localZone: String
    private var stamps: [Stamp] = []

    /// - Parameters:
    ///   - payloads: What came on each topic.
    ///   - localZone: The possible zone of times without one.
    init(payloads: [String: ReadPayload], localZone: String) {
        self.payloads = payloads
        self.localZone = localZone
        stamps = payloads.keys.sorted().compactMap(stamp)
    }

    /// The path of a time, and a remark if there is a time that cannot be used.
    struct Found {
        var source: TimeSource?
        var remark: String?
    }

    /// The time of a value whose topic is given in full; `base` is the device's topic.
    func time(of source: ValueSource, base: String) -> Found {
        let beside = payloads[source.topic].map { payload in
            payload.part(for: source).map { time(in: $0, near: source.path, heardAt: payload.heardAt) } ?? Found()
        }
        if let beside, beside.source != nil { return beside }
        let own = timeTopic(of: source, base: base)
        return own.source == nil && own.remark == nil ? beside ?? Found() : own
    }

    // MARK: - In the payload

    private struct Candidate {
        var source: TimeSource
        var shared: Int
        var rank: Int
        var moment: Timestamp
    }

    private func time(in part: ReadPayload.Part, near value: ValuePath, heardAt: Timestamp?) -> Found {
        guard let json = part.json else { return Found() }
        var remark: String?
        var best: Candidate?
        for leaf in PayloadLeaves(json).leaves {
            guard case .key(let key) = leaf.path.steps.last(where: { $0 != .each }), let text = leaf.value.scalarText,
                let rank = Self.rank(key) ?? (Self.isTime(key, text) ? Self.plainRank : nil)
            else { continue }
            let shared = zip(leaf.path.steps, value.steps).prefix { $0 == $1 }.count
            // The time nearest to the value, but not one of another list element.
            let isOfAnother = leaf.path.steps.dropFirst(shared).contains {
                switch $0 {
                case .index: true
                case .each: value.sampleList == nil
                case .key, .element: false
                }
            }
            guard !isOfAnother else { continue }
            switch assess(text, heardAt: heardAt) {
            case .usable(let moment, let form, let zone):
                let found = Candidate(
                    source: TimeSource(path: leaf.path, form: form, zone: zone), shared: shared, rank: rank,
                    moment: moment)
                // Nothing is received or sent before it is measured: of two such times the earlier one is better.
                let isBetter =
                    best.map { (-shared, rank, moment.milliseconds) < (-$0.shared, $0.rank, $0.moment.milliseconds) }
                if isBetter ?? true { best = found }
            case .unusable(let reason):
                guard NameWords(key).contains(anyOf: Self.plainWords) else { break }
                remark = "the time in \(leaf.path) is not used: \(reason)"
            case .none: break
            }
        }
        return Found(source: best?.source, remark: best == nil ? remark : nil)
    }

    // MARK: - On a separate topic

    private func timeTopic(of value: ValueSource, base: String) -> Found {
        let levels = value.topic.split(separator: "/", omittingEmptySubsequences: false)
        let near = stamps.filter { stamp in
            stamp.topic != value.topic && levels.starts(with: stamp.above)
                && stamp.above.joined(separator: "/").utf8.count >= base.utf8.count
        }
        let best = near.filter { $0.found.source != nil }.max { $0.above.count < $1.above.count }
        return best?.found ?? near.first?.found ?? Found()
    }

    private func stamp(_ topic: String) -> Stamp? {
        var levels = topic.split(separator: "/", omittingEmptySubsequences: false)
        while let last = levels.last, levels.count > 1, Self.tails.contains(last.lowercased()) { levels.removeLast() }
        // A topic called "time" is a clock; one called "last_measurement" tells when something was measured.
        guard let name = levels.popLast(), let rank = Self.rank(String(name)), rank == 0 || isStamp(name),
            let payload = payloads[topic], let text = payload.scalar(at: .whole)
        else { return nil }
        switch assess(text, heardAt: payload.heardAt) {
        case .usable(_, let form, let zone):
            return Stamp(
                topic: topic, above: levels,
                found: Found(source: TimeSource(topic: topic, path: .whole, form: form, zone: zone)))
        case .unusable(let reason):
            return Stamp(
                topic: topic, above: levels, found: Found(remark: "the time on \(topic) is not used: \(reason)"))
        case .none: return nil
        }
    }

    private func isStamp(_ name: Substring) -> Bool {
        let words = NameWords(name)
        return words.contains(anyOf: ["timestamp", "ts", "zeitstempel", "horodatage"])
            || words.contains(anyOf: Self.words[Self.plainRank]) && words.words.count > 1
    }

    private static let tails: Set<String> = ["state", "value"]

    // MARK: - Names and texts

    private static let plainRank = 1
    /// The words for times, the best ones first: when something was measured, reported, forwarded.
    private static let words: [Set<String>] = [
        [
            "measured", "measurement", "measure", "sampled", "sample", "taken", "tested", "test", "reading",
            "measuredat", "sampledat", "measuretime", "sampletime", "lastmeasurement", "lastmeasure", "gemessen",
            "messung", "mesure", "medida", "misura", "meting", "gemeten", "medicion", "medicao", "pomiar", "mereni",
            "matning", "maling",
        ],
        plainWords.union([
            "datetime", "date", "zeit", "zeitstempel", "horodatage", "utc", "timestampms", "datum", "fecha", "hora",
            "heure", "uhrzeit", "tijd", "tijdstip", "orario", "ora", "czas", "cas", "tid", "tidpunkt", "tidspunkt",
            "seen", "updated", "update", "updatedat", "lastupdate", "lastupdated", "lastseen",
            "changed", "received", "receivedat", "recorded", "recordedat", "created", "createdat", "reported", "logged",
        ]),
        ["published", "sent", "server", "now", "pushed", "forwarded", "generated"],
    ]
    private static let plainWords: Set<String> = ["time", "timestamp", "ts", "epoch", "unixtime"]
    /// Words for times at which nothing was measured.
    private static let others: Set<String> = [
        "up", "uptime", "laufzeit", "betriebszeit", "run", "runtime", "zone", "timezone", "next", "expire", "expires",
        "expiry", "until", "due",
        "valid", "calibrated", "calibration", "installed", "install", "boot", "booted", "started", "start", "since",
        "sunrise", "sunset", "cleaned", "service", "serviced", "warranty", "replaced", "firmware", "build", "schedule",
        "scheduled", "end", "remaining", "interval", "timeout", "on", "off", "pump", "filter", "reset", "delay",
    ]

    /// How likely a name is that of the time of a sample, 0 being the best; nil if it is not one at all.
    private static func rank(_ name: String) -> Int? {
        let names = NameWords(name)
        guard !names.contains(anyOf: others) else { return nil }
        // "sent_at" and "measured_at" say more than their "time".
        if names.contains(anyOf: words[0]) { return 0 }
        if names.contains(anyOf: words[2]) { return 2 }
        return names.contains(anyOf: words[1]) ? plainRank : nil
    }

    /// Whether a member is a time: by its name, or by a short name together with what is there.
    static func isTime(_ key: String, _ text: String?) -> Bool {
        guard let text else { return false }
        return rank(key) != nil || ["t", "d", "dt", "at"].contains(key.lowercased()) && isTimeText(text)
    }

    /// Whether a text is a time from 2015 to 2100.
    static func isTimeText(_ text: String) -> Bool {
        let text = text.trimmedOfBlanks
        if NumberGrammar.isDecimalNumber(text), let number = Double(text) {
            return [1.0, 1e3, 1e6, 1e9].contains { (1.42e9...4.1e9).contains(number / $0) }
        }
        if case .unreadable = ISO8601Text.read(String(text)) { return false }
        return true
    }

    private enum Assessment {
        case usable(Timestamp, TimeSource.Form, zone: String?)
        case unusable(String)
        case none
    }

    private func assess(_ text: String, heardAt: Timestamp?) -> Assessment {
        let text = text.trimmedOfBlanks
        if NumberGrammar.isDecimalNumber(text) {
            guard let number = Double(text), let time = EpochTime(String(text)) else { return .none }
            // From 2015 to 2100, in seconds, milliseconds, microseconds or nanoseconds.
            for unit in [1.0, 1e3, 1e6, 1e9] where (1.42e9...4.1e9).contains(number / unit) {
                return isTooFarAhead(time.moment, heardAt)
                    ? .unusable("it lies in the future") : .usable(time.moment, .automatic, zone: nil)
            }
            // Four years in milliseconds; anything larger is no time of running.
            return .unusable(
                (0..<1.3e11).contains(number)
                    ? "\(NumberShown.text(number)) counts from the start of the device, not from 1970"
                    : "\(NumberShown.text(number)) is no time since 1970 in a known unit")
        }
        switch ISO8601Text.read(text) {
        case .moment(let moment):
            if moment.milliseconds < 1_420_070_400_000 { return .unusable("it lies before 2015") }
            return isTooFarAhead(moment, heardAt)
                ? .unusable("it lies in the future") : .usable(moment, .automatic, zone: nil)
        case .withoutZone: return assessLocal(String(text), heardAt: heardAt)
        case .unreadable: return .none
        }
    }

    private func isTooFarAhead(_ moment: Timestamp, _ heardAt: Timestamp?) -> Bool {
        heardAt.map { moment.milliseconds(since: $0) > 86_400_000 } ?? false
    }

    /// A time without a zone is in the local zone or in UTC, if it agrees with the time of receipt in one of them.
    private func assessLocal(_ text: String, heardAt: Timestamp?) -> Assessment {
        let way = "it has no time zone; name it, as in --time 'PLACE \(TimeSource.ownZone)' or 'PLACE Europe/Paris'"
        guard let heardAt, let shown = Timestamp(iso8601: text + "Z") else { return .unusable(way) }
        let isNow: (Timestamp) -> Bool = { $0.milliseconds(since: heardAt).magnitude <= 600_000 }
        let clock = LocalClock(localZone)
        if let clock, !clock.isUTC {
            let moment = clock.moment(showing: shown, receivedAt: heardAt)
            if isNow(moment) { return .usable(moment, .automatic, zone: TimeSource.ownZone) }
        }
        if isNow(shown) { return .usable(shown, .iso8601, zone: nil) }
        return .unusable(way)
    }
}
