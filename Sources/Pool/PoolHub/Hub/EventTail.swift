import Platform
import PoolControl
import PoolModel

/// The last events of a hub, for anybody who observer.
///
/// Memory is bounded: of all events the newest ``countMax`` are kept, and of readings the newest of each device and
/// second, ``readingCountMax`` of them, so that readings never push out what happens rarely.
final class EventTail: Sendable {
    /// The most events that are kept.
    static let countMax = 512
    /// The most of them that tell readings.
    static let readingCountMax = 128
    /// The time in which the readings of a device are one event, in milliseconds.
    fileprivate static let readingInterval: Int64 = 1000

    fileprivate struct State {
        var notes: [EventSummary] = []
        var last: UInt64 = 0
        var readingCount = 0
        /// The number of the newest event of readings of each device.
        var newestReading: [String: UInt64] = [:]
    }

    private let state = Lock(State())

    /// Keeps an event.
    func note(_ event: PoolHub.Event, at moment: Timestamp) {
        var device: String?
        if case .reading(let name, _) = event { device = name }
        note(event.kind, event.severity, event.words, of: device, at: moment)
    }

    /// Keeps a line that is no event of the hub.
    func note(_ kind: EventSummary.Kind, _ severity: AlertSeverity?, _ text: String, at moment: Timestamp) {
        note(kind, severity, text, of: nil, at: moment)
    }

    private func note(
        _ kind: EventSummary.Kind, _ severity: AlertSeverity?, _ text: String, of device: String?, at moment: Timestamp
    ) {
        state.withLock { state in
            state.last += 1
            if let device { state.makeRoom(forReadingOf: device, at: moment) }
            state.notes.append(
                EventSummary(number: state.last, at: moment, kind: kind, severity: severity, text: text))
            if state.notes.count > Self.countMax { state.drop(at: 0) }
        }
    }

    /// The events after a number, oldest first, as far as they are kept.
    func notes(after number: UInt64) -> [EventSummary] {
        state.withLock { state in
            // Mostly nothing is new, or little.
            let index = state.notes.lastIndex { $0.number <= number }.map { $0 + 1 } ?? 0
            return Array(state.notes[index...])
        }
    }
}

extension EventTail.State {
    /// Removes the reading that a new one replaces, or the oldest one if there are too many.
    fileprivate mutating func makeRoom(forReadingOf device: String, at moment: Timestamp) {
        readingCount += 1
        defer { newestReading[device] = last }
        if let number = newestReading[device], let index = notes.lastIndex(where: { $0.number == number }),
            abs(moment.milliseconds(since: notes[index].at)) < EventTail.readingInterval
        {
            return drop(at: index)
        }
        guard readingCount > EventTail.readingCountMax, let oldest = notes.firstIndex(where: { $0.kind == .reading })
        else { return }
        drop(at: oldest)
    }

    fileprivate mutating func drop(at index: Int) {
        if notes[index].kind == .reading { readingCount -= 1 }
        notes.remove(at: index)
    }
}
