import PoolControl
import PoolModel

/// The last events of a hub, for screens that are opened later.
///
/// It keeps the newest ``countMax`` events, in shares: what one watch does displaces only what it did before, and so
/// do the kinds of events that watches and strangers can cause without their name in them. Where all shares together
/// are too many, the largest one loses its oldest event. Of readings it keeps the newest of each device and second, so
/// that they never displace rare events.
struct EventTail {
    /// The maximum number of events.
    static let countMax = 512
    /// The maximum number of events with readings.
    static let readingCountMax = 128
    /// The maximum number of events of a watch, and of each other kind that a watch or a stranger can repeat.
    static let shareCountMax = 64
    /// The time in which the readings of a device count as one event, in milliseconds.
    private static let readingInterval: Int64 = 1000

    /// What an event counts against.
    private enum Share: Hashable {
        case watch(String)
        case kind(EventSummary.Kind)

        init(_ event: HubEvent) {
            self =
                switch event {
                case .paired(let name), .linked(let name), .unlinked(let name, _): .watch(name)
                case .dosed(let dose, _): .watch(dose.author)
                case .listening, .server, .reading, .declined, .configured, .conflict, .shared, .alert, .notice:
                    .kind(event.kind)
                }
        }

        /// The most events of it; nil if only all events are limited.
        var countMax: Int? {
            switch self {
            case .watch, .kind(.declined), .kind(.configured), .kind(.conflict): EventTail.shareCountMax
            case .kind(.reading): EventTail.readingCountMax
            case .kind: nil
            }
        }
    }

    private struct Entry {
        var event: EventSummary
        var share: Share
    }

    private var entries: [Entry] = []
    private var last: UInt64 = 0
    private var counts: [Share: Int] = [:]
    /// The number of the newest event with readings of each device.
    private var newestReading: [String: UInt64] = [:]

    /// Adds an event.
    mutating func note(_ event: HubEvent, at moment: Timestamp) {
        if case .reading(let device, _) = event { dropReading(of: device, beside: moment) }
        note(event.kind, event.severity, event.words, Share(event), at: moment)
        if case .reading(let device, _) = event { newestReading[device] = last }
    }

    /// Adds an event of a kind that has only text.
    mutating func note(_ kind: EventSummary.Kind, _ severity: AlertSeverity?, _ text: String, at moment: Timestamp) {
        note(kind, severity, text, .kind(kind), at: moment)
    }

    private mutating func note(
        _ kind: EventSummary.Kind, _ severity: AlertSeverity?, _ text: String, _ share: Share, at moment: Timestamp
    ) {
        last += 1
        let event = EventSummary(number: last, at: moment, kind: kind, severity: severity, text: text)
        entries.append(Entry(event: event, share: share))
        counts[share, default: 0] += 1
        if let countMax = share.countMax, counts[share, default: 0] > countMax { dropOldest(of: share) }
        guard entries.count > Self.countMax, let most = counts.values.max() else { return }
        // Of several that are as large, the one with the oldest event.
        if let largest = entries.first(where: { counts[$0.share] == most })?.share { dropOldest(of: largest) }
    }

    /// The events after a number, oldest first, as far as they are kept.
    func events(after number: UInt64) -> [EventSummary] {
        // There are usually few new events, at the end.
        let index = entries.lastIndex { $0.event.number <= number }.map { $0 + 1 } ?? 0
        return entries[index...].map(\.event)
    }

    /// Removes the event of a device that a new reading at this time replaces, if there is one.
    private mutating func dropReading(of device: String, beside moment: Timestamp) {
        guard let number = newestReading[device],
            let index = entries.lastIndex(where: { $0.event.number == number }),
            abs(moment.milliseconds(since: entries[index].event.at)) < Self.readingInterval
        else { return }
        drop(at: index)
    }

    private mutating func dropOldest(of share: Share) {
        if let oldest = entries.firstIndex(where: { $0.share == share }) { drop(at: oldest) }
    }

    private mutating func drop(at index: Int) {
        let share = entries.remove(at: index).share
        let count = counts[share, default: 1] - 1
        counts[share] = count > 0 ? count : nil
    }
}
