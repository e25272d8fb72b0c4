/// A part of a message that was understood, but could not be used, or not as it is.
@nonexhaustive
public enum PayloadWarning: Hashable, Sendable {
    /// A key that is neither a quantity nor a time; its value was ignored.
    case unknownKey(String)
    /// A key whose value is null or empty, so there is no value.
    case noValue(key: String)
    /// A key whose value is not a number; `found` describes it.
    case notANumber(key: String, found: String)
    /// A key whose value is NaN, infinite, or too large for a double.
    case notFinite(key: String)
    /// A key whose value has a comma that may separate decimals or thousands.
    case ambiguousNumber(key: String, text: String)
    /// A key whose value is in an unsupported unit.
    case foreignUnit(key: String, unit: String)
    /// A second key for a quantity that already has a value; the first one counts.
    case repeatedQuantity(Quantity, key: String)
    /// A second key for the time; the first one counts.
    case repeatedTime(key: String)
    /// A number that means "no value", such as −999; `text` is the number.
    case sentinel(key: String, text: String)
    /// A condition says that the numbers are not a measurement; `found` is the value at its place, nil if it is
    /// missing.
    case conditionUnmet(key: String, found: String?)
    /// A word that is in neither list of an availability source.
    case unknownWord(key: String, text: String)
    /// The device did not send the unit in time, so the unit of the mapping was used.
    case unitAssumed(key: String, unit: SourceUnit)
    /// A message with more samples than are read; the first ones were left out.
    case samplesDropped(count: Int)
    /// The time has no known form.
    case timeUnreadable(String)
    /// The time is a local time without its zone.
    case timeWithoutZone(String)
    /// The time is further in the future than any zone explains; the time of the receipt is used instead.
    case timeInFuture(String)
    /// The time is after the receipt by more than clocks usually differ, but not too far to be accepted.
    case timeAhead(String)
    /// The time is before any pool probe existed.
    case timeAbsurd(String)
    /// The time is a small number: seconds since the device started, not since 1970.
    case timeIsUptime(String)
    /// The time of a replayed message is after its receipt: the device's clock is wrong, and the age is unknown.
    case timeAheadOfReplay(String)

    /// Whether there is something that is not what it should be, in contrast to nothing.
    package var isFault: Bool {
        switch self {
        case .notANumber, .ambiguousNumber, .foreignUnit, .sentinel, .unknownWord: true
        case .unknownKey, .noValue, .notFinite, .repeatedQuantity, .repeatedTime, .conditionUnmet, .unitAssumed,
            .samplesDropped, .timeUnreadable, .timeWithoutZone, .timeInFuture, .timeAhead, .timeAbsurd, .timeIsUptime,
            .timeAheadOfReplay:
            false
        }
    }

    /// A constant label for counters and logs.
    public var code: String {
        switch self {
        case .unknownKey: "unknown_key"
        case .noValue: "no_value"
        case .notANumber: "not_a_number"
        case .notFinite: "not_finite"
        case .ambiguousNumber: "ambiguous_number"
        case .foreignUnit: "foreign_unit"
        case .repeatedQuantity: "repeated_quantity"
        case .repeatedTime: "repeated_time"
        case .sentinel: "sentinel"
        case .conditionUnmet: "condition_unmet"
        case .unknownWord: "unknown_word"
        case .unitAssumed: "unit_assumed"
        case .samplesDropped: "samples_dropped"
        case .timeUnreadable: "time_unreadable"
        case .timeWithoutZone: "time_without_zone"
        case .timeInFuture: "time_in_future"
        case .timeAhead: "time_ahead"
        case .timeAbsurd: "time_absurd"
        case .timeIsUptime: "time_is_uptime"
        case .timeAheadOfReplay: "time_ahead_of_replay"
        }
    }
}

extension PayloadWarning: CustomStringConvertible {
    /// A phrase for a person.
    public var description: String {
        switch self {
        case .unknownKey(let key): "\(quoted(key)) is not a known quantity"
        case .noValue(let key): "\(quoted(key)) has no value"
        case .notANumber(let key, let found): "\(quoted(key)) is \(found), not a number"
        case .notFinite(let key): "\(quoted(key)) is not a finite number"
        case .ambiguousNumber(let key, let text): "\(quoted(key)) is \(quoted(text)), which can be read in two ways"
        case .foreignUnit(let key, let unit): "\(quoted(key)) is in \(quoted(unit)), which is not converted"
        case .repeatedQuantity(let quantity, let key):
            "\(quoted(key)) repeats the \(quantity.name), the first one counts"
        case .repeatedTime(let key): "\(quoted(key)) repeats the time, the first one counts"
        case .sentinel(let key, let text): "\(quoted(key)) is \(Excerpt(text)), which means that there is no value"
        case .conditionUnmet(let key, let found):
            "\(quoted(key)) is \(found.map { "\(quoted($0))" } ?? "missing"), so the numbers are not measurements"
        case .unknownWord(let key, let text): "\(quoted(key)) is \(quoted(text)), which says nothing about availability"
        case .unitAssumed(let key, let unit): "the unit of \(quoted(key)) is unknown, \(unit.rawValue) is assumed"
        case .samplesDropped(let count):
            "the first \(count) samples of the message are left out, because it has too many"
        case .timeUnreadable(let text): "the time \(quoted(text)) is not in a known form"
        case .timeWithoutZone(let text):
            "the time \(quoted(text)) has no time zone; name it, as in --time 'PLACE local'"
        case .timeInFuture(let text):
            "the time \(quoted(text)) lies more than a day in the future; the time of the receipt is taken"
        case .timeAhead(let text):
            "the time \(quoted(text)) lies in the future: the device's clock or its time zone is wrong"
        case .timeAbsurd(let text): "the time \(quoted(text)) lies too far in the past to be true"
        case .timeIsUptime(let text): "the time \(quoted(text)) counts from the start of the device, not from 1970"
        case .timeAheadOfReplay(let text): "the time \(quoted(text)) of a replayed message lies in the future"
        }
    }

    private func quoted(_ text: String) -> Excerpt { Excerpt(text, scalarCountMax: 40) }
}
