import PoolControl
import PoolModel

/// The last events of a hub, for people who look at it later.
///
/// Its memory is bounded: it keeps the newest ``countMax`` events. Of readings it keeps the newest of each device and
/// second, ``readingCountMax`` at most, so that readings never push out rare events.
struct EventTail {
    /// The most events that are kept.
    static let countMax = 512
    /// The most of them that tell readings.
    static let readingCountMax = 128
    /// The time in which the readings of a device are one event, in milliseconds.
    private static let readingInterval: Int64 = 1000

    private var notes: [EventSummary] = []
    private var last: UInt64 = 0
    private var readingCount = 0
    /// The number of the newest event of readings of each device.
    private var newestReading: [String: UInt64] = [:]

    /// Keeps an event.
    mutating func note(_ event: HubEvent, at moment: Timestamp) {
        var device: String?
        if case .reading(let name, _) = event { device = name }
        note(event.kind, event.severity, event.words, of: device, at: moment)
    }

    /// Keeps a line that is no event of the hub.
    mutating func note(_ kind: EventSummary.Kind, _ severity: AlertSeverity?, _ text: String, at moment: Timestamp) {
        note(kind, severity, text, of: nil, at: moment)
    }

    private mutating func note(
        _ kind: EventSummary.Kind, _ severity: AlertSeverity?, _ text: String, of device: String?, at moment: Timestamp
    ) {
        last += 1
        if let device { makeRoom(forReadingOf: device, at: moment) }
        notes.append(EventSummary(number: last, at: moment, kind: kind, severity: severity, text: text))
        if notes.count > Self.countMax { drop(at: 0) }
    }

    /// The events after a number, oldest first, as far as they are kept.
    func notes(after number: UInt64) -> [EventSummary] {
        // Mostly nothing is new, or little.
        let index = notes.lastIndex { $0.number <= number }.map { $0 + 1 } ?? 0
        return Array(notes[index...])
    }

    /// Removes the reading that a new one replaces, or the oldest one if there are too many.
    private mutating func makeRoom(forReadingOf device: String, at moment: Timestamp) {
        readingCount += 1
        defer { newestReading[device] = last }
        if let number = newestReading[device], let index = notes.lastIndex(where: { $0.number == number }),
            abs(moment.milliseconds(since: notes[index].at)) < Self.readingInterval
        {
            return drop(at: index)
        }
        guard readingCount > Self.readingCountMax, let oldest = notes.firstIndex(where: { $0.kind == .reading })
        else { return }
        drop(at: oldest)
    }

    private mutating func drop(at index: Int) {
        if notes[index].kind == .reading { readingCount -= 1 }
        notes.remove(at: index)
    }
}
