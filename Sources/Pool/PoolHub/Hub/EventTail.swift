import PoolControl
import PoolModel

/// The last events of a hub, for screens that are opened later.
///
/// It keeps the newest ``countMax`` events. Of readings it keeps the newest of each device and second, at most
/// ``readingCountMax``, so that readings never displace rare events.
struct EventTail {
    /// The maximum number of events.
    static let countMax = 512
    /// The maximum number of events with readings.
    static let readingCountMax = 128
    /// The time in which the readings of a device count as one event, in milliseconds.
    private static let readingInterval: Int64 = 1000

    private var events: [EventSummary] = []
    private var last: UInt64 = 0
    private var readingCount = 0
    /// The number of the newest event with readings of each device.
    private var newestReading: [String: UInt64] = [:]

    /// Adds an event.
    mutating func note(_ event: HubEvent, at moment: Timestamp) {
        var device: String?
        if case .reading(let name, _) = event { device = name }
        note(event.kind, event.severity, event.words, of: device, at: moment)
    }

    /// Adds an event of a kind that has only text.
    mutating func note(_ kind: EventSummary.Kind, _ severity: AlertSeverity?, _ text: String, at moment: Timestamp) {
        note(kind, severity, text, of: nil, at: moment)
    }

    private mutating func note(
        _ kind: EventSummary.Kind, _ severity: AlertSeverity?, _ text: String, of device: String?, at moment: Timestamp
    ) {
        last += 1
        if let device { makeRoom(forReadingOf: device, at: moment) }
        events.append(EventSummary(number: last, at: moment, kind: kind, severity: severity, text: text))
        if events.count > Self.countMax { drop(at: 0) }
    }

    /// The events after a number, oldest first, as far as they are kept.
    func events(after number: UInt64) -> [EventSummary] {
        // There are usually few new events, at the end.
        let index = events.lastIndex { $0.number <= number }.map { $0 + 1 } ?? 0
        return Array(events[index...])
    }

    /// Removes the event that a new reading replaces, or the oldest reading if there are too many.
    private mutating func makeRoom(forReadingOf device: String, at moment: Timestamp) {
        readingCount += 1
        defer { newestReading[device] = last }
        if let number = newestReading[device], let index = events.lastIndex(where: { $0.number == number }),
            abs(moment.milliseconds(since: events[index].at)) < Self.readingInterval
        {
            return drop(at: index)
        }
        guard readingCount > Self.readingCountMax, let oldest = events.firstIndex(where: { $0.kind == .reading })
        else { return }
        drop(at: oldest)
    }

    private mutating func drop(at index: Int) {
        if events[index].kind == .reading { readingCount -= 1 }
        events.remove(at: index)
    }
}
