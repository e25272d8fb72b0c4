import PoolModel

/// When a sample was taken, judged by the time in its message and the time of receipt.
struct SampleTime: Equatable {
    var moment: Timestamp?
    var quality: TimeQuality
    var remark: PayloadWarning?

    /// How far ahead of the receipt a time may be without a remark; 5 min, because clocks differ.
    private static let aheadMillisecondsMax: Int64 = 300_000

    /// The time in a field, or the time of receipt if that one is missing, unreadable or impossible.
    ///
    /// A reading is never dropped only because of its time. For a replayed message the time of receipt means nothing.
    init(
        field: PayloadField?, form: TimeSource.Form = .automatic, zone: String? = nil, receivedAt: Timestamp,
        isRetained: Bool, configuration: PayloadDecoder.Configuration
    ) {
        let (moment, quality, remark) = Self.assess(
            field, form: form, zone: zone, receivedAt: receivedAt, configuration: configuration)
        self.remark = remark
        if let moment, isRetained, moment > receivedAt {
            // A clock that is ahead would make the replayed value look new at each reconnect.
            self.remark = .timeAheadOfReplay(moment.iso8601)
            self.moment = nil
        } else {
            self.moment = moment ?? (isRetained ? nil : receivedAt)
        }
        self.quality = self.moment == nil ? .unknown : quality
    }

    private static func assess(
        _ field: PayloadField?, form: TimeSource.Form, zone: String?, receivedAt: Timestamp,
        configuration: PayloadDecoder.Configuration
    ) -> (Timestamp?, TimeQuality, PayloadWarning?) {
        let text: String
        switch field?.value {
        case nil, .null: return (nil, .estimated, nil)
        case .nonFinite: return (nil, .estimated, .timeUnreadable("NaN"))
        case .other(let words): return (nil, .estimated, .timeUnreadable(words))
        case .number(let number): text = number
        case .text(let written): text = String(written.trimmedOfBlanks)
        }
        if text.isEmpty { return (nil, .estimated, nil) }
        let shown = text.shortened
        let moment: Timestamp
        if NumberGrammar.isDecimalNumber(text) {
            guard form != .iso8601 else { return (nil, .estimated, .timeUnreadable(shown)) }
            guard let epoch = EpochTime(text, form: form) else { return (nil, .corrected, .timeAbsurd(shown)) }
            if epoch.isUptime { return (nil, .corrected, .timeIsUptime(shown)) }
            moment = epoch.moment
        } else {
            switch ISO8601Text.read(text) {
            case _ where form != .iso8601 && form != .automatic: return (nil, .estimated, .timeUnreadable(shown))
            case .moment(let read): moment = read
            case .withoutZone:
                guard let local = Timestamp(iso8601: text + "Z") else {
                    return (nil, .estimated, .timeUnreadable(shown))
                }
                if let clock = zone.flatMap(LocalClock.init) {
                    moment = clock.moment(showing: local, receivedAt: receivedAt)
                } else if form == .iso8601, zone == nil {
                    moment = local
                } else {
                    return (nil, .estimated, .timeWithoutZone(shown))
                }
            case .unreadable: return (nil, .estimated, .timeUnreadable(shown))
            }
        }
        if moment < configuration.earliestTime { return (nil, .corrected, .timeAbsurd(shown)) }
        let latest = receivedAt.advanced(byMilliseconds: Int64(configuration.futureToleranceSeconds) * 1000)
        if moment > latest { return (nil, .corrected, .timeInFuture(shown)) }
        let isAhead = moment.milliseconds(since: receivedAt) > Self.aheadMillisecondsMax
        return (moment, .device, isAhead ? .timeAhead(shown) : nil)
    }
}
